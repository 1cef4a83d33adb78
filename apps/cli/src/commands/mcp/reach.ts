import type { AdmittedIntent } from '@oikos/core/economic'
import type { ContentResolver } from '@oikos/sdk/content'
import type { FolderStore } from '@oikos/sdk/node'
import type { Connection } from '../../chain/connect.ts'

/**
 * All that tools work with. There is no key, no passphrase, no environment and no terminal in it, so that a tool can read,
 * compute and propose, and nothing else.
 */
export type Reach = {
  /** The chain; the first call connects. */
  readonly connection: () => Promise<Connection>
  /** Fetches content: the store, then URI and gateways, never a file that a URI names. */
  readonly resolver: () => Promise<ContentResolver>
  readonly store: () => Promise<FolderStore>
  /** Absolute folder in which callers may name folders to deliver; undefined: nothing is delivered. */
  readonly deliveries: string | undefined
  /** Where proposals go, and the policy that judges them; undefined: nothing is proposed. */
  readonly proposals: Proposals | undefined
  /** Absolute folder of the documents of this program. */
  readonly documents: string
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
  /** Uniformly random bytes. */
  readonly entropy: (length: number) => Uint8Array
  /** Aborted when the server ends. */
  readonly signal: AbortSignal
}

/** Where payments are proposed, and under what. */
export type Proposals = {
  /** Absolute folder; made when it is missing. */
  readonly folder: string
  readonly policy: AdmittedIntent['policy']
  /** How the operator named the policy, for the command that pays. */
  readonly policyFile: string
}
