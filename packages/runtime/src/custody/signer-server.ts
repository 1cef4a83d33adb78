import { chmod, lstat, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { CustodyError, type CustodyFailureListener } from './errors.ts'
import { readLine } from './line-socket.ts'
import { preparePrivateFolder } from './private-files.ts'
import { MAX_LINE_BYTES, readCall, renderAnswer, type SignerAnswer } from './signer-protocol.ts'
import type { Vault } from './vault.ts'

/** How a signer is served. */
export type SignerServerOptions = {
  readonly vault: Vault
  /** A path in a folder that only its owner can enter; the folder is made when it is missing. */
  readonly socketPath: string
  /** From the connection to the whole request. Default 10,000 ms. */
  readonly timeoutMs?: number
  readonly onFailure?: CustodyFailureListener
}

/** A signer that serves. */
export type SignerServer = { readonly socketPath: string; readonly close: () => Promise<void> }

/** Connections at once; further ones wait. */
const MAX_CONNECTIONS = 32
const DEFAULT_TIMEOUT_MS = 10_000

/**
 * Serves a vault on a Unix socket that only its owner can reach. The vault's rules and its memory are the protection:
 * whoever reaches the socket can have signed what the allow list has, once for each approval. Throws {@link CustodyError}
 * when the path is taken or open to others.
 */
export async function startSignerServer(options: SignerServerOptions): Promise<SignerServer> {
  const { vault, socketPath, timeoutMs = DEFAULT_TIMEOUT_MS, onFailure } = options
  await preparePrivateFolder(dirname(socketPath))
  await removeStaleSocket(socketPath)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A client that goes away is no failure of the signer.
    socket.on('error', () => {})
    void serveOne(socket, vault, timeoutMs, onFailure)
  })
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, socketPath)
  await chmod(socketPath, 0o600)
  return {
    socketPath,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

async function serveOne(
  socket: Socket,
  vault: Vault,
  timeoutMs: number,
  onFailure: CustodyFailureListener | undefined,
): Promise<void> {
  const read = await readLine(socket, { timeoutMs, maxBytes: MAX_LINE_BYTES })
  if ('fault' in read) {
    socket.destroy()
    return
  }
  const answer = await answerTo(read.line, vault)
  if ('error' in answer) onFailure?.(answer.error)
  socket.end(renderAnswer(answer))
}

async function answerTo(line: string, vault: Vault): Promise<SignerAnswer> {
  try {
    const call = readCall(line)
    if (call.call === 'sign') return { signed: await vault.sign(call.request) }
    return { proof: await vault.prove(call.request) }
  } catch (cause) {
    if (cause instanceof CustodyError) return { error: cause }
    // Nothing of an unforeseen failure goes over the socket.
    return { error: new CustodyError('record_failed', 'the signer failed', { disposition: 'failed_uncertain' }) }
  }
}

/** A socket that nobody serves is left over from a signer that was killed. */
async function removeStaleSocket(path: string): Promise<void> {
  const status = await lstat(path).catch(() => undefined)
  if (status === undefined) return
  if (!status.isSocket()) throw new CustodyError('file_malformed', `${path} exists and is no socket`)
  const isServed = await new Promise<boolean>((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
  if (isServed) throw new CustodyError('file_malformed', `${path} is served by another signer`)
  await rm(path, { force: true })
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new CustodyError('file_malformed', `${path} cannot be listened on`, { cause })),
    )
    server.listen(path, resolve)
  })
}
