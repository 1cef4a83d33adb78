// Public conformance checks of an opinion, as the assessor runs them: form and completeness, not whether the law is right.
//
//   node acceptance/conformance.mjs spec/opinion.json OPINION.md
//
// prints one line a check and ends with 0 when all of them hold, with 1 otherwise.

/** One line a check, `ok <number> <what>` or `not ok <number> <what>: <why>`, and `pass` or `fail` as the last line. */
export function report(specText, opinion) {
  const checks = runChecks(JSON.parse(specText), opinion)
  const lines = checks.map(({ what, why }, index) =>
    why === undefined ? `ok ${index + 1} ${what}` : `not ok ${index + 1} ${what}: ${why}`,
  )
  return [...lines, checks.every(({ why }) => why === undefined) ? 'pass' : 'fail'].join('\n')
}

function runChecks(spec, opinion) {
  const sections = readSections(opinion)
  const names = [...spec.questions, 'Assumptions', 'Not covered']
  const found = sections.map(({ name }) => name)
  const bodyOf = (name) => sections.find((section) => section.name === name)?.body ?? ''
  const words = wordsOf(opinion)
  return [
    check('heading', opinion.startsWith('# Opinion\n'), 'the first line is not "# Opinion"'),
    check('version', lineOf(opinion, 'Answers version') === String(spec.version), `version ${spec.version} is asked`),
    check('sections', found.join() === names.join(), `expected ${names.join(', ')}, got ${found.join(', ')}`),
    ...spec.questions.flatMap((question) => checkAnswer(spec, question, bodyOf(question))),
    check(
      'assumptions',
      itemsOf(bodyOf('Assumptions')) >= spec.leastAssumptions,
      `fewer than ${spec.leastAssumptions}`,
    ),
    check('not covered', wordsOf(bodyOf('Not covered')).length > 0, 'nothing is said'),
    check('length', words.length <= spec.mostWords, `${words.length} words, at most ${spec.mostWords}`),
    check('no placeholders', !/\b(TODO|TBD|lorem|xxx)\b/i.test(opinion), 'a placeholder is left'),
    check('no repetition', !hasRepeatedParagraph(opinion), 'a paragraph stands twice'),
  ]
}

function checkAnswer(spec, question, body) {
  const clauses = (lineOf(body, 'Clauses') ?? '').split(', ').filter((clause) => clause !== '')
  const unknown = clauses.find((clause) => !spec.clauses.includes(clause))
  const [reasons, against] = [paragraphOf(body, 'Reasons'), paragraphOf(body, 'Against')]
  const undiscussed = clauses.find((clause) => !`${reasons} ${against}`.split(/[^\d.]+|\.(?!\d)/).includes(clause))
  const [why, counter] = [wordsOf(reasons).length, wordsOf(against).length]
  return [
    check(`${question} answer`, spec.answers.includes(lineOf(body, 'Answer')), `none of ${spec.answers.join(', ')}`),
    check(`${question} confidence`, ['low', 'medium', 'high'].includes(lineOf(body, 'Confidence')), 'not stated'),
    check(
      `${question} clauses`,
      clauses.length >= spec.leastClauses,
      `${clauses.length}, at least ${spec.leastClauses}`,
    ),
    check(`${question} clauses exist`, unknown === undefined, `the lease has no clause ${unknown}`),
    check(`${question} clauses discussed`, undiscussed === undefined, `nothing is said about ${undiscussed}`),
    check(`${question} reasons`, why >= spec.leastReasonWords, `${why} words, at least ${spec.leastReasonWords}`),
    check(`${question} counter-argument`, counter >= spec.leastCounterWords, `${counter} words`),
  ]
}

function check(what, holds, why) {
  return holds ? { what } : { what, why }
}

function readSections(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [name = '', ...body] = section.split('\n')
      return { name: name.trim(), body: body.join('\n') }
    })
}

/** The value of a line `<name>: <value>`. */
function lineOf(text, name) {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name}: `))
  return line?.slice(name.length + 2).trim()
}

/** The paragraph that begins with `<name>: `. */
function paragraphOf(text, name) {
  const paragraph = text.split(/\n\s*\n/).find((candidate) => candidate.trim().startsWith(`${name}: `))
  return paragraph?.trim().slice(name.length + 2) ?? ''
}

function wordsOf(text) {
  return text.split(/\s+/).filter((word) => /\p{L}|\d/u.test(word))
}

function itemsOf(text) {
  return text.split('\n').filter((line) => line.startsWith('- ')).length
}

function hasRepeatedParagraph(text) {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => wordsOf(paragraph).length >= 12)
  return new Set(paragraphs).size < paragraphs.length
}

if (import.meta.main) {
  const { readFileSync } = await import('node:fs')
  const [specText, opinion] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
  const text = report(specText, opinion)
  console.log(text)
  process.exitCode = text.endsWith('\npass') ? 0 : 1
}
