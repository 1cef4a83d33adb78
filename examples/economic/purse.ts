import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  documentSchema,
  type EvmAddress,
  type Identifier,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  type RailAddress,
  renderCanonical,
} from '@oikos/core/economic'
import {
  type EconomicAgentHost,
  type JournalArchive,
  openSqliteJournal,
  type PaymentJournal,
  type RailAdapter,
} from '@oikos/runtime'
import {
  type ApprovalLog,
  approvedIn,
  createApprover,
  createRuleDecider,
  openApprovalLog,
  type RuleLimits,
} from '@oikos/runtime/approval'
import {
  createWalletCustody,
  openAllowList,
  openKeystoreVault,
  openWalletFolder,
  walletsFolder,
} from '@oikos/runtime/custody'
import { createEvmRail, openSqliteSentTransactions } from '@oikos/runtime/rails'
import { openSqlitePurchases, type ResourceBuyer } from '@oikos/runtime/x402'

/** The wallet of the purse, and the Agent that it belongs to. */
export const walletId = 'atlas.purse' as Identifier
export const agentId = 'atlas' as Identifier
/** Who approves: a rule that the operator wrote. */
export const approverId = 'expenses.rule'
/** The most that a transfer may cost, wei. */
export const maxFeeAtomic = 10n ** 15n

/** The passphrase is 128 random bits, which no stretching makes harder to guess: little work saves the story's time. */
const scryptCost = 1 << 14

/** Where the purse may buy: one shop, one resource. Amounts in wei. */
export type Allowance = {
  readonly origin: string
  readonly resource: string
  readonly payee: EvmAddress
  readonly maxAmountAtomic: bigint
  readonly maxDailyAtomic: bigint
}

/** Files of a purse. */
export const purseFiles = {
  policy: 'policy.json',
  journal: 'journal.sqlite',
  approvals: 'approvals.sqlite',
  custody: 'custody',
} as const

/**
 * Makes the purse of an Agent: an encrypted key that no process keeps, and three walls around it that know nothing of each
 * other: the policy of the engine, the rule of the approver, the allow list of custody. Gives the address of the key.
 */
export async function makePurse(
  folder: string,
  { passphrase, ...allowance }: Allowance & { readonly passphrase: string },
): Promise<RailAddress> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const custody = join(folder, purseFiles.custody)
  const { network } = RAIL_NETWORKS.evm
  const { address } = await openWalletFolder(walletsFolder(custody), { scryptCost }).add({
    ...{ walletId, rail: 'evm', network, passphrase },
  })
  const { payee: destination, maxAmountAtomic } = allowance
  await openAllowList(custody).put({ walletId, rail: 'evm', destination, maxAmountAtomic, maxFeeAtomic })
  await writeFile(join(folder, purseFiles.policy), policyText(allowance))
  return address
}

/** An open purse. */
export type Purse = {
  readonly buyer: ResourceBuyer
  readonly journal: JournalArchive
  readonly approvals: ApprovalLog
  readonly close: () => Promise<void>
}

/** How a process opens a purse. */
export type PurseOptions = {
  readonly rpcUrl: string
  readonly passphrase: string
  readonly allowance: Allowance
  /** Where the shop really is: a port of this machine. */
  readonly shopPort: number
  /** Wraps the host of the engine, for those who want to hear of each station. */
  readonly wrap: (host: EconomicAgentHost) => EconomicAgentHost
  readonly onFailure: (cause: unknown) => void
}

/** Opens everything that a payment reaches, over the files of the folder. */
export async function openPurse(folder: string, options: PurseOptions): Promise<Purse> {
  const { rpcUrl, passphrase, allowance, shopPort, wrap, onFailure } = options
  const clockMs = () => Date.now()
  const custody = join(folder, purseFiles.custody)
  const wallet = await openWalletFolder(walletsFolder(custody)).find(walletId, 'evm')
  if (wallet === undefined) throw new Error(`${folder} holds no wallet ${walletId}`)
  const journal = await openSqliteJournal(join(folder, purseFiles.journal), {
    onFailure: ({ cause }) => onFailure(cause),
  })
  const approvals = await openApprovalLog(join(folder, purseFiles.approvals))
  const sent = await openSqliteSentTransactions(join(folder, 'sent.sqlite'))
  const purchases = await openSqlitePurchases(join(folder, 'purchases.sqlite'))
  const vault = await openKeystoreVault(custody, {
    passphraseOf: async () => passphrase,
    clockMs,
    findApproval: approvedIn(approvals),
  })
  const evm = createEvmRail({
    endpoints: [rpcUrl],
    account: wallet.address,
    sent,
    finality: 1,
    onFailure: ({ cause }) => onFailure(cause),
  })
  const host = {
    journal: journal satisfies PaymentJournal,
    rails: { evm, solana: unused, bitcoin: unused },
    approver: createApprover({
      deciders: [createRuleDecider({ approverId, limits: [ruleLimits(allowance)] }, clockMs)],
      log: approvals,
      clockMs,
      onFailure,
    }),
    custody: createWalletCustody(vault, onFailure),
    boundaryProbe: () => ({ elapsedMs: () => BigInt(Math.floor(performance.now())) }),
  }
  return {
    buyer: {
      policy: await readFile(join(folder, purseFiles.policy), 'utf8'),
      hostFor: (invoice) => wrap({ ...host, invoice }),
      vault,
      purchases,
      http: { clockMs, localServers: { [allowance.origin]: { port: shopPort } } },
      onRefusal: onFailure,
    },
    journal,
    approvals,
    close: async () => {
      evm.close()
      vault.close()
      purchases.close()
      sent.close()
      approvals.close()
      await journal.close()
    },
  }
}

const absent = async () => 'definitely_not_started' as const
const unused: RailAdapter = { snapshot: absent, simulate: absent, broadcast: absent, reconcile: absent }

function ruleLimits({ origin, payee, maxAmountAtomic, maxDailyAtomic }: Allowance): RuleLimits {
  return {
    ...{ walletId, recipients: [payee], origins: [origin], maxAmountAtomic, maxFeeAtomic },
    ...{ rail: 'evm', windowMs: 86_400_000, maxWindowAtomic: maxDailyAtomic, maxWindowPayments: 3 },
  }
}

function policyText({ origin, resource, payee, maxAmountAtomic, maxDailyAtomic }: Allowance): string {
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: agentId,
    wallet_id: walletId,
    network_policies: [
      {
        rail: 'evm',
        ...RAIL_NETWORKS.evm,
        recipients: [payee],
        max_amount_atomic: maxAmountAtomic,
        max_fee_atomic: maxFeeAtomic,
        max_rolling_24h_atomic: maxDailyAtomic,
      },
    ],
    x402_origins: [
      {
        origin,
        methods: ['GET'],
        resources: [resource],
        settlement_rails: ['evm'],
        max_amount_atomic: maxAmountAtomic,
      },
    ],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}
