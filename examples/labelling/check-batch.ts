import { readFile } from 'node:fs/promises'

/** How a delivered batch compares with the secret labels of the checking process. */
export type BatchCheck = { passed: boolean; agreed: number; checked: number; problem?: string }

/** A batch passes when at least this many of its secret labels agree. */
export const agreementsNeeded = 5
const intents = new Set(['billing', 'access', 'delivery', 'cancellation', 'defect', 'request'])

type Row = Record<string, unknown>

async function readRows(path: string): Promise<Row[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as Row)
}

/**
 * The demander's checking process: every message labelled once, in order, with an intent of the list, and enough of the
 * secret labels met.
 */
export async function checkBatch(files: { batch: string; gold: string; delivery: string }): Promise<BatchCheck> {
  const [batch, gold, delivery] = await Promise.all([
    readRows(files.batch),
    readRows(files.gold),
    readRows(files.delivery),
  ])
  const fail = (problem: string): BatchCheck => ({ passed: false, agreed: 0, checked: gold.length, problem })
  if (delivery.length !== batch.length) return fail(`${delivery.length} labels for ${batch.length} messages`)
  for (const [index, { id }] of batch.entries()) {
    const row = delivery[index]
    if (row === undefined || row['id'] !== id) return fail(`line ${index + 1} should label ${String(id)}`)
    if (!intents.has(String(row['intent']))) return fail(`${String(id)} has no intent of the list`)
  }
  const labels = new Map(delivery.map(({ id, intent }) => [id, intent]))
  const agreed = gold.filter(({ id, intent }) => labels.get(id) === intent).length
  return { passed: agreed >= agreementsNeeded, agreed, checked: gold.length }
}
