import {
  type Abi,
  type Address,
  type Client,
  encodeAbiParameters,
  encodeEventTopics,
  getAddress,
  type Hex,
  toHex,
} from 'viem'
import { sendTransaction, waitForTransactionReceipt } from 'viem/actions'

/** A log as a hostile contract writes it. */
export type RawLog = { readonly topics: readonly Hex[]; readonly data: Hex }

/** Longest creation code of the chain. Source: EIP-3860. */
const MAX_CREATION_BYTES = 49_152

const push = (bytes: Hex): string => {
  const digits = bytes.slice(2)
  return (0x60 + digits.length / 2 - 1).toString(16) + digits
}

/** Code that ends at once, whatever is asked. */
export const ANSWERS_NOTHING: Hex = '0x00'
/** Code that burns all gas of whoever asks. */
export const BURNS_GAS: Hex = '0x5b600056'
/** Code that answers with 100,000 zero bytes. */
export const ANSWERS_MUCH: Hex = '0x620186a06000f3'

/** Creation code that writes these logs and leaves `runtime` as the code of the contract. */
function creationOf(logs: readonly RawLog[], runtime: Hex): Hex {
  let code = ''
  for (const { topics, data } of logs) {
    const digits = data.slice(2)
    for (let at = 0; at < digits.length; at += 64) {
      code += `${push(`0x${digits.slice(at, at + 64).padEnd(64, '0')}`)}${push(toHex(at / 2, { size: 3 }))}52`
    }
    for (const topic of [...topics].reverse()) code += push(topic)
    code += `${push(toHex(digits.length / 2, { size: 3 }))}6000${(0xa0 + topics.length).toString(16)}`
  }
  const digits = runtime.slice(2)
  const word = digits.padEnd(64, '0')
  code += `${push(`0x${word}`)}600052${push(toHex(digits.length / 2, { size: 1 }))}6000f3`
  if (code.length / 2 > MAX_CREATION_BYTES) throw new Error(`${code.length / 2} bytes of creation code`)
  return `0x${code}`
}

/** An event as an ABI has it, with any arguments; `data` replaces what would be encoded. */
export function logOf(abi: Abi, eventName: string, args: Readonly<Record<string, unknown>>, data?: Hex): RawLog {
  const item = abi.find((entry) => entry.type === 'event' && entry.name === eventName)
  if (item?.type !== 'event') throw new Error(`no event ${eventName}`)
  const plain = item.inputs.filter(({ indexed }) => indexed !== true)
  const encoded = encodeAbiParameters(
    plain,
    plain.map(({ name }) => args[name ?? '']),
  )
  return { topics: encodeEventTopics({ abi, eventName, args } as never) as Hex[], data: data ?? encoded }
}

/** Creates a contract that writes the logs in its creation. */
export async function writeLogs(client: Client, logs: readonly RawLog[], runtime: Hex): Promise<Address> {
  const hash = await sendTransaction(client, {
    data: creationOf(logs, runtime),
    chain: null,
    gas: 20_000_000n,
  } as never)
  const { contractAddress, status } = await waitForTransactionReceipt(client, { hash })
  if (contractAddress === null || contractAddress === undefined || status !== 'success') throw new Error('not created')
  return getAddress(contractAddress)
}
