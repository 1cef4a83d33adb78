import { type Companion, type CompanionKind, identifyCompanion } from '@oikos/sdk'
import type { Address } from 'viem'
import type { Context } from '../context.ts'
import { UsageError } from '../errors.ts'
import { parseAddress } from '../input/address.ts'
import type { Connection } from './connect.ts'

/** What each kind of companion is called. */
const NAMES: Readonly<Record<CompanionKind, string>> = {
  'hashlock-verifier': 'hash-lock verifier',
  'batch-receipt-verifier': 'batch-receipt verifier',
  'signed-outcome-verifier': 'signed-outcome verifier',
  'streak-verifier': 'streak verifier',
  'merkle-secret-verifier': 'Merkle-secret verifier',
  'jury-panel': 'jury',
  'bonded-gate': 'bonded gate',
  splitter: 'splitter',
  'funding-router': 'funding router',
  'tender-royalty': 'royalty contract',
}

/** A companion at an address that the command line names. */
export type CompanionView<kind extends CompanionKind> = {
  readonly connection: Connection
  readonly address: Address
  readonly terms: Extract<Companion, { readonly kind: kind }>['terms']
}

/**
 * Finds the companion of a kind that an address names, by its code: nothing is sent to, or believed of, another contract.
 * @throws UsageError when something else is there, RpcError
 */
export async function openCompanion<kind extends CompanionKind>(
  context: Context,
  text: string,
  kind: kind,
): Promise<CompanionView<kind>> {
  const address = await parseAddress(context, text, NAMES[kind])
  const connection = await context.connection()
  const found = await identifyCompanion(connection.client, { address })
  if (found === undefined || !isOf(found, kind)) {
    throw new UsageError(
      found === undefined
        ? `${address} is no ${NAMES[kind]} of this version.`
        : `${address} is a ${NAMES[found.kind]}, not a ${NAMES[kind]}.`,
      'Check the address and the chain.',
    )
  }
  return { connection, address, terms: found.terms as CompanionView<kind>['terms'] } // a member of the union by its kind
}

function isOf<kind extends CompanionKind>(
  companion: Companion,
  kind: kind,
): companion is Extract<Companion, { readonly kind: kind }> {
  return companion.kind === kind
}
