import { describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './limits.ts'
import { findDocumentPathFault, findPathFault } from './paths.ts'

const fault = (path: string) => findPathFault(path, DEFAULT_LIMITS)?.code

describe('findPathFault', () => {
  it('ERC-8414 Package paths: relative, no backslash, no empty segment, no dot segments', () => {
    expect(fault('')).toBe('path.empty')
    expect(fault('/a')).toBe('path.absolute')
    expect(fault('a\\b')).toBe('path.backslash')
    for (const path of ['a//b', 'a/']) expect(fault(path)).toBe('path.empty-segment')
    for (const path of ['.', '..', './a', 'a/..', 'a/./b']) expect(fault(path)).toBe('path.dot-segment')
  })

  it('lets through what is only unusual: spaces, dots inside, other scripts, emoji', () => {
    for (const path of ['a b', '...', '.env', 'a..b', 'caf\u00e9', '\u4efb\u52a1/\u6587\u4ef6.md', '\u{1f4c4}'])
      expect(fault(path)).toBeUndefined()
  })

  it('refuses half of a surrogate pair, which has no UTF-8 form', () => {
    expect(fault('a\ud800')).toBe('path.not-unicode')
  })

  it('counts bytes, not characters', () => {
    expect(fault('a'.repeat(1024))).toBeUndefined()
    expect(fault('\u00e9'.repeat(512))).toBeUndefined()
    expect(fault('\u00e9'.repeat(513))).toBe('path.too-long')
  })
})

describe('findDocumentPathFault', () => {
  it('refuses the names of links at the top only, and byte for byte', () => {
    for (const name of ['manifest.json', 'fulfillment.json', 'confidentiality.json'])
      expect(findDocumentPathFault(name, DEFAULT_LIMITS)?.code).toBe('path.reserved')
    for (const name of ['sub/manifest.json', 'Manifest.json', 'manifest.json.bak'])
      expect(findDocumentPathFault(name, DEFAULT_LIMITS)).toBeUndefined()
  })
})
