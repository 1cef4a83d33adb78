import { type AbiFunction, decodeFunctionData, type Hex, parseAbi } from 'viem'

/** Functions that Agents usually call, with names for their arguments. */
export const KNOWN_FUNCTIONS = [
  'function submitFulfillment(uint256 tokenId, bytes32 resultHash, string resultURI)',
  'function claimUnjudged(uint256 tokenId, uint256 submissionId)',
  'function withdrawCredit(uint256 tokenId, address creditor)',
  'function reclaimEscrow(uint256 tokenId)',
  'function fundTask(uint256 tokenId, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
  'function deposit(uint256 assets, address receiver)',
  'function withdraw(uint256 assets, address receiver, address owner)',
  'function redeem(uint256 shares, address receiver, address owner)',
] as const

const abi: readonly AbiFunction[] = parseAbi(KNOWN_FUNCTIONS)

/** Longest argument that is written out. */
const SHOWN = 80

/** Call data in words, `submitFulfillment(tokenId 2, …)`; undefined for a function that is not known here. */
export function describeCall(data: string): string | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data: data as Hex })
    const { inputs = [] } = abi.find(({ name }) => name === functionName) ?? {}
    const words = inputs.map(({ name }, index) => `${name} ${cut(String(args?.[index]))}`)
    return `${functionName}(${words.join(', ')})`
  } catch {
    return undefined
  }
}

function cut(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
