import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeliveryDraft, ProvableDelivery, Prover } from '@oikos/runtime/operator'
import type { Hex } from 'viem'
import { type BatchCheck, checkBatch } from './check-batch.ts'

/** A receipt that the demander committed to: what to deliver, and what proves it. */
export type BatchReceipt = { readonly number: number; readonly resultHash: Hex; readonly proof: Hex }

/** The demander's checking process, as an operator knows it, and what it has checked so far. */
export type CheckingDesk = Prover & { readonly checked: readonly (BatchCheck & { readonly number: number })[] }

/**
 * Checks one batch after the other against secret labels and hands out the receipt of a batch that passes, once. The proof comes
 * with it; the contract takes it when the delivery is old enough.
 */
export function openCheckingDesk(folder: string, receipts: readonly BatchReceipt[]): CheckingDesk {
  const checked: (BatchCheck & { readonly number: number })[] = []
  const handedOut = new Set<number>()
  return {
    name: 'the checking process of the demander',
    checked,
    commit: async ({ files }: DeliveryDraft) => {
      const next = receipts.find(({ number }) => !handedOut.has(number))
      const labels = next === undefined ? undefined : files.get(`batch-${next.number}.jsonl`)
      if (next === undefined || labels === undefined) return 'refused'
      const check = await checkLabels(folder, next.number, labels)
      checked.push({ ...check, number: next.number })
      if (!check.passed) return 'refused'
      handedOut.add(next.number)
      return next.resultHash
    },
    prove: async ({ resultHash }: ProvableDelivery) =>
      receipts.find((receipt) => receipt.resultHash === resultHash && handedOut.has(receipt.number))?.proof,
  }
}

async function checkLabels(folder: string, number: number, labels: Uint8Array): Promise<BatchCheck> {
  const parent = await mkdtemp(join(tmpdir(), 'oikos-labels-'))
  try {
    const delivery = join(parent, 'labels.jsonl')
    await writeFile(delivery, labels)
    const batch = join(folder, 'task', 'data', `batch-${number}.jsonl`)
    return await checkBatch({ batch, gold: join(folder, 'qa', `gold-${number}.jsonl`), delivery })
  } finally {
    await rm(parent, { recursive: true, force: true })
  }
}
