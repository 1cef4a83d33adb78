import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { isRail, type Rail } from '@oikos/core/economic'
import { type PaymentProof, verifyPaymentProof } from '../x402/paid-by-transaction/proof.ts'
import { invoiceTermsDigest } from '../x402/paid-by-transaction/terms.ts'
import { CustodyError } from './errors.ts'
import { readLine } from './line-socket.ts'
import { assertPrivateFolder } from './private-files.ts'
import { MAX_LINE_BYTES, readAnswer, renderCall, type SignerAnswer, type SignerCall } from './signer-protocol.ts'
import { checkSigned, checkTransfer } from './transfer-check.ts'
import type { Vault } from './vault.ts'
import type { WalletDescription } from './wallets.ts'

/** How a signer is reached. */
export type SignerClientOptions = {
  readonly socketPath: string
  /** The wallets that the signer holds, as the operator knows them. Nothing of another address is taken from it. */
  readonly wallets: readonly WalletDescription[]
  /** From the connection to the whole answer. Default 10,000 ms. */
  readonly timeoutMs?: number
}

/** A vault in another process. */
export type SignerClient = Vault & {
  /** Connects and asks nothing, to find before a payment that nobody serves. Throws {@link CustodyError}. */
  readonly probe: () => Promise<void>
}

const DEFAULT_TIMEOUT_MS = 10_000

/**
 * A vault in another process, over its Unix socket: its keys never enter this one. What comes back is checked here again,
 * signature included. A failure after the request was sent is `failed_uncertain`. Throws {@link CustodyError}.
 */
export function createSignerClient(options: SignerClientOptions): SignerClient {
  const addressOf = (walletId: string, rail: Rail) => {
    const wallet = options.wallets.find((known) => known.walletId === walletId && known.rail === rail)
    if (wallet === undefined) throw new CustodyError('wallet_unknown', `${walletId} on ${rail}`)
    return wallet.address
  }
  return {
    probe: async () => {
      const socket = await reach(options)
      socket.destroy()
    },
    sign: async (request) => {
      if (!isRail(request.rail)) throw new CustodyError('request_malformed', `rail ${request.rail}`)
      const transfer = checkTransfer(
        request.rail,
        addressOf(request.walletId, request.rail),
        request.unsignedTransaction,
      )
      const answer = await ask({ call: 'sign', request }, options)
      if (!('signed' in answer)) throw malformedAnswer()
      try {
        checkSigned(transfer, answer.signed)
      } catch (cause) {
        if (!(cause instanceof CustodyError)) throw cause
        throw new CustodyError('signature_invalid', cause.message, { disposition: 'failed_uncertain', cause })
      }
      return answer.signed
    },
    prove: async (request) => {
      const payer = addressOf(request.walletId, request.invoice.rail)
      const answer = await ask({ call: 'prove', request }, options)
      if (!('proof' in answer)) throw malformedAnswer()
      const { transactionId, paymentId, invoice } = request
      const expected = { rail: invoice.rail, transactionId, invoice: invoiceTermsDigest(invoice), paymentId, payer }
      const proof: PaymentProof = { ...expected, signature: answer.proof.signature }
      if (await verifyPaymentProof(proof)) return proof
      throw new CustodyError('signature_invalid', 'the proof does not hold', { disposition: 'failed_uncertain' })
    },
  }
}

function malformedAnswer(): CustodyError {
  return new CustodyError('signer_malformed', 'another answer than was asked for', { disposition: 'failed_uncertain' })
}

async function ask(call: SignerCall, options: SignerClientOptions): Promise<Exclude<SignerAnswer, { error: unknown }>> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options
  const socket = await reach(options)
  try {
    socket.write(renderCall(call))
    const read = await readLine(socket, { timeoutMs, maxBytes: MAX_LINE_BYTES })
    if ('fault' in read)
      throw new CustodyError('signer_unreachable', `no answer: ${read.fault}`, { disposition: 'failed_uncertain' })
    const answer = readAnswer(read.line)
    if (answer === undefined) throw malformedAnswer()
    if ('error' in answer) throw answer.error
    return answer
  } finally {
    socket.destroy()
  }
}

async function reach({ socketPath, timeoutMs = DEFAULT_TIMEOUT_MS }: SignerClientOptions): Promise<Socket> {
  if (!existsSync(socketPath)) throw new CustodyError('signer_unreachable', `there is no socket ${socketPath}`)
  // Whoever could put a socket of its own there would be believed to be the signer.
  await assertPrivateFolder(dirname(socketPath))
  return open(socketPath, timeoutMs)
}

function open(path: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    const fail = (cause?: Error): void => {
      socket.destroy()
      reject(new CustodyError('signer_unreachable', `nobody serves ${path}`, { cause }))
    }
    const timer = setTimeout(fail, timeoutMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      // What goes wrong from here on ends the reading of the answer.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
