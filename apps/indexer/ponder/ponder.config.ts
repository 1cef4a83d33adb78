import { createConfig, factory } from 'ponder'
import { type ChainPlan, readPlan } from '../src/plan/index-plan.ts'
import {
  companionEvents,
  factoryEvents,
  ownAgentEvents,
  scopeEvents,
  shareEvents,
  standardAgentEvents,
  taskEvents,
  taskTransferEvents,
  valuationEvents,
} from '../src/sources/events.ts'

type Address = `0x${string}`

/** A URL that is named often may be asked often: Ponder throttles each name of its list by itself, from 20 requests a second. */
const REPEATED = 20

const plan = readPlan(process.env)

const addressesOf = (list: readonly string[]): readonly Address[] => list as readonly Address[]
const birthplaces = (chain: ChainPlan): readonly Address[] =>
  addressesOf(chain.agentFactories.map(({ address }) => address))

/** Per chain where a source begins and which contracts it hears; chains without any are left out. */
function heardOn(addresses: (chain: ChainPlan) => object | undefined): Record<string, { startBlock: number }> {
  const entries = plan.chains.flatMap((chain) => {
    const heard = addresses(chain)
    return heard === undefined ? [] : [[chain.network, { startBlock: chain.startBlock, ...heard }] as const]
  })
  return Object.fromEntries(entries)
}

const anywhere = heardOn(() => ({}))
const bornAgents = (chain: ChainPlan): object | undefined => {
  const [event] = factoryEvents
  if (event === undefined || chain.agentFactories.length === 0) return undefined
  return { address: factory({ address: birthplaces(chain), event, parameter: 'agent' }) }
}
const at = (addresses: readonly Address[]): object | undefined =>
  addresses.length === 0 ? undefined : { address: addresses }

export default createConfig({
  database:
    plan.database.kind === 'pglite'
      ? { kind: 'pglite', directory: plan.database.directory }
      : { kind: 'postgres', connectionString: plan.database.url },
  chains: Object.fromEntries(
    plan.chains.map(({ network, chainId, rpcUrls, pollingIntervalMs }) => [
      network,
      {
        id: chainId,
        rpc: rpcUrls.flatMap((url) => Array.from({ length: REPEATED }, () => url)),
        pollingInterval: pollingIntervalMs,
      },
    ]),
  ),
  contracts: {
    Factory: { abi: factoryEvents, chain: heardOn((chain) => at(birthplaces(chain))) },
    Agent: { abi: standardAgentEvents, chain: anywhere },
    OwnAgent: { abi: ownAgentEvents, chain: heardOn(bornAgents) },
    Share: {
      abi: shareEvents,
      chain: heardOn((chain) => (chain.followAllTransfers ? {} : bornAgents(chain))),
    },
    Scope: {
      abi: scopeEvents,
      chain: heardOn(({ agentFactories }) => at(addressesOf(agentFactories.map(({ scope }) => scope)))),
    },
    Valuation: { abi: valuationEvents, chain: anywhere },
    Task: { abi: taskEvents, chain: anywhere },
    TaskTransfer: {
      abi: taskTransferEvents,
      chain: heardOn(({ followAllTransfers, taskContracts }) =>
        followAllTransfers ? {} : at(addressesOf(taskContracts)),
      ),
    },
    Companion: { abi: companionEvents, chain: anywhere },
  },
})
