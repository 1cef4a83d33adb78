import { chmod, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { RAIL_NETWORKS, RAILS } from '@oikos/core/economic'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runChild } from '../../test/child-process.ts'
import { makeCustodyFolder, PASSPHRASE, payeeOf, requestOf, transferOf, WALLET } from '../../test/custody-folder.ts'
import { keyOf } from '../../test/payer.ts'
import { SIGNER_PROGRAM } from '../../test/signer-child.ts'
import { createInvoiceIssuer } from '../x402/paid-by-transaction/issuer.ts'
import { verifyPaymentProof } from '../x402/paid-by-transaction/proof.ts'
import { openRailKey } from './rail-key.ts'
import { createSignerClient } from './signer-client.ts'
import { runSignerProcess } from './signer-process.ts'
import { renderAnswer } from './signer-protocol.ts'
import { type SignerServer, startSignerServer } from './signer-server.ts'

let folder: string
let remove: () => Promise<void>
let socketPath: string
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  const made = await makeCustodyFolder(RAILS)
  folder = made.folder
  remove = made.remove
  socketPath = join(folder, 'signer', 'socket')
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await remove()
})

const wallets = RAILS.map((rail) => ({
  walletId: WALLET,
  rail,
  network: RAIL_NETWORKS[rail].network,
  address: keyOf(rail, 5).address,
}))
const clientOf = (timeoutMs = 2_000) => createSignerClient({ socketPath, wallets, timeoutMs })

const refusedWith = (code: string, disposition: string) =>
  expect.objectContaining({ name: 'CustodyError', code, disposition })

async function serve(): Promise<{ readonly server: SignerServer; readonly said: () => string }> {
  const said: string[] = []
  const server = await runSignerProcess({
    ...{ folder, socketPath, passphrase: PASSPHRASE },
    clockMs: () => Date.now(),
    onFailure: ({ code, message }) => said.push(`${code}: ${message}`),
  })
  closing.push(server.close)
  return { server, said: () => said.join('\n') }
}

function invoice(amountAtomic = 1_000n) {
  const issuer = createInvoiceIssuer({
    secrets: [new Uint8Array(32)],
    clockMs: () => 1_900_000_000_000,
    createNonce: () => 'a'.repeat(16),
  })
  const resource = 'https://market.example.org/data'
  return issuer.issue({
    rail: 'evm',
    amountAtomic,
    payTo: payeeOf('evm'),
    confirmations: 1,
    method: 'GET',
    resource,
    lifetimeSec: 60,
  })
}

describe('an external signer', () => {
  test.each(RAILS)('signs on %s over its socket as a vault does', async (rail) => {
    await serve()
    const request = requestOf(transferOf(rail))
    const signed = await clientOf().sign(request)
    expect(signed).toEqual(await keyOf(rail, 5).signTransaction(request.unsignedTransaction))
    expect(await clientOf().sign(request)).toEqual(signed)
    await expect(clientOf().sign(requestOf(transferOf(rail, 1)))).rejects.toEqual(
      refusedWith('already_signed', 'policy_rejected'),
    )
  })

  test('runs as a process of its own: the key is in no memory but its', async () => {
    const child = runChild(SIGNER_PROGRAM, folder, socketPath)
    child.process.stdin?.write(`${PASSPHRASE}\n`)
    await child.hasLines(1)
    expect(child.lines[0]).toEqual({ serving: socketPath })
    const signed = await clientOf().sign(requestOf(transferOf('solana')))
    expect(signed.length).toBeGreaterThan(64)
    child.process.kill('SIGKILL')
    await child.ended
    // Its socket is left over; the next signer takes the place, and remembers.
    await serve()
    expect(await clientOf().sign(requestOf(transferOf('solana')))).toEqual(signed)
  })

  test('proves payments, one invoice for a transaction', async () => {
    await serve()
    const signed = await clientOf().sign(requestOf(transferOf('evm')))
    const { keccak256 } = await import('viem')
    const request = {
      walletId: WALLET,
      transactionId: keccak256(signed),
      invoice: invoice(),
      paymentId: 'key_0123456789abcdef',
    }
    expect(await verifyPaymentProof(await clientOf().prove(request))).toBe(true)
    const another = { ...request, paymentId: 'key_fedcba9876543210' }
    await expect(clientOf().prove(another)).rejects.toEqual(refusedWith('proof_conflict', 'policy_rejected'))
  })

  test('tells the operator each refusal, and never a secret', async () => {
    const { said } = await serve()
    await expect(
      clientOf().sign({ ...requestOf(transferOf('evm')), unsignedTransactionDigest: `sha256:${'0'.repeat(64)}` }),
    ).rejects.toEqual(refusedWith('digest_mismatch', 'policy_rejected'))
    expect(said()).toContain('digest_mismatch')
    expect(said()).not.toContain(PASSPHRASE)
    expect(said()).not.toContain('0505')
  })

  test('listens where only its owner can reach it', async () => {
    const { server } = await serve()
    expect((await stat(server.socketPath)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'signer'))).mode & 0o777).toBe(0o700)
  })

  test('takes neither a socket that is served nor a file that is none', async () => {
    await serve()
    await expect(serve()).rejects.toEqual(refusedWith('file_malformed', 'definitely_not_started'))
    for (const close of closing.splice(0)) await close()
    await writeFile(socketPath, '')
    await expect(serve()).rejects.toEqual(refusedWith('file_malformed', 'definitely_not_started'))
  })

  test.each([
    '',
    '{}',
    'null',
    '[]',
    'x',
    '{"protocol":"oikos.signer.v1","call":"export"}',
    '{"protocol":"oikos.signer.v2"}',
  ])('answers the line "%s" with a refusal', async (line) => {
    await serve()
    expect(await say(`${line}\n`)).toContain('"code":"request_malformed"')
  })

  test('gives up a caller that says nothing, and one that says too much', async () => {
    const vault = { sign: never, prove: never }
    closing.push((await startSignerServer({ vault, socketPath, timeoutMs: 200 })).close)
    expect(await say('{"protocol"')).toBe('')
    expect(await say('x'.repeat(5_000_000))).toBe('')
  })

  test('an unforeseen failure in the vault does not tell what happened', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('secret 0505')
    }
    closing.push((await startSignerServer({ vault: { sign: fail, prove: fail }, socketPath })).close)
    const error: unknown = await clientOf()
      .sign(requestOf(transferOf('evm')))
      .catch((cause: unknown) => cause)
    expect(error).toMatchObject({ code: 'record_failed', disposition: 'failed_uncertain' })
    expect(String(error)).not.toContain('0505')
  })
})

describe('a client of a signer', () => {
  test('nobody serves: nothing left', async () => {
    await serve()
    await clientOf().probe()
    for (const close of closing.splice(0)) await close()
    await expect(clientOf().sign(requestOf(transferOf('evm')))).rejects.toEqual(
      refusedWith('signer_unreachable', 'definitely_not_started'),
    )
    await expect(clientOf().probe()).rejects.toEqual(refusedWith('signer_unreachable', 'definitely_not_started'))
  })

  test('a folder that others can enter is refused: anybody could serve there', async () => {
    await serve()
    await chmod(join(folder, 'signer'), 0o755)
    await expect(clientOf().sign(requestOf(transferOf('evm')))).rejects.toEqual(
      refusedWith('permissions', 'definitely_not_started'),
    )
  })

  test.each([
    ['says nothing', ''],
    ['closes', undefined],
    ['speaks another protocol', '{"signed":"00"}\n'],
    [
      'answers another question',
      renderAnswer({
        proof: { rail: 'evm', transactionId: '', invoice: 'sha256:', paymentId: '', payer: '', signature: '' },
      }),
    ],
    ['never ends its line', 'x'.repeat(5_000_000)],
  ])('a signer that %s may have signed', async (_what, answer) => {
    await pretend(answer)
    await expect(clientOf(300).sign(requestOf(transferOf('evm')))).rejects.toMatchObject({
      name: 'CustodyError',
      disposition: 'failed_uncertain',
    })
  })

  test('takes no signature of another key, and none over another transaction', async () => {
    for (const signed of [
      await openRailKey('evm', new Uint8Array(32).fill(6)).signTransaction(transferOf('evm').bytes),
      await keyOf('evm', 5).signTransaction(transferOf('evm', 1).bytes),
    ]) {
      await pretend(renderAnswer({ signed }))
      await expect(clientOf().sign(requestOf(transferOf('evm')))).rejects.toEqual(
        refusedWith('signature_invalid', 'failed_uncertain'),
      )
      for (const close of closing.splice(0)) await close()
    }
  })

  test('takes no proof that does not hold', async () => {
    await pretend(
      renderAnswer({
        proof: { rail: 'evm', transactionId: 'x', invoice: 'sha256:x', paymentId: 'x', payer: 'x', signature: '0x00' },
      }),
    )
    const request = {
      walletId: WALLET,
      transactionId: `0x${'00'.repeat(32)}`,
      invoice: invoice(),
      paymentId: 'key_0123456789abcdef',
    }
    await expect(clientOf().prove(request)).rejects.toEqual(refusedWith('signature_invalid', 'failed_uncertain'))
  })

  test('asks for no wallet that the operator did not name', async () => {
    await expect(clientOf().sign({ ...requestOf(transferOf('evm')), walletId: 'other' })).rejects.toEqual(
      refusedWith('wallet_unknown', 'policy_rejected'),
    )
  })
})

const never = (): Promise<never> => new Promise(() => {})

/** Sends text to the socket and gives everything that comes back. */
function say(text: string): Promise<string> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = []
    const socket = connect(socketPath)
    socket.on('data', (piece) => pieces.push(Buffer.from(piece)))
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()))
    socket.write(text)
  })
}

/** Serves the socket with one fixed answer to everybody; undefined closes at once. */
async function pretend(answer: string | undefined): Promise<void> {
  const { preparePrivateFolder } = await import('./private-files.ts')
  await preparePrivateFolder(join(folder, 'signer'))
  const sockets = new Set<{ destroy: () => void }>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (answer === undefined) socket.destroy()
    else socket.write(answer)
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  closing.push(
    () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
}
