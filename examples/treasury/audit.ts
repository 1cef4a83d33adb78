import { type JudgedCitation, listCitations, verifyCitation } from '@oikos/sdk'
import { createContentResolver } from '@oikos/sdk/node'
import type { Address } from 'viem'
import type { Stage } from '../market/stage.ts'
import { agentName } from './birth.ts'

/** Reads every action of the Agent from the chain and every reason from the store, and compares the two. */
export async function playAudit(stage: Stage, agent: Address): Promise<readonly JudgedCitation[]> {
  const { client, deployment, say, store } = stage
  say.step('A stranger', 'audits the Agent: every action on the chain, every reason in the store.')
  const { citations, isComplete } = await listCitations(client.stranger, {
    ...{ agent, fromBlock: deployment.deployedAtBlock },
  })
  const resolver = createContentResolver({ store })
  const judged: JudgedCitation[] = []
  for (const citation of citations)
    judged.push(await verifyCitation(client.stranger, { chainId: deployment.chainId, agent, citation, resolver }))
  const verified = judged.filter(({ status }) => status === 'verified')
  say.fact(
    'verdict',
    `${verified.length} of ${judged.length} records verified: each is the reason of the very action that cites it`,
  )
  if (!isComplete || verified.length !== judged.length) throw new Error('a record does not verify')
  say.check(`npm run oikos -- reason verify --agent ${agentName}`)
  return judged
}
