import { encodeAbiParameters, type Hex, stringToHex, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileMocks } from '../../../test/compile-mocks.ts'
import { type Market, startMarket } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

const mocks = compileMocks()
let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const six = toHex(6, { size: 32 })

async function metadataOf(symbolReply: Hex, decimalsReply: Hex): Promise<sdk.Asset> {
  const asset = await market.deployMock(mocks.HostileToken, [symbolReply, decimalsReply])
  return sdk.getAssetMetadata(market.as.stranger, { asset })
}

test('the native currency needs no contract', async () => {
  expect(await sdk.getAssetMetadata(market.as.stranger, { asset: zeroAddress })).toEqual(sdk.nativeAsset)
})

test('a common token says its symbol and decimals', async () => {
  const asset = await market.deployMock(mocks.TestToken, ['USDC', 6])
  expect(await sdk.getAssetMetadata(market.as.stranger, { asset })).toEqual({
    address: asset,
    symbol: 'USDC',
    decimals: 6,
    warnings: [],
  })
})

test('the bytes32 symbol of an early token is read', async () => {
  expect(await metadataOf(stringToHex('MKR', { size: 32 }), toHex(18, { size: 32 }))).toMatchObject({
    symbol: 'MKR',
    decimals: 18,
    warnings: [],
  })
})

describe('a hostile symbol', () => {
  test.each([
    ['is empty', text('')],
    ['is too long', text('A'.repeat(25))],
    ['is a book', text('A'.repeat(5_000))],
    ['has a line feed', text('USD\nC')],
    ['has an escape sequence', text('\u001b[31mUSDC')],
    ['has a zero', text('USDC\u0000')],
    ['turns the direction of text', text('\u202eCDSU')],
    ['has an invisible space', text('USD\u200bC')],
    ['has a space', text('1000 USDC')],
    ['has markup', text('<b>USDC</b>')],
    ['is no text', encodeAbiParameters([{ type: 'uint256' }], [2n ** 255n])],
    ['points outside', `0x${'ff'.repeat(64)}` as Hex],
    ['is not UTF-8', `0x${'ff'.repeat(32)}` as Hex],
    ['is missing', '0x' as Hex],
  ])('that %s gives way to the address', async (_, reply) => {
    const asset = await metadataOf(reply, six)
    expect(asset).toMatchObject({ decimals: 6, warnings: ['symbol-unreadable'] })
    expect(asset.symbol).toBe(sdk.shortAddress(asset.address))
  })

  test.each([['ETH'], ['eth'], ['wei'], ['gwei'], ['atomic']])('%s is not taken from a token', async (symbol) => {
    const asset = await metadataOf(text(symbol), six)
    expect(asset).toMatchObject({ symbol: sdk.shortAddress(asset.address), warnings: ['symbol-of-native'] })
    expect(() => sdk.parseAmount(`1 ${symbol === 'atomic' ? 'ETH' : symbol}`, asset)).toThrow(sdk.AmountFormatError)
  })

  test('letters beyond ASCII are shown with a warning', async () => {
    expect(await metadataOf(text('USD\u20ae0'), six)).toMatchObject({
      symbol: 'USD\u20ae0',
      warnings: ['symbol-non-ascii'],
    })
  })
})

describe('hostile decimals', () => {
  test.each([
    ['are more than any token has', toHex(37, { size: 32 })],
    ['are beyond uint8', toHex(2n ** 200n, { size: 32 })],
    ['are missing', '0x' as Hex],
    ['are too long', `${six}00` as Hex],
  ])('that %s leave amounts in the smallest unit, without the symbol', async (_, reply) => {
    const asset = await metadataOf(text('USDC'), reply)
    expect(asset).toMatchObject({ decimals: 0, symbol: sdk.shortAddress(asset.address) })
    expect(asset.warnings).toEqual(['decimals-unreadable'])
  })
})

test('neither a flood of bytes nor an address without code makes it fail', async () => {
  const flood = await market.deployMock(mocks.FloodingToken)
  for (const asset of [flood, market.address.judge]) {
    expect(await sdk.getAssetMetadata(market.as.stranger, { asset })).toEqual({
      address: asset,
      symbol: sdk.shortAddress(asset),
      decimals: 0,
      warnings: ['decimals-unreadable', 'symbol-unreadable'],
    })
  }
})
