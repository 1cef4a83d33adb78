import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate that signs itself, with its key, for servers of tests. */
export type SelfSigned = { readonly certificatePem: string; readonly keyPem: string }

/** Makes a P-256 certificate for a host name, valid from 2020 to 2049. Source of the form: RFC 5280, section 4.1. */
export function selfSign(host: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(host)))))
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(host))))))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = certificate.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()
  return {
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, Buffer.concat(parts))
const set = (content: Uint8Array) => der(0x31, content)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
