import type { ReasoningRecord, ReasoningVerdict } from '@oikos/core/reasoning'
import { type Fact, factLines } from '../../output/layout.ts'
import type { Paint } from '../../output/paint.ts'
import { plain, plainLines } from '../../output/plain.ts'
import { countOf } from '../../output/speech.ts'

/** Claims that have a place of their own; the others are listed as JSON. */
const NAMED_CLAIMS = ['decision', 'rationale', 'model', 'prompt'] as const
/** Lines of one claim that are shown; --json has all. */
const SHOWN_LINES = 40

/** A record as lines: what can be compared first, then what its author says. */
export function recordLines(record: ReasoningRecord, paint: Paint): string[] {
  const { binding, links, claims } = record
  const evidence = links.evidence ?? []
  const packages = links.packages ?? []
  const target = (digest: string, uri: string | undefined) =>
    uri === undefined ? digest : `${digest} at ${plain(uri)}`
  const bound: Fact[] = [
    ['chain', binding.chainId.toString()],
    ['Agent', binding.agent],
    ['action', binding.action],
    ['call hash', binding.callHash],
    ['nonce', binding.nonce],
    ['payment evidence', evidence.map(({ digest, uri }) => target(digest, uri))],
    ['task package', packages.map(({ taskHash, uri }) => target(taskHash, uri))],
  ]
  const others = Object.entries(claims).filter(([name]) => !(NAMED_CLAIMS as readonly string[]).includes(name))
  const said: Fact[] = [
    ...NAMED_CLAIMS.flatMap((name) => (claims[name] === undefined ? [] : ([[name, lines(claims[name])]] as const))),
    ...others.map(([name, value]) => [plain(name), plain(jsonText(value))] as const),
  ]
  return [
    paint('bold', 'What it is bound to, as it says'),
    ...factLines(bound, paint, '  '),
    paint('bold', 'Claims of its author, which nobody can check'),
    ...factLines(said, paint, '  '),
  ]
}

/** A verdict as lines: head, what was checked, what not, what is broken. */
export function verdictLines(verdict: ReasoningVerdict, paint: Paint): string[] {
  const { ok, checked, notChecked, findings, omittedFindings } = verdict
  const broken = findings.length + omittedFindings
  return [
    headOf(verdict, broken, paint),
    ...factLines(
      [
        ['checked', checked.join(', ')],
        ['not checked', notChecked.map(({ check, reason }) => `${check}: ${reason}`)],
      ],
      paint,
      '  ',
    ),
    ...findings.map(
      ({ code, where, message }) => `${paint('bad', 'broken')}   ${code} at ${plain(where)}: ${plain(message)}`,
    ),
    ...(omittedFindings === 0 ? [] : [`and ${omittedFindings} more`]),
    ...(ok || !verdict.anchored
      ? []
      : ['The bytes are those that the chain anchors; the rest is not as it should be.']),
  ]
}

function headOf({ ok, anchored, bound }: ReasoningVerdict, broken: number, paint: Paint): string {
  if (!ok) return paint('bad', `INVALID     ${countOf(broken, 'rule is', 'rules are')} broken`)
  if (anchored && bound) return paint('good', 'VERIFIED    it is the record of this very action')
  if (anchored)
    return paint('warning', 'ANCHORED    the bytes are those of the hash; for which action was not compared')
  return paint('warning', 'READABLE    it is a well-formed record; with the chain it was not compared')
}

function lines(text: string): readonly string[] {
  const all = plainLines(text).split('\n')
  return all.length > SHOWN_LINES ? [...all.slice(0, SHOWN_LINES), `… and ${all.length - SHOWN_LINES} more lines`] : all
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? member.toString() : member))
}
