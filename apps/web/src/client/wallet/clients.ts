import { type Chain, type Client, createClient, defineChain, type HDAccount, http, type Transport } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { PageChain } from '../api/config.ts'
import type { SigningClient } from './wallet.tsx'

/** Source: anvil's default accounts; everybody knows them, so they are offered on local chains only. */
const MNEMONIC = 'test test test test test test test test test test test junk'

/** How many test accounts are offered. */
export const TEST_ACCOUNTS = 11

/** A test account of a local chain. */
export function testAccount(index: number): HDAccount {
  return mnemonicToAccount(MNEMONIC, { addressIndex: index })
}

/** The chain as viem knows it; requests go to this page's own server. */
export function chainOf({ chainId, network, rpcPath }: PageChain): Chain {
  return defineChain({
    id: chainId,
    name: network,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [new URL(rpcPath, location.origin).href] } },
  })
}

/** A client that reads. */
export function readingClient(chain: PageChain): Client<Transport, Chain> {
  return createClient({ chain: chainOf(chain), transport: http(), pollingInterval: 250 })
}

/** A client that signs as a test account. */
export function testClient(chain: PageChain, index: number): SigningClient {
  if (!chain.hasTestAccounts) throw new Error('Test accounts exist on local chains only.')
  return createClient({ account: testAccount(index), chain: chainOf(chain), transport: http(), pollingInterval: 250 })
}
