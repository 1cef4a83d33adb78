import type { Sha256Digest } from '@oikos/core'
import {
  BATCH_RECEIPT_PROFILE,
  type Companion,
  type Deployment,
  type GateRule,
  getAnswerHash,
  getBatch,
  getJury,
  getOutcomeThreshold,
  getSecrets,
  getStreak,
  getStreakProvider,
  getVerifierProfile,
  HASHLOCK_PROFILE,
  identifyCompanion,
  interfaceIds,
  type Jury,
  MERKLE_SECRETS_PROFILE,
  OikosError,
  type ReceiptBatch,
  type SecretSet,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
  type Streak,
  supportsInterface,
  type TaskTarget,
} from '@oikos/sdk'
import { type Address, type Client, isAddressEqual } from 'viem'
import { getCode } from 'viem/actions'
import type { Connection } from './connect.ts'

/** Who decides about deliveries to a tender, as far as it can be told from the chain. */
export type Judgment =
  | { readonly kind: 'person'; readonly address: Address; readonly hasCode: boolean }
  | { readonly kind: 'jury'; readonly address: Address; readonly jury: Jury }
  | {
      readonly kind: 'gate'
      readonly address: Address
      readonly rule: GateRule
      /** Who rules through the gate; undefined where its rule names nobody. */
      readonly judge: Exclude<Judgment, { readonly kind: 'gate' }> | undefined
    }
  | { readonly kind: 'hashlock'; readonly address: Address; readonly answerHash: Sha256Digest | undefined }
  | { readonly kind: 'batch'; readonly address: Address; readonly batch: ReceiptBatch | undefined }
  | { readonly kind: 'secrets'; readonly address: Address; readonly secrets: SecretSet | undefined }
  /** `threshold` is 0 while nothing is committed. */
  | { readonly kind: 'signed-outcome'; readonly address: Address; readonly threshold: bigint }
  | {
      readonly kind: 'streak'
      readonly address: Address
      readonly threshold: bigint
      readonly streak: Streak | undefined
      /** Whose seat it is now; undefined while it is free. */
      readonly provider: Address | undefined
    }
  | { readonly kind: 'unknown-verifier'; readonly address: Address; readonly claimedProfile: string | undefined }

/** A verifier whose rules are known here. */
export type KnownVerifier = Extract<
  Judgment,
  { readonly kind: 'hashlock' | 'batch' | 'secrets' | 'signed-outcome' | 'streak' }
>

/** The acceptance profile of each verifier that is known here. */
export const PROFILES: Readonly<Record<KnownVerifier['kind'], string>> = {
  hashlock: HASHLOCK_PROFILE,
  batch: BATCH_RECEIPT_PROFILE,
  secrets: MERKLE_SECRETS_PROFILE,
  'signed-outcome': SIGNED_OUTCOME_PROFILE,
  streak: STREAK_PROFILE,
}

/** Whether the slot holds a verifier that is known here. */
export function isKnownVerifier(judgment: Judgment): judgment is KnownVerifier {
  return judgment.kind in PROFILES
}

/** Whether a proof decides, so that silence pays nobody. */
export function isMachine(judgment: Judgment): boolean {
  return isKnownVerifier(judgment) || judgment.kind === 'unknown-verifier'
}

/**
 * Reads who holds the judgment slot. A contract is known when the deployment names it or when its code is that of a companion
 * of this version; what it says about itself is a claim. Throws RpcError.
 */
export async function readJudgment(
  connection: Connection,
  target: TaskTarget,
  address: Address,
  deployment: Deployment | undefined,
): Promise<Judgment> {
  const { client } = connection
  const verifier = { ...target, verifier: address }
  const kind = knownIn(deployment, address) ?? (await identifyCompanion(client, { address }))
  switch (kind?.kind) {
    case 'hashlock-verifier':
      return { kind: 'hashlock', address, answerHash: await getAnswerHash(client, verifier) }
    case 'batch-receipt-verifier':
      return { kind: 'batch', address, batch: await getBatch(client, verifier) }
    case 'merkle-secret-verifier':
      return { kind: 'secrets', address, secrets: await getSecrets(client, verifier) }
    case 'signed-outcome-verifier':
      return { kind: 'signed-outcome', address, threshold: await getOutcomeThreshold(client, verifier) }
    case 'streak-verifier': {
      const [threshold, streak, provider] = await Promise.all([
        getOutcomeThreshold(client, verifier),
        getStreak(client, verifier),
        getStreakProvider(client, verifier),
      ])
      return { kind: 'streak', address, threshold, streak, provider }
    }
    case 'jury-panel':
      return { kind: 'jury', address, jury: await getJury(client, { jury: address }) }
    case 'bonded-gate': {
      const { judge } = kind.terms
      const ruling = judge === undefined ? undefined : await readJudgment(connection, target, judge, deployment)
      // a gate asks a judge, so another gate or a verifier behind it is a contract like any other
      const isJudge = ruling?.kind === 'person' || ruling?.kind === 'jury'
      const other = judge === undefined ? undefined : ({ kind: 'person', address: judge, hasCode: true } as const)
      return { kind: 'gate', address, rule: kind.terms, judge: isJudge ? ruling : other }
    }
    default:
      return readStranger(client, address)
  }
}

function knownIn(deployment: Deployment | undefined, address: Address): Companion | undefined {
  if (deployment === undefined) return undefined
  if (isAddressEqual(deployment.hashlockVerifier, address)) return { kind: 'hashlock-verifier', terms: {} }
  if (isAddressEqual(deployment.batchReceiptVerifier, address)) return { kind: 'batch-receipt-verifier', terms: {} }
  return undefined
}

async function readStranger(client: Client, address: Address): Promise<Judgment> {
  const declares = await orUndefined(
    supportsInterface(client, { contract: address, interfaceId: interfaceIds.ITaskVerifier }),
  )
  if (declares === true) {
    const claimedProfile = await orUndefined(getVerifierProfile(client, { verifier: address }))
    return { kind: 'unknown-verifier', address, claimedProfile }
  }
  const code = await getCode(client, { address })
  return { kind: 'person', address, hasCode: code !== undefined && code !== '0x' }
}

/** What the slot holds, in words. */
export function judgmentText(judgment: Judgment): string {
  switch (judgment.kind) {
    case 'person':
      return judgment.hasCode ? 'judge (a contract)' : 'judge'
    case 'jury':
      return `jury (${judgment.jury.quorum} of ${judgment.jury.jurors.length})`
    case 'gate':
      return judgment.judge === undefined ? 'bonded gate' : `bonded gate of the ${judgmentText(judgment.judge)}`
    case 'hashlock':
      return 'hash-lock verifier'
    case 'batch':
      return 'batch-receipt verifier'
    case 'secrets':
      return 'Merkle-secret verifier'
    case 'signed-outcome':
      return 'signed-outcome verifier'
    case 'streak':
      return 'streak verifier'
    case 'unknown-verifier':
      return 'verifier of unknown kind'
    default:
      return judgment satisfies never
  }
}

/** How a pending delivery is decided: commands without the program's name. */
export function rulingSteps(judgment: Judgment, named: string, submissionId: bigint): readonly string[] {
  const delivery = `${named} ${submissionId}`
  switch (judgment.kind) {
    case 'person':
      return [`task accept ${delivery}`, `task reject ${delivery}`]
    case 'jury':
      return [`jury vote ${delivery} yes`, `jury vote ${delivery} no`]
    case 'gate':
      if (judgment.judge?.kind === 'jury') return rulingSteps(judgment.judge, named, submissionId)
      return [`gate accept ${judgment.address} ${delivery}`, `gate reject ${judgment.address} ${delivery}`]
    case 'hashlock':
      return [`task settle ${delivery} --answer <file>`]
    case 'batch':
    case 'secrets':
      return [`task settle ${delivery} --tree <file>`]
    case 'signed-outcome':
    case 'streak':
      return [`outcome sign ${delivery} --out <file>`, `task settle ${delivery} --signature <file>`]
    case 'unknown-verifier':
      return [`task settle ${delivery} --proof <hex>`]
    default:
      return judgment satisfies never
  }
}

/** What a publisher does first with a verifier; nothing where a person or a jury decides. */
export function commitSteps(judgment: Judgment, named: string): readonly string[] {
  switch (judgment.kind) {
    case 'hashlock':
      return [`task commit hashlock ${named} --answer <file>`]
    case 'batch':
      return [`task commit batch ${named} --tree <file> --min-age 10m`]
    case 'secrets':
      return [`task commit secrets ${named} --tree <file> --min-age 10m`]
    case 'signed-outcome':
      return [`task commit attestors ${named} --attestor <account> --threshold 1`]
    case 'streak':
      return [`task commit streak ${named} --attestor <account> --threshold 1 --grace 1d`]
    default:
      return []
  }
}

/** A contract that does not answer has said nothing; a node that does not answer is an error. */
async function orUndefined<value>(answer: Promise<value>): Promise<value | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return undefined
    throw error
  }
}
