import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToBytes,
  toFunctionSelector,
  toHex,
  zeroHash,
} from 'viem'
import { root } from './toolchain.ts'

/**
 * Writes the vectors of `vectors/reasoning` and `vectors/agent-metadata`, which their READMEs explain, without the code that
 * they check: from node:crypto, viem and ten lines each of sorted JSON and base32. `--check` writes nothing and fails on
 * stale ones.
 */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

function sortedJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`
  const entries = Object.entries(value as { readonly [key: string]: Json }).sort(([left], [right]) =>
    left < right ? -1 : 1,
  )
  return `{${entries.map(([key, child]) => `${JSON.stringify(key)}:${sortedJson(child)}`).join(',')}}`
}

/** CIDv1, raw, SHA-256, in base32. Source: RFC 4648 §6, in lower case without padding. */
function rawCid(bytes: Uint8Array): string {
  const digest = createHash('sha256').update(bytes).digest()
  const bits = [0x01, 0x55, 0x12, 0x20, ...digest].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return `b${groups.map((group) => 'abcdefghijklmnopqrstuvwxyz234567'[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')}`
}

const named = (name: string): Hex => toHex(createHash('sha256').update(`oikos vectors ${name}`).digest())
const addressOf = (name: string): Hex => `0x${named(`account ${name}`).slice(26)}`

const agent = addressOf('agent')
const actions = parseAbi([
  'function settleMint(address requester, bytes32 reasoningHash, string reasoningURI)',
  'function settleRedeemBatch(address[] requesters, bytes32 reasoningHash, string reasoningURI)',
  'function decline(address requester, uint8 kind, bytes32 reasoningHash, string reasoningURI)',
  'function execute(address target, uint256 value, bytes data, bytes32 reasoningHash, string reasoningURI)',
  'function executeWithAllowance(address target, uint256 value, bytes data, uint256 amount, bytes32 reasoningHash, string reasoningURI)',
])

/** Every kind of argument that the actions of an Agent have. */
const calls = [
  {
    action: 'settleMint',
    types: 'address',
    args: [addressOf('alice')],
    encode: (hash: Hex, uri: string) =>
      encodeFunctionData({ abi: actions, functionName: 'settleMint', args: [addressOf('alice'), hash, uri] }),
  },
  {
    action: 'settleRedeemBatch',
    types: 'address[]',
    args: [[addressOf('alice'), addressOf('bob'), addressOf('carol')]],
    encode: (hash: Hex, uri: string) =>
      encodeFunctionData({
        abi: actions,
        functionName: 'settleRedeemBatch',
        args: [[addressOf('alice'), addressOf('bob'), addressOf('carol')], hash, uri],
      }),
  },
  {
    action: 'decline',
    types: 'address, uint8',
    args: [addressOf('bob'), 1],
    encode: (hash: Hex, uri: string) =>
      encodeFunctionData({ abi: actions, functionName: 'decline', args: [addressOf('bob'), 1, hash, uri] }),
  },
  {
    action: 'execute',
    types: 'address, uint256, bytes',
    args: [addressOf('market'), 5n, '0x12345678aabbccdd'],
    encode: (hash: Hex, uri: string) =>
      encodeFunctionData({
        abi: actions,
        functionName: 'execute',
        args: [addressOf('market'), 5n, '0x12345678aabbccdd', hash, uri],
      }),
  },
  {
    action: 'executeWithAllowance',
    types: 'address, uint256, bytes, uint256',
    args: [addressOf('vault'), 0n, '0x', 1_000_000n],
    encode: (hash: Hex, uri: string) =>
      encodeFunctionData({
        abi: actions,
        functionName: 'executeWithAllowance',
        args: [addressOf('vault'), 0n, '0x', 1_000_000n, hash, uri],
      }),
  },
] as const

const claims: readonly { readonly [key: string]: Json }[] = [
  { decision: 'Settle the deposit of Alice at the rate of the books.' },
  {
    decision: 'Löse drei Rückgaben ein — 50 %.',
    rationale: 'Liquidity covers all three.\nNo position has to be sold.',
    model: 'rule-book-3',
  },
  { decision: 'Give the shares back.', inputs: { '€': 1, a: [1, 2.5, true, null], Z: -3 }, prompt: '"quoted" \\ /' },
  { decision: 'Deliver to task 1.', trace: [{ tool: 'pack', ok: true }] },
  { decision: 'Invest 1 USDC in the vault.' },
]
const links: readonly ({ readonly [key: string]: Json } | undefined)[] = [
  undefined,
  undefined,
  undefined,
  { packages: [{ taskHash: named('task'), uri: 'ipfs://bafyreia' }] },
  { evidence: [{ digest: `sha256:${named('evidence').slice(2)}` }] },
]

function makeRecords(): readonly Json[] {
  return calls.map((call, index) => {
    const selector = toFunctionSelector(`${call.action}(${call.types.replaceAll(' ', '')},bytes32,string)`)
    // the types and arguments of each call belong together, which no static type can say
    const encoded = encodeAbiParameters(parseAbiParameters(call.types) as never, call.args as never)
    const callHash = keccak256(concat([selector, encoded]))
    const link = links[index]
    const record: Json = {
      schema: 'fat-reasoning/1',
      binding: { chainId: '11155111', agent, action: call.action, callHash, nonce: named(`nonce ${index}`) },
      claims: claims[index] ?? {},
      ...(link !== undefined && { links: link }),
    }
    const bytes = stringToBytes(sortedJson(record))
    const [reasoningHash, reasoningURI] = [keccak256(bytes), `ipfs://${rawCid(bytes)}`]
    return {
      name: call.action,
      record,
      bytes: toHex(bytes),
      reasoningHash,
      reasoningURI,
      unboundCallData: call.encode(zeroHash, ''),
      callData: call.encode(reasoningHash, reasoningURI),
    }
  })
}

/** A record that is right, and what makes it wrong. */
function makeHostile(): readonly Json[] {
  const [call] = calls
  const callHash = keccak256(
    concat([
      toFunctionSelector('settleMint(address,bytes32,string)'),
      encodeAbiParameters([{ type: 'address' }], [addressOf('alice')]),
    ]),
  )
  const binding = { chainId: '11155111', agent, action: call.action, callHash, nonce: named('nonce 0') }
  const good = { schema: 'fat-reasoning/1', binding, claims: { decision: 'x' } } as const
  const text = sortedJson(good)
  const without = (key: 'schema' | 'binding' | 'claims'): Json => {
    const { [key]: _, ...rest } = good
    return rest
  }
  const other = addressOf('mallory')
  const cases: readonly [string, string | Uint8Array, readonly string[], Json?][] = [
    ['the record itself', text, []],
    ['no bytes', '', ['json.syntax']],
    ['a byte order mark', `\ufeff${text}`, ['json.bom']],
    ['not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d), ['json.not-utf8']],
    ['half a surrogate pair', text.replace('"x"', '"\\ud800"'), ['json.not-utf8']],
    ['a repeated key', text.replace('"schema":', '"schema":"fat-reasoning/1","schema":'), ['json.duplicate-key']],
    ['twenty levels', `${'['.repeat(20)}${']'.repeat(20)}`, ['json.too-deep']],
    ['trailing text', `${text}{}`, ['json.syntax']],
    ['an array', '[]', ['schema.marker']],
    ['no marker', sortedJson(without('schema')), ['schema.marker']],
    ['another marker', text.replace('fat-reasoning/1', 'fat-reasoning/2'), ['schema.marker']],
    ['no binding', sortedJson(without('binding')), ['schema.mismatch']],
    ['no claims', sortedJson(without('claims')), ['schema.mismatch']],
    ['an empty decision', text.replace('"x"', '""'), ['schema.mismatch']],
    ['a chain id with a leading zero', text.replace('"11155111"', '"011155111"'), ['schema.mismatch']],
    ['a chain id as a number', text.replace('"11155111"', '11155111'), ['schema.mismatch']],
    ['an Agent in upper case', text.replace(agent, `0x${agent.slice(2).toUpperCase()}`), ['schema.mismatch']],
    ['pretty JSON', JSON.stringify(JSON.parse(text), null, 2), ['record.not-canonical']],
    ['keys out of order', JSON.stringify(good), ['record.not-canonical']],
    ['an escape that nobody needs', text.replace('"x"', '"\\u0078"'), ['record.not-canonical']],
    ['a newline at the end', `${text}\n`, ['record.not-canonical']],
    ['an unknown field, which is ignored', sortedJson({ ...good, extra: 1 }), []],
    ['another chain', text.replace('"11155111"', '"1"'), ['binding.chain-id']],
    ['another Agent', text.replace(agent, other), ['binding.agent']],
    ['another action', text.replace('settleMint', 'settleRedeem'), ['binding.action']],
    ['another call', text.replace(callHash, named('other call')), ['binding.call-hash']],
    ['another nonce', text.replace(named('nonce 0'), named('nonce 1')), ['binding.nonce']],
    [
      'all of the binding of another',
      text
        .replace('"11155111"', '"1"')
        .replace(agent, other)
        .replace('settleMint', 'settleRedeem')
        .replace(callHash, named('other call'))
        .replace(named('nonce 0'), named('nonce 1')),
      ['binding.chain-id', 'binding.agent', 'binding.action', 'binding.call-hash', 'binding.nonce'],
    ],
    ['another hash', text, ['hash.mismatch'], { hash: named('other hash') }],
    ['the zero hash', text, ['hash.zero'], { hash: zeroHash }],
    ['a hash that is none', text, ['hash.malformed'], { hash: '0x12' }],
    ['no URI', text, ['uri.empty'], { uri: '' }],
    ['an endless URI', text, ['uri.too-long'], { uri: `https://${'a'.repeat(2_048)}` }],
    ['the CID of other bytes', text, ['uri.cid-mismatch'], { uri: `ipfs://${rawCid(stringToBytes('other'))}` }],
  ]
  return cases.map(([name, content, codes, expected]) => {
    const bytes = typeof content === 'string' ? stringToBytes(content) : content
    return {
      name,
      bytes: toHex(bytes),
      expected: {
        hash: keccak256(bytes),
        uri: `ipfs://${rawCid(bytes)}`,
        binding,
        ...(expected as { readonly [key: string]: Json } | undefined),
      },
      codes,
    }
  })
}

const proxyOf = (implementation: Hex): Hex =>
  concat(['0x363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3'])
const implementation = addressOf('implementation')
const acceptToken = addressOf('usdc')
/** acceptToken, initialRate 1e6, horizon 7 days, prices by its books, length of the name, name, symbol. */
const agentCode = concat([
  proxyOf(implementation),
  acceptToken,
  toHex(1_000_000n, { size: 16 }),
  toHex(604_800, { size: 4 }),
  '0x00',
  toHex(5, { size: 1 }),
  toHex('Atlas'),
  toHex('ATL'),
])
/** PUSH4 of `reclaim()`, EQ; and the same four bytes inside the data of a PUSH8. */
const withReclaim = concat(['0x63', toFunctionSelector('reclaim()'), '0x14'])
const withoutReclaim = concat(['0x6763', toFunctionSelector('reclaim()'), '0x1400', '0x00'])

function makeDocuments(): readonly Json[] {
  const fields = {
    name: 'Atlas',
    description: 'Labels pictures for money.',
    image: 'ipfs://bafkreia',
    external_url: 'https://atlas.example',
    reclaim: { horizon: 604_800, method: 'reclaim()' },
    properties: {
      colour: 'blue',
      oikos: {
        schema: 'oikos-agent/1',
        chainId: '11155111',
        acceptToken,
        initialRate: '1000000',
        fixedPrice: false,
        settlement: 'Each request by itself, within a day.',
        roles: 'Owner is a multisig; the Executor is a server.',
      },
    },
  } as const
  const facts = {
    chainId: '11155111',
    code: agentCode,
    implementationCode: withReclaim,
    knownImplementations: [implementation],
  }
  const { reclaim: _, ...undisclosed } = fields
  const ours = (changes: { readonly [key: string]: Json }): Json => ({
    ...fields,
    properties: { oikos: { ...fields.properties.oikos, ...changes } },
  })
  const cases: readonly [string, Json, readonly string[], Json?][] = [
    ['a document that agrees with the code', fields, []],
    ['the minimum of §6.5.3', { name: 'A', description: '', image: '', reclaim: fields.reclaim }, []],
    ['unknown fields, which are ignored', { ...fields, verified: true }, []],
    ['no reclaim field', undisclosed, ['reclaim.undisclosed', 'schema.mismatch']],
    ['"none", although the code can', { ...fields, reclaim: 'none' }, ['reclaim.contradicted']],
    [
      '"none", and the code cannot',
      { ...fields, reclaim: 'none' },
      [],
      { ...facts, implementationCode: withoutReclaim },
    ],
    [
      'a method that is no signature',
      { ...fields, reclaim: { horizon: 604_800, method: 'call us' } },
      ['reclaim.method'],
    ],
    [
      'a method that the code does not have',
      { ...fields, reclaim: { horizon: 604_800, method: 'giveBack()' } },
      ['reclaim.method-absent'],
    ],
    [
      'a selector inside the data of another push',
      fields,
      ['reclaim.method-absent'],
      { ...facts, implementationCode: withoutReclaim },
    ],
    ['another horizon', { ...fields, reclaim: { horizon: 60, method: 'reclaim()' } }, ['reclaim.horizon']],
    ['another Accept Token', ours({ acceptToken: addressOf('other') }), ['property.accept-token']],
    ['another rate', ours({ initialRate: '2000000' }), ['property.initial-rate']],
    ['a fixed price that is none', ours({ fixedPrice: true }), ['property.fixed-price']],
    ['another chain', ours({ chainId: '1' }), ['property.chain-id']],
    ['no code', fields, ['code.empty'], { ...facts, code: '0x' }],
    ['a clone of something else', fields, ['code.not-ours'], { ...facts, knownImplementations: [addressOf('other')] }],
    ['a contract of its own, with the function', fields, ['code.not-ours'], { ...facts, code: withReclaim }],
    [
      'a proxy without arguments',
      fields,
      ['code.not-ours', 'reclaim.method-absent'],
      { ...facts, code: proxyOf(implementation) },
    ],
  ]
  return cases.map(([name, document, codes, changed]) => {
    const bytes = stringToBytes(sortedJson(document))
    return { name, document, bytes: toHex(bytes), uri: `ipfs://${rawCid(bytes)}`, facts: changed ?? facts, codes }
  })
}

const files: Readonly<Record<string, unknown>> = {
  'reasoning/records.json': makeRecords(),
  'reasoning/hostile.json': makeHostile(),
  'agent-metadata/documents.json': makeDocuments(),
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const check = process.argv.includes('--check')
const stale = Object.entries(files).filter(([name, value]) => {
  const path = join(root, 'vectors', name)
  const content = `${JSON.stringify(value, null, 1)}\n`
  if (contentOf(path) === content) return false
  if (!check) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  return true
})
const list = stale.map(([name]) => name).join(', ')
if (check && stale.length > 0) {
  console.error(`Agent vectors are out of date: ${list}. Run node scripts/agent-vectors.ts and commit the result.`)
  process.exitCode = 1
} else {
  console.log(stale.length === 0 ? 'Agent vectors are up to date.' : `Wrote ${list}.`)
}
