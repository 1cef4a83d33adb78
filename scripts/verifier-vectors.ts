import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './toolchain.ts'

/**
 * Writes the vectors of `vectors/verifier-profiles`, which its README explains, without the code that they check: from
 * node:crypto and the words of the Solidity ABI. `--check` writes nothing and fails on stale ones.
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

const hashSortedPair = (a: Buffer, b: Buffer): Buffer => (a.compare(b) < 0 ? sha256(a, b) : sha256(b, a))

/** Root of the leaves and the branch of one of them, by recursion on the largest power of two below their number. */
function climb(leaves: readonly Buffer[], index: number): { root: Buffer; branch: Buffer[] } {
  const [only] = leaves
  if (only === undefined) throw new Error('a tree has a leaf')
  if (leaves.length === 1) return { root: only, branch: [] }
  const half = 2 ** (Math.ceil(Math.log2(leaves.length)) - 1)
  const left = climb(leaves.slice(0, half), index < half ? index : 0)
  const right = climb(leaves.slice(half), index < half ? 0 : index - half)
  const [own, other] = index < half ? [left, right] : [right, left]
  return { root: hashSortedPair(left.root, right.root), branch: [...own.branch, other.root] }
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
  const climbs = leaves.map((_, index) => climb(leaves, index))
  return {
    name,
    root: hex(climb(leaves, 0).root),
    receipts: secrets.map(({ receipt }) => hex(receipt)),
    fulfillers: secrets.map(({ fulfiller }) => hex(fulfiller)),
    leaves: leaves.map(hex),
    branches: climbs.map(({ branch }) => branch.map(hex)),
    proofs: secrets.map(({ receipt }, index) => hex(encodeProof(receipt, climbs[index]?.branch ?? []))),
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
