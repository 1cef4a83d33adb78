import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DocumentDigest,
  documentDigest,
  isEvmAddress,
  readJournal,
  utf8,
  verifyEvidence,
} from '@oikos/core/economic'
import { openSqliteJournal } from '@oikos/runtime'
import { openApprovalLog } from '@oikos/runtime/approval'
import { type Address, getAddress, type Hash, parseEther } from 'viem'
import {
  getBalance,
  getTransactionCount,
  getTransactionReceipt,
  sendTransaction,
  waitForTransactionReceipt,
} from 'viem/actions'
import { type LineChild, runChild } from '../../packages/runtime/test/child-process.ts'
import { type FaultyLine, startFaultyLine } from '../../packages/runtime/test/rails/transport-fault.ts'
import type { Shop } from '../../packages/runtime/test/x402-shop.ts'
import { addressOf, amount, type Stage, tellTransaction } from '../market/stage.ts'
import { type PayingLine, type PayingOrder, runFolder } from './messages.ts'
import { type Allowance, agentId, approverId, makePurse, purseFiles } from './purse.ts'
import { sellOnLoopback } from './shop.ts'

/** What is bought, and what for. */
export type Order = {
  /** Idempotency key: one key is one purchase. */
  readonly key: string
  readonly memo: string
  readonly origin: string
  readonly resource: string
  /** Wei. */
  readonly priceAtomic: bigint
  /** What the shop hands out. */
  readonly goods: unknown
}

/** What was bought, and how it went. */
export type PaidOrder = {
  readonly body: Uint8Array
  readonly transactionId: string
  /** The Evidence of the payment, in the content store of the stage. */
  readonly evidence: { readonly digest: DocumentDigest<'evidence'>; readonly uri: string; readonly bytes: Uint8Array }
  readonly payer: Address
  readonly shop: Address
  /** What the shop has more than before, wei. */
  readonly shopGainAtomic: bigint
  /** How often the shop handed the goods out. */
  readonly served: number
  /** Requests to send a transaction that reached the chain. */
  readonly broadcasts: number
  /** How the first process ended. */
  readonly firstEnd: number | NodeJS.Signals
}

/** Ether for the purse: more than it can spend in the story. */
const purseFunds = parseEther('0.01')
/** What may be spent at once, and in 24 hours. */
const [maxAmountAtomic, maxDailyAtomic] = [parseEther('0.0005'), parseEther('0.001')]

/**
 * Buys a resource for the Agent's work. The process that pays is killed when the chain has its transaction and it does not
 * know that yet; another one ends the purchase without paying again.
 */
export async function playPurchase(stage: Stage, order: Order): Promise<PaidOrder> {
  const { client, rpcUrl, say } = stage
  const shopAddress = addressOf(stage, 'shop')
  const payee = shopAddress.toLowerCase()
  if (!isEvmAddress(payee)) throw new TypeError(`${payee} is no address`)
  const allowance: Allowance = {
    ...{ origin: order.origin, resource: order.resource, payee, maxAmountAtomic, maxDailyAtomic },
  }
  const passphrase = randomBytes(16).toString('hex')
  const payer = await fillPurse(stage, allowance, passphrase)
  const before = await getBalance(client.stranger, { address: shopAddress })
  const shop = await sellOnLoopback(rpcUrl, { ...order, payee })
  const line = await startFaultyLine(rpcUrl, ({ body }) => body.includes('eth_sendRawTransaction'))
  try {
    const start = () => startPaying(stage, { order, allowance, line, shop, passphrase })
    const firstEnd = await payAndDie(stage, payer, line, start())
    const { transactionId } = await payAgain(stage, start())
    const shopGainAtomic = (await getBalance(client.stranger, { address: shopAddress })) - before
    const sent = await getTransactionCount(client.stranger, { address: payer })
    say.fact('presented', 'the purse signs that this transaction pays this invoice; the shop looks it up on the chain')
    say.fact('the shop', `has ${amount(shopGainAtomic)} more and handed the goods out ${times(shop.served())}`)
    say.fact('the purse', `has sent ${sent === 1 ? 'one transaction' : `${sent} transactions`} in its life`)
    const body = await readFile(join(stage.purseFolder, 'delivery'))
    say.fact('bought', `${body.length} bytes, SHA-256 ${createHash('sha256').update(body).digest('hex')}`)
    const evidence = await storeEvidence(stage, order)
    return {
      ...{ body, transactionId, evidence, payer, shop: shopAddress, shopGainAtomic, firstEnd },
      ...{ served: shop.served(), broadcasts: line.countBroadcasts() },
    }
  } finally {
    await line.stop()
    await shop.close()
  }
}

async function fillPurse(stage: Stage, allowance: Allowance, passphrase: string): Promise<Address> {
  const { client, purseFolder, say } = stage
  say.step(
    'The operator',
    'gives the Agent a purse for what its work needs: a key of its own, with three walls around it.',
  )
  const payer = getAddress(await makePurse(purseFolder, { ...allowance, passphrase }))
  const limits = `at most ${amount(maxAmountAtomic)} at once, to ${allowance.payee}`
  say.fact('keystore', `${payer}, encrypted; the key is opened for one signature at a time`)
  say.fact(
    'policy',
    `${limits}, for GET ${allowance.origin}${allowance.resource}; ${amount(maxDailyAtomic)} in 24 hours`,
  )
  say.fact(
    'approver',
    `${approverId}: a rule with a count of its own, ${amount(maxDailyAtomic)} and 3 payments in 24 hours`,
  )
  say.fact('custody', `signs plain transfers only: ${limits}`)
  const hash = await sendTransaction(client.operator, { to: payer, value: purseFunds })
  tellTransaction(stage, { hash, receipt: await waitForTransactionReceipt(client.operator, { hash }) })
  return payer
}

function startPaying(
  stage: Stage,
  parts: {
    readonly order: Order
    readonly allowance: Allowance
    readonly line: FaultyLine
    readonly shop: Shop
    readonly passphrase: string
  },
): LineChild {
  const { order, allowance, line, shop, passphrase } = parts
  const told: PayingOrder = {
    ...{ key: order.key, memo: order.memo, rpcUrl: line.url, shopPort: shop.port },
    allowance: { ...allowance, maxAmountAtomic: `${maxAmountAtomic}`, maxDailyAtomic: `${maxDailyAtomic}` },
  }
  const child = runChild(join(import.meta.dirname, 'paying-process.ts'), stage.purseFolder, told)
  child.process.stdin?.end(`${passphrase}\n`)
  return child
}

/** The first process: it is killed when the chain has the transaction, before any answer has come back. */
async function payAndDie(stage: Stage, payer: Address, line: FaultyLine, child: LineChild) {
  const { client, purseFolder, say } = stage
  line.setFault('silent-after', 'broadcast')
  say.step(
    'The Agent',
    'asks the shop, which answers 402, Payment Required. A process of the operator proposes to pay.',
  )
  const isSent = async (): Promise<boolean> => (await getTransactionCount(client.stranger, { address: payer })) > 0
  let end: number | NodeJS.Signals | undefined
  void child.ended.then((how) => {
    end = how
  })
  while (!(await isSent()) && end === undefined) await new Promise((resolve) => setTimeout(resolve, 10))
  child.process.kill('SIGKILL')
  const how = await child.ended
  line.setFault(null, 'all')
  const lines = child.lines as readonly PayingLine[]
  tellProposal(stage, lines)
  tellStations(stage, lines)
  await tellApproval(stage)
  if (how !== 'SIGKILL') throw new Error(`the paying process ended by ${how}, expected SIGKILL`)
  say.step(
    'The machine',
    `fails: process ${child.process.pid} is ended by ${how}, the answer of the chain still under way.`,
  )
  say.fact('the chain', 'has the transaction; nobody on this side knows')
  say.fact('the journal', `${await newestState(purseFolder)}: written before the transaction left`)
  return how
}

/** The second process, with the same order. */
async function payAgain(stage: Stage, child: LineChild): Promise<{ transactionId: string }> {
  const { client, say } = stage
  say.step('The operator', 'starts again with the same order: it observes, and does not pay again.')
  const how = await child.ended
  const lines = child.lines as readonly PayingLine[]
  say.fact('kept', 'offer and proposal of before, read back from disk: the shop is not asked for another price')
  tellStations(stage, lines)
  const bought = lines.find((said) => said.kind === 'bought')
  if (how !== 0 || bought === undefined) throw new Error(`the second process ended by ${how} and bought nothing`)
  const hash = bought.transactionId as Hash
  tellTransaction(stage, { hash, receipt: await getTransactionReceipt(client.stranger, { hash }) })
  return { transactionId: hash }
}

/** What a station that was passed has made sure of, beside what it says itself. */
const assurances: Readonly<Record<string, string>> = {
  'journal version 1 is on disk: reserved':
    'the policy admits wallet, origin, resource, recipient, amount and fee, and its part of the 24 hours is taken',
  'invoice the server still asks for the same': 'same price, payee and chain, asked a second time',
  'snapshot the chain was observed': 'chain id, nonce and fees that the transaction is built from',
  'simulated the node tried the transaction': 'the purse can pay it, and the recipient is a plain account',
  'approval the approver has answered': 'within the rule, counted over its own log, and recorded before it was given',
  'signed custody signed one transaction':
    'the bytes read again: this recipient and amount, on the allow list, with an approval that the log has',
  'journal version 6 is on disk: broadcast unknown':
    'written before anything leaves: from here on it is looked up, never repeated',
  'observed the chain was asked for the transaction':
    'in a block of the canonical chain, with as many blocks as wanted',
}

/** Tells each station that was passed, and what it has made sure of. */
function tellStations({ say }: Stage, lines: readonly PayingLine[]): void {
  for (const line of lines) {
    if (line.kind !== 'station') continue
    const { station, words } = line
    const assurance = assurances[`${station} ${words}`]
    say.fact(station, assurance === undefined ? words : `${words} (${assurance})`)
  }
}

function tellProposal({ say }: Stage, lines: readonly PayingLine[]): void {
  for (const line of lines) {
    if (line.kind !== 'proposal') continue
    say.fact('offer', `${amount(BigInt(line.amountAtomic))} to ${line.payee}, invoice ${line.invoice}`)
    say.fact('proposal', `intent ${line.intent}: a wish, until the policy has admitted it`)
  }
}

async function tellApproval({ purseFolder, say }: Stage): Promise<void> {
  const log = await openApprovalLog(join(purseFolder, purseFiles.approvals))
  try {
    for (const { approverId: who, decision, reason } of log.list(1))
      say.fact('approver', `${who} ${decision}: ${reason}`)
  } finally {
    log.close()
  }
}

async function newestState(purseFolder: string): Promise<string> {
  const journal = await openSqliteJournal(join(purseFolder, purseFiles.journal))
  try {
    const [key = ''] = await journal.listKeys({ limit: 1 })
    const last = (await journal.listVersions(key)).at(-1)
    if (last === undefined) throw new Error('the journal is empty')
    const { state } = readJournal(utf8(last.document)).document
    return `version ${last.version} of ${key} is ${state.replaceAll('_', ' ')}`
  } finally {
    await journal.close()
  }
}

/** Replays the Evidence as a stranger would, and puts it where the record of the delivery will point. */
async function storeEvidence({ purseFolder, say, store }: Stage, { key }: Order): Promise<PaidOrder['evidence']> {
  const read = (name: string) => readFile(join(purseFolder, runFolder, name))
  const [bytes, trace, policy] = [await read('evidence.json'), await read('trace.json'), await read(purseFiles.policy)]
  const verdict = verifyEvidence(new Uint8Array(bytes), { policy, trace })
  if (!verdict.ok) throw new Error(`the Evidence does not replay: ${verdict.findings[0]?.message}`)
  const digest = documentDigest('evidence', bytes)
  const uri = `ipfs://${await store.put(bytes)}`
  say.fact('evidence', `${digest} ${uri}`)
  say.fact('verdict', 'the run replays from its Evidence, policy and trace alone')
  say.check(`npm run oikos -- evidence verify ${join(purseFolder, runFolder)}`)
  say.check(`npm run oikos -- journal show ${key} --journal ${join(purseFolder, purseFiles.journal)}`)
  say.check(`npm run oikos -- audit ${agentId}`)
  return { digest, uri, bytes }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
