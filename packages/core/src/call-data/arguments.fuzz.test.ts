import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { bytesToHex, encodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, it } from 'vitest'
import { readArguments, writeArguments } from './arguments.ts'
import { type ParameterType, parseSignature } from './signature.ts'

fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 8406) })

/** A random type of the contract ABI as text. */
const typeText = fc.letrec<{ type: string; tuple: string }>((tie) => ({
  tuple: fc.array(tie('type'), { minLength: 1, maxLength: 3 }).map((types) => `(${types.join(',')})`),
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('uint256', 'address', 'bool', 'bytes32', 'bytes', 'string', 'int8'),
    fc.tuple(tie('type'), fc.constantFrom('[]', '[2]', '[1]')).map(([type, suffix]) => type + suffix),
    tie('tuple'),
  ),
})).type

function makeValue(type: ParameterType, seed: () => number): unknown {
  switch (type.kind) {
    case 'word':
      if (type.text === 'address') return bytesToHex(Uint8Array.from({ length: 20 }, seed))
      if (type.text === 'bool') return seed() % 2 === 0
      if (type.text === 'bytes32') return bytesToHex(Uint8Array.from({ length: 32 }, seed))
      return type.text === 'int8' ? -(seed() % 100) : BigInt(bytesToHex(Uint8Array.from({ length: 32 }, seed)))
    case 'bytes':
      return type.text === 'string'
        ? 'x'.repeat(seed() % 70)
        : bytesToHex(Uint8Array.from({ length: seed() % 70 }, seed))
    case 'array':
      return Array.from({ length: type.length ?? seed() % 4 }, () => makeValue(type.element, seed))
    case 'tuple':
      return type.fields.map((field) => makeValue(field.type, seed))
    default:
      return type satisfies never
  }
}

it('reads and writes what viem encodes, for any types', () => {
  fc.assert(
    fc.property(
      fc.array(typeText, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat({ max: 255 })),
      (types, stream) => {
        const { parameters } = parseSignature(`f(${types.join(',')})`)
        const seed = () => stream.next().value ?? 0
        const values = parameters.map(({ type }) => makeValue(type, seed))
        const encoded = encodeAbiParameters(parseAbiParameters(types.join(',')) as never, values as never)
        const args = readArguments(hexToBytes(encoded.slice(2)), parameters)
        if (args === undefined) throw new Error(`refused ${encoded}`)
        expect(bytesToHex(writeArguments(args, parameters))).toBe(encoded)
      },
    ),
  )
})

it('answers to any bytes, and what it reads it writes to a fixed point', () => {
  fc.assert(
    fc.property(
      fc.array(typeText, { minLength: 1, maxLength: 3 }),
      fc.uint8Array({ maxLength: 300 }),
      (types, bytes) => {
        const { parameters } = parseSignature(`f(${types.join(',')})`)
        const args = readArguments(bytes, parameters)
        if (args === undefined) return
        const written = writeArguments(args, parameters)
        expect(readArguments(written, parameters)).toEqual(args)
      },
    ),
  )
})

it('bounds the work of arrays that point to the same bytes', () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const { parameters } = parseSignature('f(bytes[])')
  const count = 4_000
  // each of the pointers leads to the same 32 kB
  const data = `${word(32)}${word(count)}${word(count * 32).repeat(count)}${word(32_000)}${'00'.repeat(32_000)}`
  expect(readArguments(hexToBytes(data), parameters)).toBeUndefined()
})
