import { type Deployment, DeploymentError } from './deployment.ts'

/** Deployments that this package knows by itself, by network. A market enters when it is deployed on a public chain. */
const registry: readonly Deployment[] = []

/** What is known beside the registry, and which network is meant. */
export type DeploymentOverrides = {
  /** Go before the registry; see parseDeployments. Of two with the same chain id and network the last one counts. */
  deployments?: readonly Deployment[]
  /** Needed where several networks have the chain id. */
  network?: string
}

/**
 * The task market of a chain.
 * @throws DeploymentError `unknown` when there is none, `ambiguous` when several networks have this chain id
 */
export function getDeployment(chainId: number, overrides: DeploymentOverrides = {}): Deployment {
  const byNetwork = new Map<string, Deployment>()
  for (const deployment of [...registry, ...(overrides.deployments ?? [])]) {
    if (deployment.chainId === chainId) byNetwork.set(deployment.network, deployment)
  }
  const names = [...byNetwork.keys()]
  const found = overrides.network === undefined ? onlyOne([...byNetwork.values()]) : byNetwork.get(overrides.network)
  if (found !== undefined) return found
  const list = names.join(', ')
  if (overrides.network === undefined && names.length > 1) {
    throw new DeploymentError('ambiguous', `Several networks have chain id ${chainId}: ${list}.`, {
      advice: 'Say which network you mean.',
    })
  }
  const where = overrides.network === undefined ? `chain ${chainId}` : `${overrides.network} (chain ${chainId})`
  const known = names.length === 0 ? '' : ` Known with this chain id: ${list}.`
  throw new DeploymentError('unknown', `No task market is known on ${where}.${known}`, {
    advice: 'Deploy one, or pass a deployments file that has its addresses.',
  })
}

function onlyOne(deployments: readonly Deployment[]): Deployment | undefined {
  return deployments.length === 1 ? deployments[0] : undefined
}
