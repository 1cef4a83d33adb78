import type { Hex } from 'viem'
import { callApart } from '../stage/call-apart.ts'

/** What became of a build: how many requests it answered right, and what is wrong with the others. */
export type BuildCheck = { passed: boolean; right: number; asked: number; faults: readonly string[] }

/** Requests that are drawn beside those of the package. Source: acceptance/rubric.md. */
const drawn = 300
const longest = 120

/**
 * Calls `answerLines` of a delivered module once, apart from everything, with the cases of the package and with requests
 * drawn from `seed`, and compares every answer with the rules.
 */
export async function checkBuild(build: {
  taskHash: Hex
  module: Uint8Array
  cases: string
  seed: number
}): Promise<BuildCheck> {
  const { taskHash, module, cases, seed } = build
  const expected = [
    ...readCases(cases),
    ...drawRequests(seed).map((request) => ({ request, answer: fairAnswer(request) })),
  ]
  const input = expected.map(({ request }) => `${request}\n`).join('')
  const limits = { timeoutMs: 10_000, memoryMiB: 64 }
  const reply = await callApart({ taskHash, module, functionName: 'answerLines', texts: [input], limits })
  const asked = expected.length
  if (!reply.ok) return { passed: false, right: 0, asked, faults: [`${reply.code}: ${reply.message}`] }
  const answers = reply.text.split('\n')
  if (answers.length !== asked + 1 || answers.at(-1) !== '') {
    return { passed: false, right: 0, asked, faults: [`${answers.length - 1} answers to ${asked} requests`] }
  }
  const faults = expected.flatMap(({ request, answer }, index) =>
    answers[index] === answer ? [] : [`${shown(request)} gives ${shown(answers[index] ?? '')}, not ${shown(answer)}`],
  )
  return { passed: faults.length === 0, right: asked - faults.length, asked, faults }
}

/** The lines of `cases.txt`. */
export function readCases(text: string): readonly { request: string; answer: string }[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [, request, answer] = /^(.*) => (.*)$/.exec(line) ?? []
    if (request === undefined || answer === undefined) throw new Error(`not a case: ${line}`)
    return { request, answer }
  })
}

/** The right answer to a request, by the rules of spec/interface.md: first the exact shares, then the units left over. */
export function fairAnswer(request: string): string {
  const fields = /^(0|[1-9]\d{0,39})(?:\.(\d{1,18}))?((?: (?:0|[1-9]\d{0,39})){1,100})$/.exec(request)
  if (fields === null) return 'error'
  const [, whole = '', decimals = '', list = ''] = fields
  const weights = list.slice(1).split(' ').map(BigInt)
  const sum = weights.reduce((total, weight) => total + weight, 0n)
  if (sum === 0n) return 'error'
  const amount = BigInt(whole + decimals)
  const shares = weights.map((weight, index) => ({
    index,
    units: (amount * weight) / sum,
    lost: (amount * weight) % sum,
  }))
  const left = amount - shares.reduce((total, { units }) => total + units, 0n)
  const byLoss = shares.toSorted((a, b) => (a.lost === b.lost ? a.index - b.index : a.lost > b.lost ? -1 : 1))
  for (const share of byLoss.slice(0, Number(left))) share.units += 1n
  return shares.map(({ units }) => withDecimals(units, decimals.length)).join(' ')
}

function withDecimals(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Requests as people make them, the same for the same seed: amounts of up to twenty digits, up to eight weights. */
function drawRequests(seed: number): string[] {
  let state = seed >>> 0
  // the generator of Numerical Recipes (32 bits): nothing here has to be secret, only repeatable
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const number = (digits: number): string => {
    const text = Array.from({ length: digits }, () => draw(10)).join('')
    return text.replace(/^0+(?=\d)/, '')
  }
  return Array.from({ length: drawn }, () => {
    const decimals = draw(4)
    const amount =
      number(1 + draw(20)) + (decimals === 0 ? '' : `.${String(draw(10 ** decimals)).padStart(decimals, '0')}`)
    const weights = Array.from({ length: 1 + draw(8) }, () => number(1 + draw(5)))
    return [amount, ...weights].join(' ')
  })
}

/** A request or answer in a message: short, and in quotes that show spaces. */
function shown(text: string): string {
  return JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text)
}
