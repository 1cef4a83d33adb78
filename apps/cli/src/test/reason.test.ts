import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cid, keccak256, rawCidOf } from '@oikos/core'
import { agentAbi } from '@oikos/core/abi'
import {
  approveAssetAndWait,
  claimSharesAndWait,
  executeAndWait,
  listCitations,
  requestMintAndWait,
  type StoredReasoning,
  settleMintAndWait,
  settleMintBatchAndWait,
} from '@oikos/sdk'
import { openContentStore } from '@oikos/sdk/node'
import { type Address, encodeFunctionData, erc20Abi } from 'viem'
import { getTransaction, waitForTransactionReceipt, writeContract } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyRule, USDC } from '../../../../packages/sdk/test/agents.ts'
import { loopbackServers } from '../../../../packages/sdk/test/loopback-server.ts'
import { createAgentBench } from './harness.ts'

type Bench = Awaited<ReturnType<typeof createAgentBench>>

const servers = loopbackServers()
const TRANSFER = '0xa9059cbb'
let bench: Bench
let agent: Address
let cited: readonly StoredReasoning[]

/** An Agent that settled one deposit, then two in a batch, and paid once: three records, all in the store of the bench. */
beforeAll(async () => {
  bench = await createAgentBench()
  const { agents } = bench
  agent = await agents.create({
    scope: {
      rules: [anyRule({ target: agents.token, selector: TRANSFER, maxTokenOut: 5n * USDC })],
      caps: [],
      members: [],
    },
  })
  await bench.nameAgents({ treasury: agent })
  const { as, address, token } = agents
  for (const role of ['alice', 'bob'] as const) {
    await agents.fund(role, agent, 20n * USDC)
    await approveAssetAndWait(as[role], { token, spender: agent, amountAtomic: 20n * USDC })
    await requestMintAndWait(as[role], { agent, amountAtomic: 10n * USDC })
  }
  const first = await agents.reason(agent, 'settleMint', [address.alice])
  await settleMintAndWait(as.executor, { agent, requester: address.alice, reasoning: first })
  await requestMintAndWait(as.alice, { agent, amountAtomic: 10n * USDC })
  const requesters = [address.alice, address.bob]
  const batch = await agents.reason(agent, 'settleMintBatch', [requesters])
  await settleMintBatchAndWait(as.executor, { agent, requesters, reasoning: batch })
  await claimSharesAndWait(as.alice, { agent, user: address.alice })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address.stranger, USDC] })
  const pay = await agents.reason(agent, 'execute', [token, 0n, data])
  await executeAndWait(as.executor, { agent, target: token, valueWei: 0n, data, reasoning: pay })
  cited = [first, batch, pay]
  const store = await openContentStore(join(bench.bench.folder, 'home', 'content'))
  for (const { cid } of cited) await store.put(bytesOf(cid))
})
afterAll(() => bench.stop())

function bytesOf(cid: Cid): Uint8Array {
  const bytes = bench.agents.store.blocks.get(cid)
  if (bytes === undefined) throw new Error('the record was stored')
  return bytes
}

/** Calls the Agent as an Executor that does not look at what it cites. */
async function settleCiting(requester: Address, reasoning: { reasoningHash: `0x${string}`; reasoningURI: string }) {
  const { as, fund, address } = bench.agents
  const role = requester === address.alice ? 'alice' : 'bob'
  await fund(role, agent, USDC)
  await requestMintAndWait(as[role], { agent, amountAtomic: USDC })
  const args = [requester, reasoning.reasoningHash, reasoning.reasoningURI] as const
  const call = { abi: agentAbi, address: agent, functionName: 'settleMint', args, chain: null } as const
  const hash = await writeContract(as.executor, call as never)
  await waitForTransactionReceipt(as.executor, { hash })
}

const verifyAll = (...args: string[]) => bench.bench.run(['reason', 'verify', '--agent', 'treasury', ...args])
const documentOf = async (...args: string[]) => (await verifyAll('--json', ...args)).json

describe('oikos reason verify --agent', () => {
  it('§6.2.1, §6.2.2: verifies every record that the events cite, each against its own call', async () => {
    const { code, out } = await verifyAll()
    expect(code).toBe(0)
    expect(out).toContain('3 of 3 records verified')
    expect(out).toMatch(/1 +\d+ +settleMint +verified +It is a test\./)
    expect(out).toMatch(/2 +\d+ +settleMintBatch +verified/)
    expect(out).toMatch(/3 +\d+ +execute +verified/)
    const document = await documentOf()
    expect(document).toMatchObject({ ok: true, citations: 3, judged: 3, verified: 3, isComplete: true })
    expect(document).toMatchObject({
      records: cited.toReversed().map(({ reasoningHash }) => ({
        ...{ reasoningHash, status: 'verified', anchored: true, bound: true, findings: [], actionCount: 1 },
        notChecked: [{ check: 'nonce' }],
      })),
    })
  })

  it('goes page by page, in both orders', async () => {
    const newest = await documentOf('--limit', '2')
    expect(newest).toMatchObject({
      citations: 3,
      judged: 2,
      nextCursor: '1',
      records: [{ number: '3' }, { number: '2' }],
    })
    expect(await documentOf('--limit', '2', '--cursor', '1')).toMatchObject({ judged: 1, records: [{ number: '1' }] })
    const oldest = await verifyAll('--oldest', '--limit', '1')
    expect(oldest.out).toContain('1 of 1 record verified, 3 are cited in all')
    expect(oldest.err).toContain('reason verify --agent treasury --cursor 2 --oldest')
    expect(await documentOf('--cursor', '9')).toMatchObject({ judged: 0, citations: 3 })
  })

  it('says which records nobody gives, and finds them at a gateway that may lie', async () => {
    const empty = ['--content', 'empty']
    const gone = await verifyAll(...empty)
    expect(gone.code).toBe(1)
    expect(gone.out).toContain('0 of 3 records verified, 3 not to be had')
    expect(gone.out).toContain('record.unavailable')
    expect(gone.err).toContain('Add --gateway <url>')
    const gateway = (change: (bytes: Uint8Array) => Uint8Array) =>
      servers.start((request, response) => {
        const cid = /\/ipfs\/(b[a-z2-7]{58})/.exec(request.url ?? '')?.[1] as Cid
        response.end(change(bytesOf(cid)))
      })
    const liar = await gateway((bytes) => bytes.slice(1))
    const lied = await verifyAll(...empty, '--gateway', liar)
    expect(lied.code).toBe(1)
    expect(lied.out).toContain(`asked ${liar}: mismatch`)
    const honest = await gateway((bytes) => bytes)
    const found = await verifyAll(...empty, '--gateway', liar, '--gateway', honest)
    expect([found.code, found.out.split('\n')[0]]).toEqual([0, '3 of 3 records verified'])
  })
})

describe('oikos reason verify, one record', () => {
  it('compares it with a whole call', async () => {
    const { citations } = await listCitations(bench.agents.as.stranger, { agent, fromBlock: 0n })
    const [first] = citations
    if (first === undefined) throw new Error('a record is cited')
    const { input } = await getTransaction(bench.agents.as.stranger, { hash: first.transactionHash })
    const args = [
      'reason',
      'verify',
      first.reasoningURI,
      '--call-data',
      input,
      '--agent',
      agent,
      '--chain-id',
      '11155111',
    ]
    const result = await bench.bench.run(args)
    expect(result.code).toBe(0)
    expect(result.out).toContain('VERIFIED    it is the record of this very action')
    expect(result.out).toContain('not checked  nonce: nothing was given to compare it with')
    const other = await bench.bench.run([...args, '--chain-id', '1', '--json'])
    expect(other.code).toBe(1)
    expect(other.json).toMatchObject({
      ok: false,
      anchored: true,
      bound: false,
      findings: [{ code: 'binding.chain-id' }],
    })
  })

  it('says what it did not check', async () => {
    const file = join(bench.bench.folder, 'record.json')
    const [first] = cited
    if (first === undefined) throw new Error('a record is cited')
    await writeFile(file, bytesOf(first.cid))
    const bare = await bench.bench.run(['reason', 'verify', 'record.json'])
    expect([bare.code, bare.out.split('\n')[0]]).toEqual([0, expect.stringContaining('READABLE')])
    expect(bare.out).toContain('callHash: nothing was given to compare it with')
    const hashed = await bench.bench.run(['reason', 'verify', 'record.json', '--hash', first.reasoningHash])
    expect(hashed.out).toContain('ANCHORED    the bytes are those of the hash')
    const wrong = await bench.bench.run(['reason', 'verify', 'record.json', '--hash', `0x${'1'.repeat(64)}`, '--json'])
    expect([wrong.code, wrong.json]).toMatchObject([1, { findings: [{ code: 'hash.mismatch' }] }])
  })

  it.each<[string, string[], number]>([
    ['nothing named', [], 2],
    ['call data that is none', ['record.json', '--call-data', '0x12345678'], 2],
    ['an agent that is no address', ['record.json', '--agent', '0x12'], 2],
    ['a file that is not there', ['missing.json'], 4],
    ['a record that nobody gives', [`ipfs://${rawCidOf(Uint8Array.of(9))}`], 4],
    ['an Agent that is none', ['--agent', `0x${'22'.repeat(20)}`], 4],
    ['a page size out of range', ['--agent', 'treasury', '--limit', '501'], 2],
  ])('%s is a sentence with a remedy', async (_, args, code) => {
    const result = await bench.bench.run(['reason', 'verify', ...args])
    expect(result.code).toBe(code)
    expect(result.err).toMatch(/^error {2}\S/m)
    expect(result.err).not.toContain('    at ')
  })
})

describe('oikos reason show', () => {
  it('shows what can be compared apart from what its author says', async () => {
    const [first] = cited
    if (first === undefined) throw new Error('a record is cited')
    const { code, out, err } = await bench.bench.run(['reason', 'show', first.cid])
    expect(code).toBe(0)
    const [facts, claims] = [out.indexOf('What it is bound to, as it says'), out.indexOf('Claims of its author')]
    expect(out.indexOf(agent.toLowerCase())).toBeGreaterThan(facts)
    expect(out.indexOf('It is a test.')).toBeGreaterThan(claims)
    expect(claims).toBeGreaterThan(facts)
    expect(err).toContain(`reason verify --agent ${agent.toLowerCase()}`)
    const { json } = await bench.bench.run(['reason', 'show', first.reasoningURI, '--json'])
    expect(json).toMatchObject({
      ok: true,
      reasoningHash: first.reasoningHash,
      record: { claims: { decision: 'It is a test.' } },
    })
  })

  it('is not drawn over by a hostile record', async () => {
    const record = JSON.parse(new TextDecoder().decode(bytesOf(cited[0]?.cid as Cid))) as { claims: object }
    const hostile = {
      ...record,
      claims: { decision: '\u001b[2Jgood\u202e', rationale: 'a\nb\u001b[31m', '\u0007x': 1 },
    }
    await writeFile(join(bench.bench.folder, 'hostile.json'), JSON.stringify(hostile))
    const { code, out } = await bench.bench.run(['reason', 'show', 'hostile.json'])
    expect(code).toBe(1)
    expect(out).toContain('record.not-canonical')
    for (const hidden of ['\u001b', '\u0007', '\u202e']) expect(out).not.toContain(hidden)
  })

  it('says why bytes are no record', async () => {
    await writeFile(join(bench.bench.folder, 'note.txt'), 'Because I wanted to.')
    const { code, json } = await bench.bench.run(['reason', 'show', 'note.txt', '--json'])
    expect([code, json]).toMatchObject([1, { ok: false, findings: [{ code: 'json.syntax' }] }])
  })
})

describe('an Executor that cites what it likes', () => {
  it('is found out: a replayed record, a record of another action, bytes that are no record, a dead link', async () => {
    const { address } = bench.agents
    const [first, batch] = cited
    if (first === undefined || batch === undefined) throw new Error('records are cited')
    const store = await openContentStore(join(bench.bench.folder, 'home', 'content'))
    const note = new TextEncoder().encode('no record')
    await settleCiting(address.alice, first)
    await settleCiting(address.bob, batch)
    await settleCiting(address.alice, {
      reasoningHash: keccak256(note),
      reasoningURI: `ipfs://${await store.put(note)}`,
    })
    await settleCiting(address.bob, { reasoningHash: keccak256(note), reasoningURI: 'https://127.0.0.1:1/gone' })
    const { code, out } = await verifyAll('--oldest')
    expect(code).toBe(1)
    expect(out).toContain('3 of 7 records verified, 4 refused')
    const document = (await documentOf('--oldest')) as { records: { findings: { code: string }[]; status: string }[] }
    const found = document.records.slice(3).map(({ findings }) => findings.map((finding) => finding.code))
    expect(found).toEqual([
      ['citation.replayed'],
      ['citation.replayed', 'binding.action', 'binding.call-hash'],
      ['json.syntax'],
      ['citation.replayed', 'record.unavailable'],
    ])
  })
})
