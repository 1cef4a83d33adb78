import { useQuery } from '@tanstack/react-query'

/** A chain that the page can reach through its own server. */
export type PageChain = {
  readonly chainId: number
  readonly network: string
  /** Path on this server that forwards JSON-RPC. */
  readonly rpcPath: string
  /** Whether it is a local chain, on which everybody knows the keys of the test accounts. */
  readonly hasTestAccounts: boolean
  readonly taskTokens: readonly string[]
  readonly agentFactories: readonly string[]
}

/** What the server that serves the page says about itself. */
export type PageConfig = { readonly chains: readonly PageChain[]; readonly gatewayPath: string }

/** Reads the configuration once. */
export function usePageConfig(): PageConfig | undefined {
  return useQuery({
    queryKey: ['config'],
    queryFn: async ({ signal }): Promise<PageConfig> =>
      (await fetch('/config.json', { signal })).json() as Promise<PageConfig>,
    staleTime: Number.POSITIVE_INFINITY,
  }).data
}
