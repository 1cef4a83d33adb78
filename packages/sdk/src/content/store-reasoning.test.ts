import { rawCidOf } from '@oikos/core'
import { ReasoningRecordError, verifyReasoning } from '@oikos/core/reasoning'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../../test/memory-store.ts'
import { temporaryFolders } from '../../test/temporary-folder.ts'
import { buildActionReasoning } from '../actions/agent/build-action-reasoning.ts'
import { openContentStore } from '../node/content-store.ts'
import type { ContentStore } from './content-store.ts'
import { storeReasoning } from './store-reasoning.ts'

const folders = temporaryFolders()
const call = {
  chainId: 11155111,
  agent: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  action: 'settleMint',
  args: ['0x5FbDB2315678afecb367f032d93F642f64180aa3'],
} as const
const claims = { decision: 'The deposit is welcome.' }
const built = buildActionReasoning({ ...call, claims })

test('§6.2.2: a record is stored and read back before anything can cite it', async () => {
  const store = await openContentStore(await folders.make())
  const stored = await storeReasoning(store, built)
  expect(stored).toEqual({
    record: built.record,
    reasoningHash: built.reasoningHash,
    cid: built.cid,
    reasoningURI: `ipfs://${built.cid}`,
  })
  const bytes = await store.get(built.cid, { maxBytes: 1_000_000 })
  const verdict = verifyReasoning(bytes ?? new Uint8Array(), { hash: stored.reasoningHash, uri: stored.reasoningURI })
  expect(verdict).toMatchObject({ ok: true, anchored: true, findings: [] })
})

test('two records of one action differ by their nonce', () => {
  const again = buildActionReasoning({ ...call, claims })
  expect(again.record.binding.callHash).toBe(built.record.binding.callHash)
  expect(again.reasoningHash).not.toBe(built.reasoningHash)
})

test('claims that are no record are refused before anything is stored', () => {
  expect(() => buildActionReasoning({ ...call, claims: { decision: '' } })).toThrow(ReasoningRecordError)
})

const other = new TextEncoder().encode('other bytes')

const changed = built.bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte))

test.each<[string, Partial<ContentStore>, string, boolean]>([
  ['forgets it', { get: async () => undefined }, 'missing', true],
  ['gives other bytes', { get: async () => other }, 'other-bytes', false],
  ['cuts it', { get: async () => built.bytes.subarray(1) }, 'other-bytes', false],
  ['changes one byte', { get: async () => changed }, 'other-bytes', false],
  ['files it elsewhere', { put: async () => rawCidOf(other) }, 'other-address', false],
])('a store that %s gives nothing to cite', async (_, faults, fault, retryable) => {
  await expect(storeReasoning(createMemoryStore(faults), built)).rejects.toMatchObject({
    ...{ name: 'ReasoningNotStoredError', fault, retryable, cid: built.cid },
  })
})

test('a disk that fails is told as it is', async () => {
  const failure = new Error('no space left')
  const store = createMemoryStore({
    put: async () => {
      throw failure
    },
  })
  await expect(storeReasoning(store, built)).rejects.toBe(failure)
})

test.each([
  ['hash', { reasoningHash: `0x${'1'.repeat(64)}` }],
  ['CID', { cid: rawCidOf(other) }],
  ['URI', { reasoningURI: 'https://example.org/record' }],
  ['bytes', { bytes: other }],
])('a record with another %s than its own is not stored at all', async (_, change) => {
  const store = createMemoryStore()
  await expect(storeReasoning(store, { ...built, ...change } as typeof built)).rejects.toMatchObject({
    fault: 'inconsistent',
  })
  expect(store.blocks.size).toBe(0)
})
