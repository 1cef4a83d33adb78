import type { SolanaAddress } from '@oikos/core/economic'
import { getBase58Decoder } from '@solana/kit'
import { createMemorySentTransactions } from '../../../src/rails/sent/sent-transactions.ts'
import { createSolanaRail, type SolanaRailOptions } from '../../../src/rails/solana/rail.ts'
import { suitePolicy, suiteSource } from '../../rails/proposal.ts'
import type { RailUnderTest, SuitePayment, Whereabouts } from '../../rails/rail-under-test.ts'
import { startFaultyLine } from '../../rails/transport-fault.ts'
import { closedUrl } from '../closed-url.ts'
import { createSolanaLedger, type SolanaLedger, type SolanaLedgerOptions } from './ledger.ts'
import { type SolanaNodeOptions, startSolanaNode } from './node.ts'
import { solanaCustody, type TestWallet, testWallet } from './wallet.ts'

/** What each payment pays, lamports. */
export const SUITE_AMOUNT = 2_000_000n
/** Lamports. */
const MAX_FEE = 6_000n
const MAX_PRIORITY_FEE = 1_000n
const COMPUTE_UNITS = 10_000n
const FUNDS = 5_000_000_000n
/** Enough blocks for every blockhash to die. */
const LIFETIME = 151

/** What is proposed, from which wallet, to whom, and who signs. */
export async function solanaProposals() {
  const wallet = await testWallet(7)
  const recipient = (await testWallet(8)).address
  return {
    wallet,
    recipient,
    policy: suitePolicy('solana', { recipient, maxAmountAtomic: SUITE_AMOUNT, maxFeeAtomic: MAX_FEE }),
    source: (payment: SuitePayment) =>
      suiteSource(payment, {
        kind: 'solana',
        network: 'devnet',
        asset: 'native:sol',
        recipient,
        amount_atomic: SUITE_AMOUNT,
        max_fee_atomic: MAX_FEE,
        max_compute_units: COMPUTE_UNITS,
        max_priority_fee_atomic: MAX_PRIORITY_FEE,
      }),
    custody: solanaCustody(wallet),
    clockMs: () => BigInt(Date.now()),
  }
}

/** How a cluster and its rails are set up. */
export type SolanaSetup = {
  readonly ledger?: SolanaLedgerOptions
  readonly node?: SolanaNodeOptions
  readonly rail?: Partial<SolanaRailOptions>
  /** `direct`: without anything between rail and node, and without its counts. */
  readonly line?: 'counted' | 'direct'
}

/** A rail under test, and the cluster beneath it. */
export type SolanaUnderTest = RailUnderTest & {
  readonly ledger: SolanaLedger
  readonly url: string
  /** The node behind the faulty line. */
  readonly faultyUrl: string
  /** A node that got no block after the first ones. */
  readonly behindUrl: string
  readonly wallet: TestWallet
  readonly recipient: SolanaAddress
}

/** Solana's virtual machine behind JSON-RPC, as the suite wants it: a block is confirmed as soon as it is there. */
export async function makeSolanaRail(setup: SolanaSetup = {}): Promise<SolanaUnderTest> {
  const { wallet, recipient, ...proposals } = await solanaProposals()
  const ledger = createSolanaLedger({ confirmedLag: 0n, isInstant: false, ...setup.ledger })
  ledger.setBalance(wallet.address, FUNDS)
  ledger.produce(2)
  const servers = [
    await startSolanaNode(ledger, setup.node),
    await startSolanaNode(ledger.stopped(), setup.node),
    await startSolanaNode(ledger, { genesisHash: getBase58Decoder().decode(new Uint8Array(32).fill(3)) }),
  ]
  const [node, behind, other] = servers.map(({ url }) => url)
  const isBroadcast = ({ body }: { readonly body: string }): boolean => body.includes('"sendTransaction"')
  const direct = await startFaultyLine(node ?? '', isBroadcast)
  const faulty = await startFaultyLine(node ?? '', isBroadcast)
  const urls: Readonly<Record<Whereabouts, string>> = {
    node: setup.line === 'direct' ? (node ?? '') : direct.url,
    faulty: faulty.url,
    behind: behind ?? '',
    'other-network': other ?? '',
    nobody: await closedUrl(),
  }

  // Rails of one wallet share a memory, so that equal payments of the same moment are not one transaction.
  const shared = createMemorySentTransactions()

  return {
    ledger,
    wallet,
    recipient,
    url: node ?? '',
    behindUrl: behind ?? '',
    faultyUrl: faulty.url,
    rail: 'solana',
    strangerId: getBase58Decoder().decode(new Uint8Array(64).fill(0xab)),
    chain: {
      mine: async (blocks) => ledger.produce(blocks),
      reorganise: async (depth, transactions) => {
        ledger.rollback(depth, transactions === 'again' ? 'wait again' : 'are lost')
        ledger.produce(depth + 1)
      },
      forget: async () => ledger.dropPool(),
      displace: async () => {
        ledger.dropPool()
        ledger.produce(LIFETIME)
        return null
      },
      raiseFees: null,
      lowerFees: null,
      drainWallet: async () => ledger.setBalance(wallet.address, SUITE_AMOUNT / 2n),
      fundWallet: async () => ledger.setBalance(wallet.address, FUNDS),
      countPayments: async () => Number(ledger.balanceAt(recipient, 'processed') / SUITE_AMOUNT),
      height: async () => ledger.blockAt('processed').height,
    },
    open: async ({ at, sent, ...options }) => {
      const rail = createSolanaRail({
        endpoints: at.map((where) => urls[where]),
        account: wallet.address,
        sent: sent ?? shared,
        finality: 'confirmed',
        ...setup.rail,
        ...options,
      })
      return { adapter: rail, close: () => rail.close() }
    },
    setFault: faulty.setFault,
    countBroadcasts: () => direct.countBroadcasts() + faulty.countBroadcasts(),
    ...proposals,
    close: async () => {
      for (const line of [direct, faulty]) await line.stop()
      for (const server of servers) await server.close()
    },
  }
}
