import { toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { SignatureFormatError } from './errors.ts'
import { parseSignature } from './signature.ts'

describe('parseSignature', () => {
  it.each([
    ['transfer(address to, uint256 amount)', 'transfer(address,uint256)'],
    ['reclaim()', 'reclaim()'],
    ['function f ( uint x , int )', 'f(uint256,int256)'],
    ['function(uint8)', 'function(uint8)'],
    ['f(bytes calldata data, string memory s, address payable who)', 'f(bytes,string,address)'],
    ['f((address token, uint24 fee) p, uint256[2][] q)', 'f((address,uint24),uint256[2][])'],
    ['f(tuple(bytes32,bool)[3] p)', 'f((bytes32,bool)[3])'],
    ['f(function g, bytes1 h, uint8 i, int256 j)', 'f(function,bytes1,uint8,int256)'],
    ['$_x9(bool calldata)', '$_x9(bool)'],
  ])('reads %s', (text, canonical) => {
    const signature = parseSignature(text)
    expect(signature.canonical).toBe(canonical)
    expect(signature.selector).toBe(toFunctionSelector(canonical))
  })

  it('knows how many words stand in the head', () => {
    const words = (type: string) =>
      parseSignature(`f(${type})`).parameters.map(({ type: { words, dynamic } }) => [words, dynamic])
    expect(words('uint8')).toEqual([[1, false]])
    expect(words('(uint8,bool)')).toEqual([[2, false]])
    expect(words('(uint8,bool)[3]')).toEqual([[6, false]])
    expect(words('(uint8,bytes)')).toEqual([[1, true]])
    expect(words('(uint8,bytes)[3]')).toEqual([[1, true]])
    expect(words('uint8[]')).toEqual([[1, true]])
    expect(words('string,uint8')).toEqual([
      [1, true],
      [1, false],
    ])
  })

  it.each([
    '',
    'f',
    '(uint256)',
    'f(uint257)',
    'f(uint7)',
    'f(bytes33)',
    'f(bytes0)',
    'f(fixed128x18)',
    'f(uint256',
    'f(uint256 a b)',
    'f(uint256,)',
    'f(,uint256)',
    'f(uint256 a, uint256 a)',
    'f(uint256[0])',
    'f(uint256[01])',
    'f(uint256[-1])',
    'f(uint256) external',
    'f(uint256);',
    'f(tuple)',
    'f(Foo)',
    `f(${'('.repeat(10)}uint256${')'.repeat(10)})`,
    'f(uint256[9999])',
    'f(uint256[2000], uint256[2000])',
    `f(${'uint256,'.repeat(1_000)}uint256)`,
    'ｆ(uint256)',
  ])('refuses %j', (text) => {
    expect(() => parseSignature(text)).toThrow(SignatureFormatError)
  })
})
