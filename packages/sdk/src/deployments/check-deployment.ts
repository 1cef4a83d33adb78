import { BATCH_RECEIPT_PROFILE, HASHLOCK_PROFILE } from '@oikos/core/verifier-profiles'
import type { Address, Client, Hex } from 'viem'
import { getBlockMoment } from '../actions/block.ts'
import { mapBounded } from '../actions/page.ts'
import { interfaceIds, supportsInterface } from '../actions/supports-interface.ts'
import { connectedChainId } from '../actions/target.ts'
import { getVerifierProfile } from '../actions/verifier/get-verifier-profile.ts'
import { checkAgent } from '../deploy/check-agent.ts'
import { checkFactoryCode } from '../deploy/check-factory-code.ts'
import { OikosError } from '../errors/oikos-error.ts'
import type { Deployment } from './deployment.ts'

/** One thing about a deployment that is not as it says. */
export type DeploymentFinding = {
  code:
    | 'wrong-chain'
    | 'wrong-genesis'
    | 'not-a-task-contract'
    | 'not-a-hashlock-verifier'
    | 'not-a-batch-receipt-verifier'
    | 'not-our-agent-factory'
    | 'not-an-agent'
  message: string
}

/** Agents that are checked at the same time. */
const CONCURRENCY = 20

/** Whether a deployment is on the chain of a client. */
export type DeploymentVerdict = { ok: boolean; findings: readonly DeploymentFinding[] }

/**
 * Checks a deployment against a chain: its id, its block 0, and what the contracts of the task market say they are, which
 * is a verdict on addresses and interfaces. Of a factory of Agents the code is compared, its Scope and its implementation
 * included, and the Agents must be its own.
 * @throws RpcError
 */
export async function checkDeployment(client: Client, deployment: Deployment): Promise<DeploymentVerdict> {
  const { chainId, network, genesisHash, taskToken, hashlockVerifier, batchReceiptVerifier } = deployment
  const got = await connectedChainId(client)
  if (got !== chainId) {
    return verdict([finding('wrong-chain', `The chain has id ${got}, the deployment is for ${chainId}.`)])
  }
  if (genesisHash !== undefined && (await getBlockMoment(client, 0n)).hash !== genesisHash) {
    return verdict([
      finding('wrong-genesis', `The chain has id ${chainId} and is not the chain of this ${network} deployment.`),
    ])
  }
  const [isTask, isHashlock, isBatch] = await Promise.all([
    declares(client, taskToken, [interfaceIds.ITaskToken, interfaceIds.ITaskTender]),
    hasProfile(client, hashlockVerifier, HASHLOCK_PROFILE),
    hasProfile(client, batchReceiptVerifier, BATCH_RECEIPT_PROFILE),
  ])
  const findings: DeploymentFinding[] = []
  if (!isTask) findings.push(finding('not-a-task-contract', `${taskToken} does not declare ERC-8414.`))
  if (!isHashlock) {
    findings.push(finding('not-a-hashlock-verifier', `${hashlockVerifier} has not the profile ${HASHLOCK_PROFILE}.`))
  }
  if (!isBatch) {
    const message = `${batchReceiptVerifier} has not the profile ${BATCH_RECEIPT_PROFILE}.`
    findings.push(finding('not-a-batch-receipt-verifier', message))
  }
  return verdict([...findings, ...(await checkAgents(client, deployment))])
}

async function checkAgents(client: Client, { agentFactory, agents = {} }: Deployment): Promise<DeploymentFinding[]> {
  if (agentFactory === undefined) return []
  const problem = await checkFactoryCode(client, { factory: agentFactory })
  if (problem !== undefined) {
    return [finding('not-our-agent-factory', `${agentFactory} is not the factory of Agents that was meant: ${problem}`)]
  }
  const verdicts = await mapBounded(Object.entries(agents), CONCURRENCY, async ([name, agent]) => {
    const { findings } = await checkAgent(client, { agent, factory: agentFactory })
    return findings.map(({ message }) =>
      finding('not-an-agent', `The Agent ${name} is not one of the factory: ${message}`),
    )
  })
  return verdicts.flat()
}

function finding(code: DeploymentFinding['code'], message: string): DeploymentFinding {
  return { code, message }
}

function verdict(findings: readonly DeploymentFinding[]): DeploymentVerdict {
  return { ok: findings.length === 0, findings }
}

/** A contract that does not answer is not the one that was meant; a node that does not answer is an error. */
async function answers(question: Promise<boolean>): Promise<boolean> {
  try {
    return await question
  } catch (error) {
    if (error instanceof OikosError && !error.retryable) return false
    throw error
  }
}

async function declares(client: Client, contract: Address, ids: readonly Hex[]): Promise<boolean> {
  const declared = await Promise.all(
    ids.map((interfaceId) => answers(supportsInterface(client, { contract, interfaceId }))),
  )
  return declared.every(Boolean)
}

function hasProfile(client: Client, verifier: Address, profile: string): Promise<boolean> {
  return answers(getVerifierProfile(client, { verifier }).then((text) => text === profile))
}
