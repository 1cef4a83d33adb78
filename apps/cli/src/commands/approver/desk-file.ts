import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Identifier, isIdentifier } from '@oikos/core/economic'
import { NotFoundError, UsageError } from '../../errors.ts'

/** What whoever asks an approver must know: where it is, how to ask it, and whose answers to believe. */
export type DeskFile = {
  readonly questionsUrl: string
  /** Lets ask, never decide. */
  readonly askToken: string
  readonly approverId: Identifier
  /** ed25519, 64 hexadecimal digits. */
  readonly publicKey: string
}

const SCHEMA = 'oikos.approver-desk.v1'
const MAX_BYTES = 4_096
const OTHERS = 0o077

/** Writes the file anew, readable by its owner only. */
export async function writeDesk(path: string, desk: DeskFile): Promise<void> {
  await rm(path, { force: true })
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ schema: SCHEMA, ...desk }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads the file; one that others can change could name another approver. Throws NotFoundError, UsageError. */
export async function readDesk(cwd: string, path: string): Promise<DeskFile> {
  const malformed = new UsageError(
    `${JSON.stringify(path)} does not describe an approver.`,
    'It is the file that "approver serve" writes, and nobody but you can read it.',
  )
  const handle = await open(resolve(cwd, path), constants.O_RDONLY | constants.O_NOFOLLOW).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new NotFoundError(`There is no file ${JSON.stringify(path)}.`, 'Is the approver served?', { cause })
    throw malformed
  })
  try {
    const status = await handle.stat()
    if (!status.isFile() || status.size > MAX_BYTES || (status.mode & OTHERS) !== 0) throw malformed
    const value = parse(await handle.readFile('utf8'))
    const { schema, questionsUrl, askToken, approverId, publicKey } = value
    if (schema !== SCHEMA || typeof questionsUrl !== 'string' || typeof askToken !== 'string') throw malformed
    if (typeof approverId !== 'string' || !isIdentifier(approverId) || typeof publicKey !== 'string') throw malformed
    return { questionsUrl, askToken, approverId, publicKey }
  } finally {
    await handle.close()
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
