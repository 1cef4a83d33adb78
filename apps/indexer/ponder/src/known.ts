import schema from 'ponder:schema'
import { hashlockVerifierAbi, juryPanelAbi, taskTokenAbi } from '@oikos/core/abi'
import { type Address, type Hex, parseAbi, zeroAddress } from 'viem'
import { boundText, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH } from '../../src/ledger/index.ts'
import { chainPlanOf, type Indexing, low, readerOf } from './kept.ts'

const tokenAbi = parseAbi([
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
])

/** Decimals of the currency of every EVM chain. */
const NATIVE_DECIMALS = 18

const ERC165 = '0x01ffc9a7'
const NO_INTERFACE = '0xffffffff'
const TASK_VERIFIER = '0x9977db15'

/** Most jurors of a jury that are kept. */
const MAX_JURORS = 64

const bounded = (text: string | undefined, maxLength: number): string | null =>
  text === undefined ? null : boundText(text, maxLength)

/** Asks a token once what it is called. */
export async function rememberToken({ db, chain }: Indexing, contract: Hex): Promise<void> {
  const address = low(contract)
  const key = { chainId: chain.id, address }
  if ((await db.find(schema.token, key)) !== null) return
  if (address === zeroAddress) {
    await db.insert(schema.token).values({ ...key, symbol: null, name: null, decimals: NATIVE_DECIMALS })
    return
  }
  const { read } = readerOf(chain.id)
  const about = { address, abi: tokenAbi, args: [], at: 'latest' } as const
  const [symbol, name, decimals] = await Promise.all([
    read({ ...about, functionName: 'symbol' }),
    read({ ...about, functionName: 'name' }),
    read({ ...about, functionName: 'decimals' }),
  ])
  await db.insert(schema.token).values({
    ...key,
    symbol: bounded(symbol, MAX_SYMBOL_LENGTH),
    name: bounded(name, MAX_NAME_LENGTH),
    decimals: decimals ?? null,
  })
}

/** Asks what sits in a judgment slot, once, and answers whether it is a verifier. */
export async function rememberJudge({ db, chain }: Indexing, slot: Hex): Promise<boolean> {
  const address = low(slot)
  const key = { chainId: chain.id, address }
  const known = await db.find(schema.judge, key)
  if (known !== null) return known.kind === 'verifier'
  const facts = await askJudge(chain.id, address)
  const isDeployed = chainPlanOf(chain.id).verifiers.includes(address)
  await db.insert(schema.judge).values({ ...key, ...facts, isDeployed })
  return facts.kind === 'verifier'
}

type JudgeFacts = { kind: string; profile: string | null; jurors: Address[]; quorum: bigint | null }

async function askJudge(chainId: number, address: Address): Promise<JudgeFacts> {
  const reader = readerOf(chainId)
  const nothing = { profile: null, jurors: [], quorum: null }
  if (!(await reader.hasCode(address, 'latest'))) return { kind: 'account', ...nothing }
  const declares = (interfaceId: Hex) =>
    reader.read({ address, abi: taskTokenAbi, functionName: 'supportsInterface', args: [interfaceId], at: 'latest' })
  // as the kernel asks: yes for the verifier and for ERC-165, and not yes for everything
  const [verifies, erc165, all] = await Promise.all([declares(TASK_VERIFIER), declares(ERC165), declares(NO_INTERFACE)])
  if (verifies === true && erc165 === true && all !== true) {
    const about = { address, abi: hashlockVerifierAbi, args: [], at: 'latest' } as const
    const profile = await reader.read({ ...about, functionName: 'profile' })
    return { ...nothing, kind: 'verifier', profile: bounded(profile, MAX_NAME_LENGTH) }
  }
  const about = { address, abi: juryPanelAbi, args: [], at: 'latest' } as const
  const [jurors, quorum] = await Promise.all([
    reader.read({ ...about, functionName: 'jurors' }),
    reader.read({ ...about, functionName: 'quorum' }),
  ])
  if (jurors === undefined || quorum === undefined) return { kind: 'contract', ...nothing }
  return { kind: 'jury', profile: null, jurors: jurors.slice(0, MAX_JURORS).map(low), quorum }
}
