import { bitcoinTxid, decodeBitcoinTransaction, isBitcoinAddress } from '@oikos/core/economic'
import { p2wpkh, p2wsh, Transaction } from '@scure/btc-signer'
import { pubECDSA } from '@scure/btc-signer/utils.js'
import { getBase58Decoder } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { keyOf, transactionIdOf } from '../../../test/payer.ts'
import { unsignedTransfer } from '../../../test/unsigned-transfer.ts'
import { REGTEST_ADDRESSES } from '../networks.ts'
import type { NodeReader, NodeValue } from './lookup.ts'
import { createBitcoinLookup } from './lookup-bitcoin.ts'
import { createEvmLookup } from './lookup-evm.ts'
import { createSolanaLookup } from './lookup-solana.ts'

/** A node that answers each method as told. */
function nodeOf(answers: Readonly<Record<string, unknown>>): NodeReader {
  return {
    read: async (method, params: readonly NodeValue[]) => {
      const answer = answers[method]
      return typeof answer === 'function' ? answer(params) : answer
    },
  }
}

const badAnswer = expect.objectContaining({ name: 'NodeAnswerError', retryable: true })

describe('on EVM', () => {
  const id = transactionIdOf('evm', 1)
  const [payer, recipient] = [keyOf('evm', 5).address, keyOf('evm', 9).address]
  const good = {
    eth_chainId: '0xaa36a7',
    eth_getTransactionByHash: { hash: id, from: payer, to: recipient, value: '0x3e8', input: '0x' },
    eth_getTransactionReceipt: { blockNumber: '0xa', blockHash: '0xb10c', status: '0x1' },
    eth_getBlockByNumber: { hash: '0xb10c', timestamp: '0x5' },
    eth_blockNumber: '0xc',
  }
  const look = (changes: object = {}) => createEvmLookup(nodeOf({ ...good, ...changes }))(id, recipient)

  test('a transfer has payer, recipient, amount, confirmations and time', async () => {
    expect(await look()).toEqual({
      status: 'transferred',
      transfer: { payer, recipient, amountAtomic: 1_000n, confirmations: 3, blockTimeMs: 5_000 },
    })
  })

  test.each([
    ['unknown', { eth_getTransactionByHash: null }],
    ['pending', { eth_getTransactionReceipt: null }],
    ['pending', { eth_getBlockByNumber: { hash: '0xother', timestamp: '0x5' } }],
    ['failed', { eth_getTransactionReceipt: { ...good.eth_getTransactionReceipt, status: '0x0' } }],
    ['other', { eth_getTransactionByHash: { ...good.eth_getTransactionByHash, input: '0xa9059cbb' } }],
    ['other', { eth_getTransactionByHash: { ...good.eth_getTransactionByHash, to: null } }],
    ['other', { eth_getTransactionByHash: { ...good.eth_getTransactionByHash, hash: transactionIdOf('evm', 2) } }],
  ])('%s (row %#)', async (status, changes) => {
    expect(await look(changes)).toEqual({ status })
  })

  test('a node that is a block late confirms once', async () => {
    expect(await look({ eth_blockNumber: '0x9' })).toMatchObject({ transfer: { confirmations: 1 } })
  })

  test.each([
    ['another chain', { eth_chainId: '0x1' }],
    ['no chain', { eth_chainId: 11155111 }],
    [
      'a value that is no quantity',
      { eth_getTransactionByHash: { ...good.eth_getTransactionByHash, value: '0x03e8' } },
    ],
    ['a transaction that is a text', { eth_getTransactionByHash: 'yes' }],
    ['no block', { eth_getBlockByNumber: null }],
  ])('%s is no answer', async (_what, changes) => {
    await expect(look(changes)).rejects.toEqual(badAnswer)
  })
})

describe('on Solana', () => {
  const [payer, recipient] = [keyOf('solana', 5), keyOf('solana', 9).address]
  const transfer = unsignedTransfer({ rail: 'solana', from: payer.address, to: recipient, amountAtomic: 1_000n })

  async function look(changes: object = {}, wire?: Uint8Array, meta: object = { err: null }) {
    const signed = wire ?? (await payer.signTransaction(transfer.bytes))
    const id = getBase58Decoder().decode(signed.subarray(1, 65))
    const answers = {
      getGenesisHash: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
      getTransaction: { meta, blockTime: 5n, transaction: [Buffer.from(signed).toString('base64'), 'base64'] },
      getSignatureStatuses: { value: [{ confirmations: 2n }] },
      ...changes,
    }
    return createSolanaLookup(nodeOf(answers))(id, recipient)
  }

  test('a transfer has payer, recipient, amount, confirmations and time', async () => {
    expect(await look()).toEqual({
      status: 'transferred',
      transfer: { payer: payer.address, recipient, amountAtomic: 1_000n, confirmations: 3, blockTimeMs: 5_000 },
    })
    expect(await look({ getSignatureStatuses: { value: [{ confirmations: null }] } })).toMatchObject({
      transfer: { confirmations: 32 },
    })
  })

  test('what has failed, is not there, or lost its status', async () => {
    expect(await look({}, undefined, { err: { InstructionError: [2, 'Custom'] } })).toEqual({ status: 'failed' })
    expect(await look({ getTransaction: null })).toEqual({ status: 'unknown' })
    expect(await look({ getSignatureStatuses: { value: [null] } })).toEqual({ status: 'pending' })
  })

  test('a transfer to somebody else, from another signature, or of another form is no transfer to the recipient', async () => {
    const to = keyOf('solana', 8).address
    const elsewhere = unsignedTransfer({ rail: 'solana', from: payer.address, to, amountAtomic: 1_000n })
    expect(await look({}, await payer.signTransaction(elsewhere.bytes))).toEqual({ status: 'other' })
    // A second transfer behind the first, a legacy message, and bytes that are none.
    const changed = (change: (bytes: Uint8Array) => Uint8Array) =>
      Uint8Array.from([1, ...new Uint8Array(64), ...change(transfer.bytes)])
    expect(
      await look(
        {},
        changed((bytes) => bytes.slice(1)),
      ),
    ).toEqual({ status: 'other' })
    expect(
      await look(
        {},
        changed((bytes) => bytes.slice(0, 40)),
      ),
    ).toEqual({ status: 'other' })
    const nonce = Uint8Array.from(transfer.bytes)
    // The instruction number of the System Program: 4 is no transfer.
    nonce[nonce.length - 13] = 4
    expect(await look({}, Uint8Array.from([1, ...new Uint8Array(64), ...nonce]))).toEqual({ status: 'other' })
  })

  test.each([
    ['mainnet', { getGenesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }],
    ['a time that is missing', { getTransaction: undefined }],
    ['statuses that are none', { getSignatureStatuses: null }],
  ])('%s is no answer', async (_what, changes) => {
    await expect(look(changes)).rejects.toEqual(badAnswer)
  })
})

describe('on Bitcoin', () => {
  const payer = keyOf('bitcoin', 5)
  const { address: recipient } = keyOf('bitcoin', 9)
  const genesis = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'
  const transfer = () =>
    payer.signTransaction(
      unsignedTransfer({ rail: 'bitcoin', from: payer.address, to: recipient, amountAtomic: 1_000n }).bytes,
    )

  async function look(
    signed: Uint8Array,
    changes: object = {},
    id = bitcoinTxid(decodeBitcoinTransaction(signed).base),
  ) {
    const answers = {
      getblockhash: genesis,
      getrawtransaction: { hex: Buffer.from(signed).toString('hex'), blockhash: 'b10c' },
      getblockheader: { confirmations: 3n, time: 5n },
      ...changes,
    }
    return createBitcoinLookup(nodeOf(answers))(id, recipient)
  }

  test('a transfer has payer, recipient, amount, confirmations and time', async () => {
    expect(await look(await transfer())).toEqual({
      status: 'transferred',
      transfer: { payer: payer.address, recipient, amountAtomic: 1_000n, confirmations: 3, blockTimeMs: 5_000 },
    })
  })

  test('what waits, was taken back, or is not known', async () => {
    const signed = await transfer()
    expect(await look(signed, { getrawtransaction: { hex: '' } })).toEqual({ status: 'pending' })
    expect(await look(signed, { getblockheader: { confirmations: -1n, time: 5n } })).toEqual({ status: 'pending' })
    const unknown = () => {
      throw Object.assign(new Error('No such mempool or blockchain transaction'), { code: -5n })
    }
    expect(await look(signed, { getrawtransaction: unknown })).toEqual({ status: 'unknown' })
    const busy = () => {
      throw Object.assign(new Error('Loading block index'), { code: -28n })
    }
    await expect(look(signed, { getrawtransaction: busy })).rejects.toThrow('Loading')
  })

  test('another transaction than was asked for', async () => {
    expect(await look(await transfer(), {}, 'ab'.repeat(32))).toEqual({ status: 'other' })
  })

  /** Spends one coin of each key to some addresses. */
  function spend(seeds: readonly number[], to: readonly (readonly [string, bigint])[]) {
    const transaction = new Transaction()
    seeds.forEach((seed, index) => {
      const { script } = p2wpkh(pubECDSA(new Uint8Array(32).fill(seed)), REGTEST_ADDRESSES)
      transaction.addInput({ txid: 'cd'.repeat(32), index, witnessUtxo: { script, amount: 50_000n } })
    })
    for (const [address, amount] of to) transaction.addOutputAddress(address, amount, REGTEST_ADDRESSES)
    for (const seed of new Set(seeds)) transaction.sign(new Uint8Array(32).fill(seed))
    transaction.finalize()
    return transaction.extract()
  }

  test('inputs of two wallets have no one payer', async () => {
    expect(await look(spend([5, 6], [[recipient, 1_000n]]))).toEqual({ status: 'other' })
    expect(await look(spend([5, 5], [[recipient, 1_000n]]))).toMatchObject({ transfer: { payer: payer.address } })
  })

  test('two outputs to the recipient, or none, are no payment of one amount', async () => {
    const other = keyOf('bitcoin', 8).address
    expect(
      await look(
        spend(
          [5],
          [
            [recipient, 1_000n],
            [recipient, 1_000n],
          ],
        ),
      ),
    ).toEqual({ status: 'other' })
    expect(await look(spend([5], [[other, 1_000n]]))).toEqual({ status: 'other' })
  })

  test('a script of a wallet of another kind is nobody that could prove anything', async () => {
    const key = new Uint8Array(32).fill(5)
    const script = p2wsh({ type: 'pk', script: Uint8Array.of(33, ...pubECDSA(key), 0xac) } as never, REGTEST_ADDRESSES)
    const transaction = new Transaction()
    transaction.addInput({
      txid: 'cd'.repeat(32),
      index: 0,
      witnessUtxo: { script: script.script, amount: 50_000n },
      ...(script.witnessScript === undefined ? {} : { witnessScript: script.witnessScript }),
    })
    transaction.addOutputAddress(recipient, 1_000n, REGTEST_ADDRESSES)
    transaction.sign(key)
    transaction.finalize()
    expect(await look(transaction.extract())).toEqual({ status: 'other' })
  })

  test.each([
    ['another chain', { getblockhash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f' }],
    ['a header without time', { getblockheader: { confirmations: 3n } }],
    ['a text in place of the transaction', { getrawtransaction: 'hex' }],
  ])('%s is no answer', async (_what, changes) => {
    await expect(look(await transfer(), changes)).rejects.toEqual(badAnswer)
  })

  test('a recipient of another rail is paid by nothing here', async () => {
    expect(isBitcoinAddress(keyOf('evm', 9).address)).toBe(false)
    const lookup = createBitcoinLookup(nodeOf({ getblockhash: genesis }))
    expect(await lookup('ab'.repeat(32), keyOf('evm', 9).address)).toEqual({ status: 'other' })
  })
})
