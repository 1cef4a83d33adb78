import { RAIL_NETWORKS, RAILS, type Rail } from '@oikos/core/economic'

/** A chain in the form of CAIP-2, as x402 names networks. */
export type ChainId = `${string}:${string}`

/**
 * The one network of each rail: Sepolia by its chain id (EIP-155), devnet and regtest by the first 32 characters of their
 * genesis hashes (CAIP-30 and BIP 122). Regtest is every chain that starts from Bitcoin Core's regtest genesis block.
 */
export const RAIL_CHAINS = {
  evm: 'eip155:11155111',
  solana: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  bitcoin: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
} as const satisfies Record<Rail, ChainId>

/** The rail whose network has a chain id, or undefined: every other network is refused. */
export function railOfChain(chain: string): Rail | undefined {
  return RAILS.find((rail) => RAIL_CHAINS[rail] === chain)
}

/** How x402 names the native asset of a rail: by the name that Economic Agent v1 has for it, such as `native:eth`. */
export function nativeAsset(rail: Rail): (typeof RAIL_NETWORKS)[Rail]['asset'] {
  return RAIL_NETWORKS[rail].asset
}

/** Address prefixes of regtest. Source: Bitcoin Core, `CRegTestParams`. */
export const REGTEST_ADDRESSES = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
