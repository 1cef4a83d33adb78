import { mkdir } from 'node:fs/promises'
import { startIndexer } from '@oikos/indexer'
import { openContentStore, serveContent } from '@oikos/sdk/node'
import { buildExplorer, serveExplorer } from '@oikos/web/server'
import type { Stage } from './stage.ts'

/** What people look at while the economy is played. */
export type Surroundings = { readonly url: string; readonly apiUrl: string; readonly stop: () => Promise<void> }

/**
 * Brings up a content gateway, the index with its API, and the explorer, which is the one address that people need.
 * @param folder for content, and for the embedded database of the index
 */
export async function openExplorer(
  stage: Stage,
  { folder, contentFolder, port = 0 }: { folder: string; contentFolder: string; port?: number },
): Promise<Surroundings> {
  const { deployment, rpcUrl } = stage
  const stops: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of stops.reverse()) await end()
  }
  try {
    await mkdir(folder, { recursive: true })
    const gateway = await serveContent({ store: await openContentStore(contentFolder) })
    stops.push(() => gateway.close())
    const site = buildExplorer()
    // the page is built while the index starts; a page that cannot be built is told below
    site.catch(() => undefined)
    const index = await startIndexer({
      ...{ deployments: [deployment], rpcUrls: { [deployment.chainId]: rpcUrl }, pollingIntervalMs: 250 },
      ...{ port: 0, folder, contentFolder, checksPauseMs: 500 },
    })
    stops.push(() => index.stop())
    const explorer = await serveExplorer({
      chains: [
        {
          ...{ chainId: deployment.chainId, network: deployment.network, rpcUrl, hasTestAccounts: true },
          taskTokens: [deployment.taskToken],
          agentFactories: [deployment.agentFactory],
        },
      ],
      ...{ apiUrl: index.url, gatewayUrl: gateway.url, siteFolder: await site, port },
    })
    stops.push(() => explorer.stop())
    await index.ready
    return { url: explorer.url, apiUrl: index.url, stop }
  } catch (cause) {
    await stop()
    throw cause
  }
}
