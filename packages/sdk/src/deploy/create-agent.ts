import type { Address, Client } from 'viem'
import { createFromBirthAndWait } from '../actions/agent-factory/create-from-birth.ts'
import type { WaitParameters } from '../actions/receipt.ts'
import { assertConnected, type WriteParameters } from '../actions/target.ts'
import { checkAgent } from './check-agent.ts'
import { DeployedCodeError } from './deployed-code-error.ts'
import { type AgentPlan, type PlanAgentParameters, planAgent } from './plan-agent.ts'

/** Parameters of {@link createAgent}. */
export type CreateAgentParameters = PlanAgentParameters & WriteParameters & WaitParameters

/** An Agent that was just born, and the transaction of its birth. */
export type CreatedAgent = AgentPlan & Awaited<ReturnType<typeof createFromBirthAndWait>>

/**
 * Creates an Agent with its fees, horizon, metadata, Executors and boundary in one transaction. Its address is computed
 * before; afterwards its code and its arguments are read back and compared.
 * @param walletClient signs and sends
 * @param publicClient reads; may be the same client
 * @throws BirthError and what planAgent throws; DeployedCodeError when something else is at the address; ContractRevertedError,
 *   AccountMissingError, InsufficientFundsError, RequestRejectedError, TransactionPendingError, SendOutcomeUnknownError,
 *   TransactionRevertedError, UnexpectedReceiptError
 */
export async function createAgent(
  walletClient: Client,
  publicClient: Client,
  parameters: CreateAgentParameters,
): Promise<CreatedAgent> {
  const chainId = await assertConnected(publicClient, parameters.chainId)
  const plan = await planAgent(publicClient, parameters)
  const { factory, birth, salt } = plan
  const { account, confirmations, timeoutMs, onSent } = parameters
  const waiting = {
    ...(account === undefined ? {} : { account }),
    ...(confirmations === undefined ? {} : { confirmations }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(onSent === undefined ? {} : { onSent }),
  }
  const confirmed = await createFromBirthAndWait(walletClient, {
    ...{ factory, birth, salt, chainId, asset: plan.asset },
    ...waiting,
  })
  await assertBorn(publicClient, plan, confirmed.event.args.agent, confirmed.receipt.blockNumber)
  return { ...plan, ...confirmed }
}

/**
 * Refuses an Agent that is not the one that was planned. Throws {@link DeployedCodeError}, RpcError.
 * @param blockNumber of its birth, so that a node which is behind says so instead of knowing no Agent
 */
export async function assertBorn(client: Client, plan: AgentPlan, born: Address, blockNumber?: bigint): Promise<void> {
  if (born.toLowerCase() !== plan.agent.toLowerCase()) {
    throw new DeployedCodeError(born, `it was to be born at ${plan.agent}.`)
  }
  const { ok, findings } = await checkAgent(client, { ...plan, ...(blockNumber === undefined ? {} : { blockNumber }) })
  const [first] = findings
  if (!ok && first !== undefined) throw new DeployedCodeError(plan.agent, first.message)
}
