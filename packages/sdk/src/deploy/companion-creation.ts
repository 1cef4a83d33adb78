import {
  batchReceiptVerifierAbi,
  bondedGateAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
import { OUTCOME_DOMAINS, SIGNED_OUTCOME_PROFILE, STREAK_PROFILE } from '@oikos/core/verifier-profiles'
import { type Address, encodeDeployData, type Hex, zeroAddress } from 'viem'
import type { GateRule } from '../actions/bonded-gate/get-gate-rule.ts'
import type { RouterTerms } from '../actions/funding-router/get-router-terms.ts'
import type { Jury } from '../actions/jury/get-jury.ts'
import type { TeamMember } from '../actions/splitter/get-team.ts'
import {
  batchReceiptVerifierBytecode,
  bondedGateBytecode,
  fundingRouterBytecode,
  hashlockVerifierBytecode,
  juryPanelBytecode,
  merkleSecretVerifierBytecode,
  signedOutcomeVerifierBytecode,
  splitterBytecode,
  streakVerifierBytecode,
  tenderRoyaltyBytecode,
} from '../bytecode/index.ts'
import type { Creation } from './expected-code.ts'

/** The terms of a companion, by its kind; those of stock verifiers are kept by tender. */
export type CompanionTerms = {
  readonly 'hashlock-verifier': Readonly<Record<never, never>>
  readonly 'batch-receipt-verifier': Readonly<Record<never, never>>
  readonly 'signed-outcome-verifier': Readonly<Record<never, never>>
  readonly 'streak-verifier': Readonly<Record<never, never>>
  readonly 'merkle-secret-verifier': Readonly<Record<never, never>>
  readonly 'jury-panel': Pick<Jury, 'jurors' | 'quorum' | 'voteWindowSec'>
  readonly 'bonded-gate': GateRule
  readonly splitter: { readonly team: readonly TeamMember[] }
  readonly 'funding-router': RouterTerms
  readonly 'tender-royalty': { readonly task: Address }
}

/** What a companion is. */
export type CompanionKind = keyof CompanionTerms

type CompanionCode<terms> = Omit<Creation, 'args'> & { readonly args: (terms: terms) => readonly unknown[] }

const companionCode: { readonly [kind in CompanionKind]: CompanionCode<CompanionTerms[kind]> } = {
  'hashlock-verifier': { abi: hashlockVerifierAbi, bytecode: hashlockVerifierBytecode, args: () => [] },
  'batch-receipt-verifier': { abi: batchReceiptVerifierAbi, bytecode: batchReceiptVerifierBytecode, args: () => [] },
  'signed-outcome-verifier': {
    ...{ abi: signedOutcomeVerifierAbi, bytecode: signedOutcomeVerifierBytecode, args: () => [] },
    domain: OUTCOME_DOMAINS[SIGNED_OUTCOME_PROFILE],
  },
  'streak-verifier': {
    ...{ abi: streakVerifierAbi, bytecode: streakVerifierBytecode, args: () => [] },
    domain: OUTCOME_DOMAINS[STREAK_PROFILE],
  },
  'merkle-secret-verifier': { abi: merkleSecretVerifierAbi, bytecode: merkleSecretVerifierBytecode, args: () => [] },
  'jury-panel': {
    ...{ abi: juryPanelAbi, bytecode: juryPanelBytecode },
    args: ({ jurors, quorum, voteWindowSec }) => [jurors, quorum, voteWindowSec],
  },
  'bonded-gate': {
    ...{ abi: bondedGateAbi, bytecode: bondedGateBytecode },
    args: ({ task, bondAsset, bondAtomic, rejectedBps, expiredBps, beneficiary, judge }) => [
      task,
      {
        ...{ asset: bondAsset, bond: bondAtomic, rejectedBps, expiredBps },
        ...{ beneficiary: beneficiary ?? zeroAddress, judge: judge ?? zeroAddress },
      },
    ],
  },
  splitter: {
    ...{ abi: splitterAbi, bytecode: splitterBytecode },
    args: ({ team }) => [team.map(({ account }) => account), team.map(({ bps }) => BigInt(bps))],
  },
  'funding-router': {
    ...{ abi: fundingRouterAbi, bytecode: fundingRouterBytecode },
    args: ({ treasury, feeBps }) => [treasury, feeBps],
  },
  'tender-royalty': { abi: tenderRoyaltyAbi, bytecode: tenderRoyaltyBytecode, args: ({ task }) => [task] },
}

/** All kinds. */
export const companionKinds = Object.keys(companionCode) as readonly CompanionKind[]

/** How a companion of a kind is created with its terms. */
export function companionCreation<kind extends CompanionKind>(kind: kind, terms: CompanionTerms[kind]): Creation {
  const code: CompanionCode<CompanionTerms[kind]> = companionCode[kind]
  return { ...code, args: code.args(terms) }
}

/**
 * What a transaction without a recipient carries to deploy a companion.
 */
export function companionDeployData<kind extends CompanionKind>(kind: kind, terms: CompanionTerms[kind]): Hex {
  const { abi, bytecode, args } = companionCreation(kind, terms)
  return encodeDeployData({ abi, bytecode, args })
}

/** An immutable before it has its value: PUSH32 and 32 zero bytes. Source: Solidity documentation, Immutable. */
const OPEN_WORD = `7f${'0'.repeat(64)}`

/** Digits at the beginning of a runtime by which it is looked for in creation code: 32 bytes. */
const PREFIX_DIGITS = 64

/** Whether code is the runtime of a kind, whatever its immutables are. Nothing is asked of the contract. */
export function isRuntimeOf(kind: CompanionKind, code: Hex): boolean {
  const creation = companionCode[kind].bytecode.slice(2).toLowerCase()
  const runtime = code.slice(2).toLowerCase()
  const prefix = runtime.slice(0, PREFIX_DIGITS)
  if (prefix.length < PREFIX_DIGITS) return false
  for (let at = creation.indexOf(prefix); at !== -1; at = creation.indexOf(prefix, at + 1)) {
    const template = creation.slice(at, at + runtime.length)
    let opened = runtime
    for (let word = template.indexOf(OPEN_WORD); word !== -1; word = template.indexOf(OPEN_WORD, word + 1)) {
      opened = opened.slice(0, word) + OPEN_WORD + opened.slice(word + OPEN_WORD.length)
    }
    if (opened === template) return true
  }
  return false
}
