import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buyResource, type Purchase } from '@oikos/runtime/x402'
import { withStations } from '../../apps/cli/src/commands/pay/stations.ts'
import { type PayingLine, type PayingOrder, runFolder } from './messages.ts'
import { maxFeeAtomic, openPurse, type Purse, purseFiles, walletId } from './purse.ts'

/**
 * A process that buys one resource from a purse and says on standard output, one JSON value a line, what it did. It may be
 * killed anywhere: started again with the same order, it looks before it acts. Its standard input gives the passphrase.
 */
const [folder, order] = process.argv.slice(2).map((text): unknown => JSON.parse(text)) as [string, PayingOrder]
const say = (line: PayingLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`)
const { key, memo, rpcUrl, shopPort, allowance: texts } = order
const allowance = {
  ...texts,
  maxAmountAtomic: BigInt(texts.maxAmountAtomic),
  maxDailyAtomic: BigInt(texts.maxDailyAtomic),
}
const purse = await openPurse(folder, {
  ...{ rpcUrl, shopPort, allowance },
  passphrase: await firstLine(),
  wrap: (host) => withStations(host, (station, words) => say({ kind: 'station', station, words })),
  onFailure: (cause) =>
    say({ kind: 'station', station: 'failed', words: cause instanceof Error ? cause.message : String(cause) }),
})
try {
  const { origin, resource } = allowance
  const bought = await buyResource(
    {
      ...purse.buyer,
      onProposal: ({ quote, intent }) =>
        say({
          kind: 'proposal',
          intent: intent.digest,
          invoice: quote.invoice.digest,
          amountAtomic: `${quote.terms.amountAtomic}`,
          payee: quote.terms.payTo,
        }),
    },
    { origin, resource, method: 'GET', rail: 'evm', idempotencyKey: key, maxFeeAtomic, walletId, memo },
  )
  if (bought.status !== 'bought') throw new Error(`nothing was handed out: the purchase is ${bought.status}`)
  await keepRun(bought, purse)
  say({ kind: 'bought', transactionId: bought.transactionId, evidence: bought.run.evidence.digest })
} finally {
  await purse.close()
}

/** Leaves the documents of the run and what was bought for those who check them. */
async function keepRun(bought: Extract<Purchase, { status: 'bought' }>, { buyer, journal }: Purse): Promise<void> {
  const run = join(folder, runFolder)
  await mkdir(run, { recursive: true })
  const documents: Record<string, string | Uint8Array> = {
    'evidence.json': bought.run.evidence.bytes,
    'trace.json': bought.run.trace.bytes,
    'intent.json': bought.intent.bytes,
    [purseFiles.policy]: buyer.policy,
  }
  for (const { version, document } of await journal.listVersions(key)) documents[`journal.v${version}.json`] = document
  for (const [name, bytes] of Object.entries(documents)) await writeFile(join(run, name), bytes)
  await writeFile(join(folder, 'delivery'), bought.body)
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    return line
  }
  return ''
}
