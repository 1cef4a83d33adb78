import { decodeSolanaMessage, decodeSolanaSigned, isTransactionId, readSigned } from '@oikos/core/economic'
import {
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createSignerFromKeyPair,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterEach, describe, expect, test } from 'vitest'
import { startBalancer } from '../../../test/chains/json-rpc-server.ts'
import { makeSolanaRail, type SolanaSetup, type SolanaUnderTest } from '../../../test/chains/solana/under-test.ts'
import { ask, completeMemory, createLab, type Lab } from '../../../test/rails/lab.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import type { SolanaObservation } from './context.ts'
import { createSolanaRail } from './rail.ts'

const opened: { readonly lab: Lab; readonly rail: SolanaUnderTest }[] = []
afterEach(async () => {
  for (const { lab, rail } of opened.splice(0)) {
    await lab.clean()
    await rail.close()
  }
})
async function start(setup: SolanaSetup = {}) {
  const observations: SolanaObservation[] = []
  const onObservation = (observation: SolanaObservation): void => {
    observations.push(observation)
  }
  const rail = await makeSolanaRail({ ...setup, rail: { onObservation, ...setup.rail } })
  const lab = createLab(rail)
  opened.push({ lab, rail })
  return { rail, lab, ledger: rail.ledger, reason: () => observations.at(-1)?.reason }
}
const finalized = { ledger: { confirmedLag: 1n, finalizedLag: 31n }, rail: { finality: 'finalized' } } as const

describe('commitment', () => {
  test('processed is pending without a block, confirmed is pending with one, finalized is confirmed', async () => {
    const { rail, lab, ledger } = await start(finalized)
    const adapter = await lab.open()
    const payment = await lab.prepare(adapter)
    await lab.broadcast(adapter, payment)
    ledger.produce()
    const height = ledger.blockAt('processed').height
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'pending', canonical_block_id: null })
    ledger.produce()
    const { blockhash } = ledger.blockAt('confirmed')
    expect(await lab.observe(adapter, payment)).toMatchObject({
      ...{ status: 'pending', observed_height: height, canonical_block_id: blockhash, confirmations: 1n },
    })
    ledger.produce(29)
    expect(await lab.status(adapter, payment)).toBe('pending')
    ledger.produce()
    expect(await lab.observe(adapter, payment)).toMatchObject({
      ...{ status: 'confirmed', observed_height: height, canonical_block_id: blockhash, confirmations: 31n },
    })
    expect(await rail.chain.countPayments()).toBe(1)
  })

  test('heights count blocks, not slots: empty slots confirm nothing', async () => {
    const { lab, ledger } = await start()
    const adapter = await lab.open({ confirmationTarget: 3 })
    const payment = await lab.prepare(adapter)
    await lab.broadcast(adapter, payment)
    ledger.produce()
    ledger.skip(500n)
    ledger.produce()
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'pending', confirmations: 2n })
    ledger.produce()
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'confirmed', confirmations: 3n })
  })

  test('a block that was only processed leaves no trace: pending, not reorged', async () => {
    const { lab, ledger, reason } = await start(finalized)
    const adapter = await lab.open({ sent: completeMemory() })
    const payment = await lab.prepare(adapter)
    await lab.broadcast(adapter, payment)
    ledger.produce()
    expect(await lab.status(adapter, payment)).toBe('pending')
    ledger.rollback(1, 'are lost')
    ledger.produce(3)
    expect([await lab.status(adapter, payment), reason()]).toEqual(['pending', 'not-seen'])
  })
})

describe('blockhash expiry', () => {
  test('pending to the last block that may hold the payment, dropped when the block after it is final', async () => {
    const { rail, lab, ledger, reason } = await start(finalized)
    const sent = completeMemory()
    const adapter = await lab.open({ sent })
    const payment = await lab.prepare(adapter)
    ledger.setLeader('refuses')
    await lab.broadcast(adapter, payment)
    const { state } = payment.snapshot.document
    const last = 'last_valid_block_height' in state ? state.last_valid_block_height : 0n
    ledger.produce(Number(last - ledger.blockAt('finalized').height))
    expect([await lab.status(adapter, payment), reason()]).toEqual(['pending', 'not-seen'])
    ledger.produce()
    expect(ledger.blockAt('finalized').height).toBe(last + 1n)
    expect([await lab.status(adapter, payment), reason()]).toEqual(['dropped', 'expired'])
    expect(await lab.status(await lab.open({ sent }), payment)).toBe('dropped')
    ledger.setLeader('includes')
    ledger.produce()
    expect(await rail.chain.countPayments()).toBe(0)
  })

  test('a payment in the last possible block is confirmed, however late it is looked for', async () => {
    const { lab, ledger } = await start(finalized)
    const adapter = await lab.open({ sent: completeMemory() })
    const payment = await lab.prepare(adapter)
    ledger.setLeader('refuses')
    await lab.broadcast(adapter, payment)
    const { state } = payment.snapshot.document
    const last = 'last_valid_block_height' in state ? state.last_valid_block_height : 0n
    ledger.produce(Number(last - 1n - ledger.blockAt('processed').height))
    ledger.setLeader('includes')
    ledger.produce(400)
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'confirmed', observed_height: last })
  })

  test('a node whose history begins later is no evidence', async () => {
    let first = 0n
    const { lab, ledger, reason } = await start({ node: { firstAvailableSlot: () => first } })
    const adapter = await lab.open({ sent: completeMemory() })
    const payment = await lab.prepare(adapter)
    await lab.broadcast(adapter, payment)
    ledger.dropPool()
    ledger.produce(200)
    first = ledger.blockAt('processed').slot - 10n
    expect([await lab.status(adapter, payment), reason()]).toEqual(['pending', 'not-seen'])
    first = 0n
    expect(await lab.status(adapter, payment)).toBe('dropped')
  })

  test('a balancer whose nodes differ is no evidence: the one that was asked for the payment is behind', async () => {
    const { rail, lab, ledger } = await start()
    const balancer = await startBalancer(rail.url, rail.behindUrl, ['getSignatureStatuses'])
    try {
      const sent = completeMemory()
      const adapter = await lab.open({ sent })
      const payment = await lab.prepare(adapter)
      await lab.broadcast(adapter, payment)
      ledger.produce(200)
      const account = rail.wallet.address
      const balanced = createSolanaRail({ endpoints: [balancer.url], account, sent, finality: 'confirmed' })
      expect(await lab.status(balanced, payment)).toBe('pending')
      balanced.close()
      expect(await lab.status(adapter, payment)).toBe('confirmed')
    } finally {
      await balancer.close()
    }
  })

  test('a rail that did not take the snapshot gives the blockhash its longest life', async () => {
    const { lab, ledger } = await start()
    const payment = await lab.prepare(await lab.open())
    ledger.produce(20)
    const adapter = await lab.open({ sent: completeMemory() })
    await lab.broadcast(adapter, payment)
    ledger.dropPool()
    ledger.produce(150)
    expect(await lab.status(adapter, payment)).toBe('pending')
    ledger.produce(1)
    expect(await lab.status(adapter, payment)).toBe('dropped')
  })
})

describe('outcomes in a block', () => {
  test('a transfer that fails there has paid its fee and nothing else: dropped with its block', async () => {
    const { rail, lab, ledger, reason } = await start()
    const adapter = await lab.open()
    const payment = await lab.prepare(adapter)
    await lab.broadcast(adapter, payment)
    await rail.chain.drainWallet()
    ledger.produce()
    expect(await lab.observe(adapter, payment)).toMatchObject({ status: 'dropped', confirmations: 1n })
    expect(reason()).toBe('failed')
    expect(await rail.chain.countPayments()).toBe(0)
  })

  test('refused in the trial run of the node: rejected; sent before by anyone: unknown', async () => {
    const { rail, lab } = await start()
    const sent = createMemorySentTransactions()
    const adapter = await lab.open({ sent })
    const payment = await lab.prepare(adapter)
    await rail.chain.drainWallet()
    expect((await lab.broadcast(adapter, payment)).disposition).toBe('rejected')
    expect((await lab.broadcast(adapter, payment)).disposition).toBe('unknown')
  })

  test('a signature that does not hold is refused before anything is asked', async () => {
    const { rail, lab } = await start()
    const adapter = await lab.open()
    const { signed } = await lab.prepare(adapter)
    const broadcasts = rail.countBroadcasts()
    const bytes = Uint8Array.from(signed.bytes, (byte, index) => (index === 10 ? byte ^ 1 : byte))
    expect(await ask((sink) => adapter.broadcast(bytes, sink))).toEqual({ disposition: 'policy_rejected', pushes: [] })
    expect(rail.countBroadcasts()).toBe(broadcasts)
  })
})

describe('equal payments', () => {
  test('each gets a blockhash of its own, so that each is a transaction of its own', async () => {
    const { rail, lab, ledger } = await start()
    const sent = createMemorySentTransactions()
    const payments = []
    for (let index = 0; index < 10; index += 1) payments.push(await lab.prepare(await lab.open({ sent })))
    expect(new Set(payments.map(({ signed }) => signed.transactionId)).size).toBe(10)
    for (const payment of payments) await lab.broadcast(await lab.open({ sent }), payment)
    ledger.produce()
    expect(await rail.chain.countPayments()).toBe(10)
  })

  test('one intent gets the same again', async () => {
    const { lab } = await start()
    const adapter = await lab.open()
    const payment = lab.newPayment()
    const [first, second] = [await lab.plan(adapter, payment), await lab.plan(adapter, payment)]
    expect(second.built.digest).toBe(first.built.digest)
  })

  test('an older blockhash shortens the snapshot, and the 34th equal payment is refused', async () => {
    const { lab, ledger } = await start()
    ledger.produce(100)
    const adapter = await lab.open()
    const lives = []
    for (let index = 0; index < 33; index += 1) {
      const { snapshot } = await lab.plan(adapter)
      lives.push(snapshot.document.expires_at_ms - snapshot.document.observed_at_ms)
    }
    expect([lives[0], lives[32]]).toEqual([49_950n, 118n * 333n])
    const intent = lab.intentOf(lab.newPayment())
    expect((await ask((sink) => adapter.snapshot(intent, sink))).disposition).toBe('policy_rejected')
    ledger.produce()
    await lab.plan(adapter)
  })
})

describe('against @solana/kit', () => {
  test('what the library builds, signs and names is what the rail sends and the core decodes', async () => {
    const { rail, lab, ledger } = await start()
    const adapter = await lab.open({ sent: completeMemory() })
    const signer = await createSignerFromKeyPair(rail.wallet.keys)
    const { built, snapshot } = await lab.plan(adapter)
    const { accounts, instructions } = decodeSolanaMessage(built.bytes)
    const recipient = address(accounts[1] ?? '')
    const { state } = snapshot.document
    const blockhash = ('recent_blockhash' in state ? state.recent_blockhash : '') as Blockhash
    const message = appendTransactionMessageInstructions(
      [
        getSetComputeUnitLimitInstruction({ units: 10_000 }),
        getSetComputeUnitPriceInstruction({ microLamports: 100_000n }),
        getTransferSolInstruction({ source: signer, destination: recipient, amount: 2_000_000n }),
      ],
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash, lastValidBlockHeight: 2000n },
        setTransactionMessageFeePayerSigner(signer, createTransactionMessage({ version: 0 })),
      ),
    )
    const transaction = await signTransactionMessageWithSigners(message)
    const wire = new Uint8Array(Buffer.from(getBase64EncodedWireTransaction(transaction), 'base64'))
    const theirs = decodeSolanaMessage(decodeSolanaSigned(wire).message)
    expect(theirs.instructions).toEqual(instructions)
    expect(theirs.accounts.toSorted()).toEqual(accounts.toSorted())
    const { disposition } = await ask((sink) => adapter.broadcast(wire, sink))
    ledger.produce()
    expect([disposition, await rail.chain.countPayments()]).toEqual(['succeeded', 1])
  })

  test('what the rail sent is what the library reads from the chain, byte for byte', async () => {
    const { rail, lab, ledger } = await start()
    const adapter = await lab.open()
    const { signed, built } = await lab.prepare(adapter)
    await ask((sink) => adapter.broadcast(signed.bytes, sink))
    ledger.produce()
    const rpc = createSolanaRpc(rail.url)
    const found = await rpc
      .getTransaction(signed.transactionId as string as Signature, {
        ...{ encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 },
      })
      .send()
    const bytes = Buffer.from(found?.transaction[0] ?? '', 'base64')
    expect(bytes.equals(signed.bytes)).toBe(true)
    expect(found?.meta?.fee).toBe(6_000n)
    expect(Buffer.from(getTransactionDecoder().decode(bytes).messageBytes).equals(built.bytes)).toBe(true)
    expect(isTransactionId('solana', signed.transactionId)).toBe(true)
    expect(readSigned(bytes, built, { max_signed_transaction_bytes: 2000n } as never).transactionId).toBe(
      signed.transactionId,
    )
  })
})
