import { bitcoinTxid, isBitcoinAddress, isSolanaAddress } from '@oikos/core/economic'
import { getBase58Decoder, getOffchainMessageV0Encoder, offchainMessageApplicationDomain } from '@solana/kit'
import { describe, expect, test } from 'vitest'
import { openRailKey } from '../custody/rail-key.ts'
import { bitcoinMessageTransactions, solanaMessageBytes, verifyWalletMessage } from './wallet-message.ts'

/** The key of the examples of BIP 322, L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k, as its address on regtest. */
const bip322Address = 'bcrt1q9vza2e8x573nczrlzms0wvx3gsqjx7vay85cr9'

function bitcoinAddress() {
  if (!isBitcoinAddress(bip322Address)) throw new Error('the address of the examples is none')
  return bip322Address
}

describe('BIP 322', () => {
  test.each([
    [
      '',
      'c5680aa69bb8d860bf82d4e9cd3504b55dde018de765a91bb566283c545a99a7',
      '1e9654e951a5ba44c8604c4de6c67fd78a27e81dcadcfe1edf638ba3aaebaed6',
    ],
    [
      'Hello World',
      'b79d196740ad5217771c1098fc4a4b51e0535c32236c71f1ea4d61a2d603352b',
      '88737ae86f2077145f93cc4b153ae9a1cb8d56afa511988c149c5c8c9d93bddf',
    ],
  ])('the transactions of the message "%s" have the published ids', (text, spentId, baseId) => {
    const { spent, base } = bitcoinMessageTransactions(bitcoinAddress(), text)
    expect([bitcoinTxid(spent), bitcoinTxid(base)]).toEqual([spentId, baseId])
  })

  test.each([
    [
      '',
      'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
    [
      'Hello World',
      'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=',
    ],
  ])('the published signature of "%s" verifies, and for no other text', async (text, signature) => {
    expect(await verifyWalletMessage('bitcoin', bip322Address, text, signature)).toBe(true)
    expect(await verifyWalletMessage('bitcoin', bip322Address, `${text}.`, signature)).toBe(false)
  })
})

describe('Solana off-chain messages', () => {
  test('are encoded as @solana/kit encodes them', () => {
    const { address } = openRailKey('solana', new Uint8Array(32).fill(7))
    if (!isSolanaAddress(address)) throw new Error('no address')
    const text = 'x402 paid-by-transaction v1\nnetwork: solana'
    const bytes = solanaMessageBytes(address, text)
    const encoded = getOffchainMessageV0Encoder().encode({
      version: 0,
      applicationDomain: offchainMessageApplicationDomain(getBase58Decoder().decode(bytes.subarray(17, 49))),
      content: { format: 1, text },
      requiredSignatories: [{ address }],
    } as never)
    expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(encoded).toString('hex'))
  })

  test('begin with a byte that no transaction begins with, and have a limit', () => {
    const { address } = openRailKey('solana', new Uint8Array(32).fill(7))
    if (!isSolanaAddress(address)) throw new Error('no address')
    expect(solanaMessageBytes(address, 'x')[0]).toBe(0xff)
    expect(() => solanaMessageBytes(address, '')).toThrow(RangeError)
    expect(() => solanaMessageBytes(address, 'x'.repeat(1_200))).toThrow(RangeError)
  })
})

describe.each(['evm', 'solana', 'bitcoin'] as const)('a message of a wallet on %s', (rail) => {
  const key = openRailKey(rail, new Uint8Array(32).fill(5))
  const stranger = openRailKey(rail, new Uint8Array(32).fill(6))

  test('verifies for its wallet and text, and for nothing else', async () => {
    const signature = await key.signMessage('pay')
    expect(await verifyWalletMessage(rail, key.address, 'pay', signature)).toBe(true)
    expect(await verifyWalletMessage(rail, key.address, 'pay ', signature)).toBe(false)
    expect(await verifyWalletMessage(rail, stranger.address, 'pay', signature)).toBe(false)
    expect(await verifyWalletMessage(rail, key.address, 'pay', await stranger.signMessage('pay'))).toBe(false)
  })

  test.each(['', '0x', 'AAAA', '1'.repeat(88), `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, '!', 'A'.repeat(5_000)])(
    'refuses the signature "%s" without throwing',
    async (signature) => {
      expect(await verifyWalletMessage(rail, key.address, 'pay', signature)).toBe(false)
    },
  )

  test('refuses what is no address of the rail', async () => {
    const signature = await key.signMessage('pay')
    for (const address of ['', key.address.toUpperCase(), 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'])
      expect(await verifyWalletMessage(rail, address, 'pay', signature)).toBe(false)
  })
})
