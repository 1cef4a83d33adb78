import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import type { Account, Chain, Client, Transport } from 'viem'
import { type PageChain, usePageConfig } from '../api/config.ts'

/** A client that signs as the visitor. */
export type SigningClient = Client<Transport, Chain, Account>

/** Who the visitor acts as. A test account needs no wallet, and exists on local chains only. */
type Actor =
  | { readonly kind: 'none' }
  | { readonly kind: 'test'; readonly address: string; readonly index: number }
  | { readonly kind: 'wallet'; readonly address: string }

type Wallet = {
  readonly actor: Actor
  readonly chains: readonly PageChain[]
  readonly hasTestAccounts: boolean
  readonly chooseTestAccount: (index: number) => Promise<void>
  readonly connect: () => Promise<void>
  readonly leave: () => void
  /** A client that reads a chain. */
  readonly reader: (chainId: number) => Promise<Client<Transport, Chain>>
  /** A client that signs; throws where nobody is connected. */
  readonly signer: (chainId: number) => Promise<SigningClient>
}

const WalletContext = createContext<Wallet | undefined>(undefined)

/** Who acts, and clients for them. What wallets need is loaded when it is first used. */
export function WalletProvider({ children }: { children: ReactNode }): ReactElement {
  const config = usePageConfig()
  const [actor, setActor] = useState<Actor>({ kind: 'none' })
  const chains = useMemo(() => config?.chains ?? [], [config])

  const chainOf = useCallback(
    (chainId: number): PageChain => {
      const chain = chains.find((known) => known.chainId === chainId)
      if (chain === undefined) throw new Error(`This page is not connected to chain ${chainId}.`)
      return chain
    },
    [chains],
  )
  const wallet = useMemo<Wallet>(
    () => ({
      actor,
      chains,
      hasTestAccounts: chains.some(({ hasTestAccounts }) => hasTestAccounts),
      chooseTestAccount: async (index) => {
        const { testAccount } = await import('./clients.ts')
        setActor({ kind: 'test', address: testAccount(index).address.toLowerCase(), index })
      },
      connect: async () => {
        const { connectWallet } = await import('./browser-wallet.ts')
        setActor({ kind: 'wallet', address: (await connectWallet(chains)).toLowerCase() })
      },
      leave: () => setActor({ kind: 'none' }),
      reader: async (chainId) => (await import('./clients.ts')).readingClient(chainOf(chainId)),
      signer: async (chainId) => {
        if (actor.kind === 'none') throw new Error('Choose an account first.')
        const chain = chainOf(chainId)
        if (actor.kind === 'test') return (await import('./clients.ts')).testClient(chain, actor.index)
        return (await import('./browser-wallet.ts')).walletClient(chains, chainId)
      },
    }),
    [actor, chains, chainOf],
  )
  return <WalletContext value={wallet}>{children}</WalletContext>
}

/** Who acts. */
export function useWallet(): Wallet {
  const wallet = useContext(WalletContext)
  if (wallet === undefined) throw new Error('useWallet outside of its provider')
  return wallet
}
