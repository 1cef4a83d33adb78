import type { Address, Client } from 'viem'
import { getGateRule } from '../actions/bonded-gate/get-gate-rule.ts'
import { getRouterTerms } from '../actions/funding-router/get-router-terms.ts'
import { getJury } from '../actions/jury/get-jury.ts'
import { getRoyaltyTask } from '../actions/royalty/get-royalty-task.ts'
import { getTeam } from '../actions/splitter/get-team.ts'
import { type AtBlock, assertChain } from '../actions/target.ts'
import { ContractRevertedError } from '../errors/contract-reverted-error.ts'
import {
  type CompanionKind,
  type CompanionTerms,
  companionCreation,
  companionKinds,
  isRuntimeOf,
} from './companion-creation.ts'
import { codeAt, hasCodeOf } from './expected-code.ts'

/** A companion whose code is that of this package; one member of a union discriminated by `kind`. */
export type Companion = {
  [kind in CompanionKind]: { readonly kind: kind; readonly terms: CompanionTerms[kind] }
}[CompanionKind]

/** Parameters of {@link identifyCompanion}. */
export type IdentifyCompanionParameters = AtBlock & { address: Address; chainId?: number }

type Reader<kind extends CompanionKind> = (
  client: Client,
  address: Address,
  at: AtBlock,
) => Promise<CompanionTerms[kind]>

const none = async (): Promise<Record<never, never>> => ({})

/** Reads what each kind was created with, from a contract that claims to be of the kind. */
const readers: { readonly [kind in CompanionKind]: Reader<kind> } = {
  'hashlock-verifier': none,
  'batch-receipt-verifier': none,
  'signed-outcome-verifier': none,
  'streak-verifier': none,
  'merkle-secret-verifier': none,
  'jury-panel': (client, jury, at) => getJury(client, { jury, ...at }),
  'bonded-gate': (client, gate, at) => getGateRule(client, { gate, ...at }),
  splitter: async (client, splitter, at) => ({ team: await getTeam(client, { splitter, ...at }) }),
  'funding-router': (client, router, at) => getRouterTerms(client, { router, ...at }),
  'tender-royalty': async (client, royalty, at) => ({ task: await getRoyaltyTask(client, { royalty, ...at }) }),
}

/**
 * What stands at an address, by its code and never by its claims: the code is compared, byte for byte, with what this
 * package would create with the terms that the contract reports. What its constructor wrote into storage (the jurors, the
 * members of a team) is read, not proven: a stranger can have put the same code over other storage.
 * @returns undefined for an account, and for code that is not known here
 * @throws WrongChainError, RpcError
 */
export async function identifyCompanion(
  client: Client,
  parameters: IdentifyCompanionParameters,
): Promise<Companion | undefined> {
  const { address, blockNumber, chainId } = parameters
  await assertChain(client, chainId)
  const at = blockNumber === undefined ? {} : { blockNumber }
  const code = await codeAt(client, address, at)
  const kind = companionKinds.find((kind) => isRuntimeOf(kind, code))
  if (kind === undefined) return undefined
  try {
    const terms = await readers[kind](client, address, at)
    const isExact = await hasCodeOf(client, address, companionCreation(kind, terms), at)
    return isExact ? ({ kind, terms } as Companion) : undefined // the table of readers pairs kind and terms
  } catch (error) {
    if (error instanceof ContractRevertedError) return undefined // it reports terms that nothing can be created with
    throw error
  }
}
