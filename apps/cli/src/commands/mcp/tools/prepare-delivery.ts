import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { cidDigest, MAX_OBJECT_BYTES, parseTaskHash, rawCidOf, toDagCborCid } from '@oikos/core'
import { taskTokenAbi } from '@oikos/core/abi'
import { ContractRevertedError, simulateSubmitFulfillment } from '@oikos/sdk'
import { createContentResolver, fetchTaskPackage } from '@oikos/sdk/content'
import { type FolderStore, nodeSha256, PACKED_NAMES, packFolder } from '@oikos/sdk/node'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { z } from 'zod'
import { judgmentText, readJudgment } from '../../../chain/authority.ts'
import { openTask, type TaskView } from '../../../chain/open-task.ts'
import { warningsOf } from '../../../chain/warnings.ts'
import { copyObjects } from '../../../content/copy-objects.ts'
import { NotFoundError, UsageError } from '../../../errors.ts'
import { readInputFile } from '../../../input/file.ts'
import type { Reach } from '../reach.ts'
import { addressInput, decimal, hex, taskInput, warning } from '../schemas.ts'
import type { Tool } from '../tool.ts'

/** Bytes of one delivery. */
const MAX_PACKAGE_BYTES = 256 * 1024 * 1024

/** Verifiers whose result is made from a secret and the fulfiller. */
const NO_FOLDERS: ReadonlySet<string> = new Set(['hashlock', 'batch', 'secrets'])

const input = z.strictObject({
  task: taskInput,
  folder: z
    .string()
    .min(1)
    .max(1_024)
    .describe(
      'folder with the work, relative to the folder of deliveries of this server; one file is delivered as it is',
    ),
  primary: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .describe(
      'where there are several files: path of the document to read first (default DELIVERY.md, else README.md)',
    ),
  fulfiller: addressInput.optional().describe('who will deliver: the call is then simulated for this account'),
})

const output = z.strictObject({
  taskRef: z.string(),
  kind: z.enum(['file', 'package']),
  files: z.array(z.strictObject({ path: z.string(), cid: z.string(), sizeBytes: z.number() })),
  verdict: z.literal('verified').describe('it was read back from the content store and has the hash'),
  resultHash: hex,
  resultURI: z.string(),
  call: z
    .strictObject({
      chainId: z.number(),
      to: hex,
      value: z.literal('0'),
      data: hex,
      function: z.literal('submitFulfillment(uint256,bytes32,string)'),
      args: z.strictObject({ tokenId: decimal, resultHash: hex, resultURI: z.string() }),
    })
    .describe('unsigned and unsent; whoever holds a key decides about it'),
  simulation: z.strictObject({
    outcome: z.enum(['would succeed', 'would be refused', 'not simulated']),
    reason: z.string().optional(),
  }),
  warnings: z.array(warning),
})

/** `prepare_delivery`. */
export const prepareDelivery: Tool<typeof input, typeof output> = {
  name: 'prepare_delivery',
  title: 'Prepare a delivery',
  description:
    'Packs a folder of work into the content store, reads it back, and gives resultHash, resultURI and the unsigned call that delivers it to a tender. Nothing is signed and nothing is sent.',
  input,
  output,
  effects: 'writes-files',
  deadlineMs: 120_000,
  run: async (reach, wanted, { signal }) => {
    const view = await openTask(reach, wanted.task)
    const { connection, target, tender, asset } = view
    const judgment = await readJudgment(
      connection,
      target,
      tender.acceptanceAuthority,
      await connection.knownDeployment(),
    )
    if (NO_FOLDERS.has(judgment.kind)) {
      throw new UsageError(
        `Task ${target.tokenId} is decided by a ${judgmentText(judgment)}: its result is no folder.`,
        'Deliver with "oikos task submit", as its help says.',
      )
    }
    const folder = await findFolder(reach, wanted.folder)
    const store = await reach.store()
    const packed = await pack(folder, wanted.primary, store, signal)
    const { resultHash, resultURI } = packed
    const args = { tokenId: target.tokenId, resultHash, resultURI }
    const data = encodeFunctionData({
      ...{ abi: taskTokenAbi, functionName: 'submitFulfillment' },
      args: [target.tokenId, resultHash, resultURI],
    })
    return {
      ...{ taskRef: view.ref, kind: packed.kind, files: packed.files, verdict: 'verified', resultHash, resultURI },
      call: {
        ...{ chainId: connection.chainId, to: target.task, value: '0', data },
        ...{ function: 'submitFulfillment(uint256,bytes32,string)', args },
      },
      simulation: await simulate(view, wanted.fulfiller as Address | undefined, { resultHash, resultURI }),
      warnings: warningsOf({ tender, judgment, asset }),
    }
  },
}

async function simulate(
  { connection, target, asset }: TaskView,
  account: Address | undefined,
  delivery: { readonly resultHash: Hex; readonly resultURI: string },
) {
  if (account === undefined) return { outcome: 'not simulated' as const }
  try {
    await simulateSubmitFulfillment(connection.client, { ...target, ...delivery, account, asset })
    return { outcome: 'would succeed' as const }
  } catch (error) {
    if (!(error instanceof ContractRevertedError)) throw error
    return { outcome: 'would be refused' as const, reason: `${error.shortMessage} ${error.advice}` }
  }
}

/** The folder that a caller names, inside the one that the operator named, whatever links say. */
async function findFolder({ deliveries }: Reach, named: string): Promise<string> {
  if (deliveries === undefined) {
    throw new UsageError('This server prepares no deliveries.', 'Start it with --deliveries <folder>.')
  }
  const root = await realpath(deliveries)
  const folder = await realpath(join(root, named)).catch((cause: unknown) => {
    const where = JSON.stringify(named.slice(0, 80))
    throw new NotFoundError(`There is no folder ${where} among the deliveries.`, 'Check its name.', { cause })
  })
  const inside = relative(root, folder)
  if (inside === '..' || inside.startsWith(`..${sep}`) || !(await lstat(folder)).isDirectory()) {
    throw new UsageError('This is no folder inside the folder of deliveries.', 'Name one that is.')
  }
  return folder
}

type Packed = {
  readonly kind: 'file' | 'package'
  readonly files: readonly { readonly path: string; readonly cid: string; readonly sizeBytes: number }[]
  readonly resultHash: Hex
  readonly resultURI: string
}

async function pack(
  folder: string,
  primary: string | undefined,
  store: FolderStore,
  signal: AbortSignal,
): Promise<Packed> {
  const entries = await readdir(folder, { withFileTypes: true })
  const [only] = entries
  const names = new Set(entries.map(({ name }) => name))
  if (entries.length === 1 && only?.isFile() === true) return packFile(folder, only.name, store)
  const temporary = await mkdtemp(join(tmpdir(), 'oikos-delivery-'))
  try {
    const output = join(temporary, 'package')
    const packed = await packFolder(folder, {
      ...{
        primary: primary ?? (names.has('DELIVERY.md') ? 'DELIVERY.md' : 'README.md'),
        output,
        signal,
        limits: { packageBytes: MAX_PACKAGE_BYTES },
      },
    })
    await copyObjects(join(output, PACKED_NAMES.objects), store, signal)
    const { taskHash, rootCid } = packed
    const resolver = createContentResolver({ store, hash: nodeSha256 })
    const { verdict } = await fetchTaskPackage({
      taskHash: parseTaskHash(taskHash),
      resolver,
      hash: nodeSha256,
      signal,
    })
    if (!verdict.ok || toDagCborCid(parseTaskHash(taskHash)) !== rootCid) throw notReadBack()
    const files = packed.leaves.map(({ path, cid, sizeBytes }) => ({ path, cid, sizeBytes }))
    return { kind: 'package', files, resultHash: taskHash, resultURI: `ipfs://${rootCid}` }
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function packFile(folder: string, name: string, store: FolderStore): Promise<Packed> {
  const bytes = await readInputFile(folder, name, { maxBytes: MAX_OBJECT_BYTES })
  const cid = rawCidOf(bytes)
  await store.put(bytes)
  const kept = await store.get(cid, { maxBytes: MAX_OBJECT_BYTES })
  if (kept === undefined || nodeSha256(kept) !== cidDigest(cid)) throw notReadBack()
  const files = [{ path: name, cid, sizeBytes: bytes.length }]
  return { kind: 'file', files, resultHash: nodeSha256(bytes), resultURI: `ipfs://${cid}` }
}

function notReadBack(): UsageError {
  return new UsageError('The delivery cannot be read back from the content store.', 'Check the disk and call again.')
}
