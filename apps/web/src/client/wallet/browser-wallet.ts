import { type Config, createConfig, http, injected } from 'wagmi'
import { connect, getAccount, getConnectorClient, switchChain } from 'wagmi/actions'
import type { PageChain } from '../api/config.ts'
import { chainOf } from './clients.ts'
import type { SigningClient } from './wallet.tsx'

let config: Config | undefined

function configFor(chains: readonly PageChain[]): Config {
  if (config !== undefined) return config
  const [first, ...rest] = chains.map(chainOf)
  if (first === undefined) throw new Error('This page is connected to no chain.')
  const transports = Object.fromEntries([first, ...rest].map(({ id }) => [id, http()]))
  config = createConfig({ chains: [first, ...rest], connectors: [injected()], transports })
  return config
}

/** Asks the browser's wallet for an account. Throws what the wallet says when there is none or the visitor refuses. */
export async function connectWallet(chains: readonly PageChain[]): Promise<string> {
  const known = configFor(chains)
  const [connector] = known.connectors
  if (connector === undefined) throw new Error('This browser has no wallet.')
  const { accounts } = await connect(known, { connector })
  return accounts[0]
}

/** A client of the connected wallet on a chain, switching it there first. */
export async function walletClient(chains: readonly PageChain[], chainId: number): Promise<SigningClient> {
  const known = configFor(chains)
  if (getAccount(known).chainId !== chainId) await switchChain(known, { chainId })
  return (await getConnectorClient(known, { chainId })) as SigningClient
}
