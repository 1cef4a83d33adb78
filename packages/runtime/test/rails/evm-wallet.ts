import { isEvmAddress } from '@oikos/core/economic'
import { bytesToHex, hexToBytes, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { WalletCustody } from '../../src/economic/host.ts'
import { suitePolicy, suiteSource } from './proposal.ts'
import type { RailUnderTest } from './rail-under-test.ts'

/** A key that stands in these files, so that nothing that it holds has value. */
const KEY = `0x${'5a'.repeat(32)}` as const

/** The account of the EVM suites. */
export const suiteAccount = privateKeyToAccount(KEY)
/** Its address as documents spell it. */
export const suiteAddress = evmAddress(suiteAccount.address.toLowerCase())
/** Who is paid in the EVM suites. */
export const suiteRecipient = evmAddress(`0x${'c0ffee'.padStart(40, '7')}`)
/** What each payment pays, wei. */
export const SUITE_AMOUNT = 1_000_000_000_000n
/** What a payment may cost at most, wei: 21,000 gas at 7 gwei. */
const SUITE_MAX_FEE = 147_000_000_000_000n

/** Signs unsigned transfers of the suites. */
const evmCustody: WalletCustody = {
  sign: async ({ unsignedTransaction }, sink) => {
    const transaction = parseTransaction(bytesToHex(unsignedTransaction))
    sink.push(hexToBytes(await suiteAccount.signTransaction(transaction as never)))
    return 'succeeded'
  },
}

/** What all EVM rails under test have in common. */
export const evmProposals = {
  rail: 'evm',
  strangerId: `0x${'ab'.repeat(32)}`,
  policy: suitePolicy('evm', {
    recipient: suiteRecipient,
    maxAmountAtomic: SUITE_AMOUNT,
    maxFeeAtomic: SUITE_MAX_FEE,
  }),
  source: (payment) =>
    suiteSource(payment, {
      kind: 'evm',
      network: 'sepolia',
      asset: 'native:eth',
      recipient: suiteRecipient,
      amount_atomic: SUITE_AMOUNT,
      max_fee_atomic: SUITE_MAX_FEE,
    }),
  custody: evmCustody,
  clockMs: () => BigInt(Date.now()),
} as const satisfies Partial<RailUnderTest>

function evmAddress(text: string) {
  if (!isEvmAddress(text)) throw new TypeError(`suite: got ${text}, expected 0x and 40 lower-case digits`)
  return text
}
