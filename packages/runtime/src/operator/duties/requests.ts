import { type AgentPosition, getAgentPosition, type RequestKind } from '@oikos/sdk'
import { type Address, getAddress } from 'viem'
import type { Pass } from '../pass.ts'

/** An account with what it has pending and claimable, at the block of the pass. */
export type OpenRequester = { readonly user: Address; readonly mint: AgentPosition; readonly redeem: AgentPosition }

/** Accounts that one pass reads; the next pass goes on behind the last one, so that nobody can stand before the others. */
const MAX_REQUESTERS = 1_000
/** Accounts that are read at the same time. */
const CONCURRENCY = 32

/** Reads everybody who has something open; who has nothing is forgotten until an event names them again. */
export async function readRequesters(pass: Pass, after: string): Promise<{ open: OpenRequester[]; last: string }> {
  const { context, fence, head } = pass
  const { store, identity, client, agent, telemetry } = context
  const subjects = await store.notes.listSubjects(identity.agent, 'requester', { limit: MAX_REQUESTERS, after })
  const open: OpenRequester[] = []
  for (let start = 0; start < subjects.length; start += CONCURRENCY) {
    const read = await Promise.all(
      subjects.slice(start, start + CONCURRENCY).map(async ({ id }) => {
        const user = getAddress(id)
        const at = (kind: RequestKind) => ({ agent, user, kind, blockNumber: head.number })
        const [mint, redeem] = await Promise.all([
          getAgentPosition(client, at('mint')),
          getAgentPosition(client, at('redeem')),
        ])
        return { user, mint, redeem }
      }),
    )
    for (const requester of read) {
      if (isOpen(requester.mint) || isOpen(requester.redeem)) open.push(requester)
      else await store.notes.dropSubject(fence, 'requester', requester.user.toLowerCase())
    }
  }
  telemetry.setOpen('requester', open.length)
  return { open, last: subjects.length < MAX_REQUESTERS ? '' : (subjects.at(-1)?.id ?? '') }
}

function isOpen({ pendingAtomic, claimableAtomic }: AgentPosition): boolean {
  return pendingAtomic + claimableAtomic > 0n
}
