import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters, getAddress, type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { root } from './toolchain.ts'

/**
 * Writes the vectors of `vectors/verifier-profiles`, which its README explains, without the code that they check: from
 * node:crypto and the words of the Solidity ABI, and for signed outcomes from viem. `--check` writes nothing and fails on
 * stale ones.
 */
const folder = join(root, 'vectors/verifier-profiles')

const sha256 = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest()
const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`
const named = (name: string): Buffer => sha256(Buffer.from(`oikos vectors ${name}`))
const addressOf = (name: string): Buffer => named(`account ${name}`).subarray(12)

function hashlockCase(name: string, answer: Buffer): unknown {
  const fulfiller = addressOf(name)
  return {
    name,
    answer: hex(answer),
    fulfiller: hex(fulfiller),
    answerHash: hex(sha256(answer)),
    resultHash: hex(sha256(answer, fulfiller)),
  }
}

type HashPair = (a: Buffer, b: Buffer) => Buffer

const hashSortedPair = (a: Buffer, b: Buffer): Buffer => (a.compare(b) < 0 ? sha256(a, b) : sha256(b, a))

/** Root of the leaves and the branch of one of them, by recursion on the largest power of two below their number. */
function climb(leaves: readonly Buffer[], index: number, hashPair: HashPair): { root: Buffer; branch: Buffer[] } {
  const [only] = leaves
  if (only === undefined) throw new Error('a tree has a leaf')
  if (leaves.length === 1) return { root: only, branch: [] }
  const half = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  const left = climb(leaves.slice(0, half), index < half ? index : 0, hashPair)
  const right = climb(leaves.slice(half), index < half ? 0 : index - half, hashPair)
  const [own, other] = index < half ? [left, right] : [right, left]
  return { root: hashPair(left.root, right.root), branch: [...own.branch, other.root] }
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32BE(value, 28)
  return bytes
}

/** abi.encode(bytes receipt, bytes32[] branch). */
function encodeProof(receipt: Buffer, branch: readonly Buffer[]): Buffer {
  const padding = Buffer.alloc((32 - (receipt.length % 32)) % 32)
  const tail = [word(receipt.length), receipt, padding]
  const branchAt = 64 + Buffer.concat(tail).length
  return Buffer.concat([word(64), word(branchAt), ...tail, word(branch.length), ...branch])
}

function batch(name: string, receiptBytes: readonly number[]): unknown {
  const secrets = receiptBytes.map((length, index) => {
    const parts = Array.from({ length: Math.ceil(length / 32) }, (_, part) => named(`${name} ${index} ${part}`))
    return { receipt: Buffer.concat(parts).subarray(0, length), fulfiller: addressOf(`${name} ${index}`) }
  })
  const leaves = secrets.map(({ receipt, fulfiller }) => sha256(receipt, fulfiller))
  const climbs = leaves.map((_, index) => climb(leaves, index, hashSortedPair))
  return {
    name,
    root: hex(climb(leaves, 0, hashSortedPair).root),
    receipts: secrets.map(({ receipt }) => hex(receipt)),
    fulfillers: secrets.map(({ fulfiller }) => hex(fulfiller)),
    leaves: leaves.map(hex),
    branches: climbs.map(({ branch }) => branch.map(hex)),
    proofs: secrets.map(({ receipt }, index) => hex(encodeProof(receipt, climbs[index]?.branch ?? []))),
  }
}

const hashNode: HashPair = (a, b) => sha256(Buffer.of(1), ...(a.compare(b) < 0 ? [a, b] : [b, a]))

function secretSet(name: string, count: number): unknown {
  const indices = Array.from({ length: count }, (_, index) => index)
  const secrets = indices.map((index) => named(`${name} ${index} 0`))
  const fulfillers = indices.map((index) => addressOf(`${name} ${index}`))
  const leaves = secrets.map((secret) => sha256(Buffer.of(0), secret))
  const climbs = indices.map((index) => climb(leaves, index, hashNode))
  return {
    name,
    root: hex(climb(leaves, 0, hashNode).root),
    secrets: secrets.map(hex),
    fulfillers: fulfillers.map(hex),
    resultHashes: secrets.map((secret, index) => hex(sha256(secret, fulfillers[index] ?? Buffer.alloc(0)))),
    leaves: leaves.map(hex),
    branches: climbs.map(({ branch }) => branch.map(hex)),
    proofs: climbs.map(({ branch }, index) =>
      hex(Buffer.concat([secrets[index] ?? Buffer.alloc(0), word(64), word(branch.length), ...branch])),
    ),
  }
}

const OUTCOME_TYPES = {
  Outcome: [
    { name: 'taskContract', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'submissionId', type: 'uint256' },
    { name: 'fulfiller', type: 'address' },
    { name: 'resultHash', type: 'bytes32' },
  ],
} as const

/** Signatures are deterministic (RFC 6979), so these can be compared byte for byte. */
async function outcomeCase(name: string, domainName: string, attestors: number, tokenId: bigint): Promise<unknown> {
  const addressText = (what: string) => getAddress(hex(addressOf(`${name} ${what}`)))
  const outcome = { taskContract: addressText('task'), tokenId, submissionId: 3n, fulfiller: addressText('fulfiller') }
  const message = { ...outcome, resultHash: hex(named(`${name} result`)) as Hex }
  const domain = { name: domainName, version: '1', chainId: 11155111, verifyingContract: addressText('verifier') }
  const digest = hashTypedData({ domain, types: OUTCOME_TYPES, primaryType: 'Outcome', message })
  const keys = Array.from({ length: attestors }, (_, index) => hex(named(`key ${name} ${index}`)) as Hex)
  const signed = await Promise.all(
    keys.map(async (privateKey) => ({
      signer: privateKeyToAccount(privateKey).address.toLowerCase(),
      signature: await sign({ hash: digest, privateKey, to: 'hex' }),
    })),
  )
  signed.sort((a, b) => (a.signer < b.signer ? -1 : 1))
  const signatures = signed.map(({ signature }) => signature)
  return {
    ...{ name, chainId: domain.chainId, verifier: domain.verifyingContract.toLowerCase() },
    outcome: {
      ...{ taskContract: message.taskContract.toLowerCase(), tokenId: `${tokenId}`, submissionId: '3' },
      ...{ fulfiller: message.fulfiller.toLowerCase(), resultHash: message.resultHash },
    },
    digest,
    signers: signed.map(({ signer }) => signer),
    signatures,
    proof: encodeAbiParameters([{ type: 'bytes[]' }], [signatures]),
  }
}

const files: Readonly<Record<string, unknown>> = {
  'hashlock.json': {
    profile: 'x-hashlock-v1',
    cases: [
      hashlockCase('empty answer', Buffer.alloc(0)),
      hashlockCase('word', Buffer.from('forty-two')),
      hashlockCase('one word of the machine', named('answer')),
      hashlockCase('answer of 200 bytes', Buffer.alloc(200, 0xa5)),
    ],
  },
  'batch-receipt.json': {
    profile: 'x-batch-receipt-merkle-minage-v1',
    batches: [
      batch('one', [32]),
      batch('two', [32, 32]),
      batch('three', [16, 32, 33]),
      batch('four', [32, 44, 64, 65]),
      batch('five', [32, 32, 32, 32, 32]),
      batch('seven', [20, 21, 22, 23, 24, 25, 26]),
      batch(
        'thirty-three',
        Array.from({ length: 33 }, () => 24),
      ),
    ],
  },
  'merkle-secrets.json': {
    profile: 'x-merkle-secrets-sha256-minage-v1',
    sets: [
      ...[secretSet('one secret', 1), secretSet('two secrets', 2), secretSet('three secrets', 3)],
      ...[secretSet('eight secrets', 8), secretSet('thirteen secrets', 13)],
    ],
  },
  'signed-outcome.json': {
    profile: 'x-signed-outcome-eip712-v1',
    cases: [
      await outcomeCase('one attestor', 'Oikos Signed Outcome', 1, 1n),
      await outcomeCase('three attestors', 'Oikos Signed Outcome', 3, 7n),
      await outcomeCase('the largest number', 'Oikos Signed Outcome', 2, 2n ** 256n - 1n),
    ],
  },
  'streak.json': {
    profile: 'x-streak-eip712-v1',
    cases: [await outcomeCase('a streak', 'Oikos Streak', 2, 7n)],
  },
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const check = process.argv.includes('--check')
mkdirSync(folder, { recursive: true })
const stale = Object.entries(files).filter(([name, value]) => {
  const path = join(folder, name)
  const content = `${JSON.stringify(value, null, 1)}\n`
  if (contentOf(path) === content) return false
  if (!check) writeFileSync(path, content)
  return true
})
const list = stale.map(([name]) => name).join(', ')
if (check && stale.length > 0) {
  console.error(
    `Verifier vectors are out of date: ${list}. Run node scripts/verifier-vectors.ts and commit the result.`,
  )
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'Verifier vectors are up to date.' : `Wrote ${list}.`)
}
