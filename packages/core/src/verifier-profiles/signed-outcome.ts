import { secp256k1 } from '@noble/curves/secp256k1.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { digestBytes, type Keccak256Digest, keccak256 } from '../digest/index.ts'
import { addressBytes, toHex, word } from './bytes.ts'
import { VerifierProfileError } from './errors.ts'

/** Acceptance profile of SignedOutcomeVerifier.sol. Twin of that contract; vectors/verifier-profiles holds both. */
export const SIGNED_OUTCOME_PROFILE = 'x-signed-outcome-eip712-v1' as const

/** Acceptance profile of StreakVerifier.sol: the same signatures in a domain of its own. */
export const STREAK_PROFILE = 'x-streak-eip712-v1' as const

/** A profile whose proof is a list of signatures. */
export type OutcomeProfile = typeof SIGNED_OUTCOME_PROFILE | typeof STREAK_PROFILE

/** Name and version of the EIP-712 domain of each profile. Source: the constructors of the two verifiers. */
export const OUTCOME_DOMAINS: Readonly<Record<OutcomeProfile, { readonly name: string; readonly version: string }>> = {
  [SIGNED_OUTCOME_PROFILE]: { name: 'Oikos Signed Outcome', version: '1' },
  [STREAK_PROFILE]: { name: 'Oikos Streak', version: '1' },
}

/** Most attestors of one tender. Source: AttestedOutcome.sol, MAX_ATTESTORS. */
export const MAX_ATTESTORS = 32

/** Where a signature counts. */
export type OutcomeDomain = {
  readonly profile: OutcomeProfile
  readonly chainId: number
  /** The verifier contract. Addresses are 0x and 40 hexadecimal digits, in any case. */
  readonly verifier: string
}

/** What an attestor signs: one delivery of one tender, with its fulfiller and its result. */
export type DeliveryOutcome = {
  readonly taskContract: string
  /** From 0 to 2^256 - 1, as is submissionId. */
  readonly tokenId: bigint
  readonly submissionId: bigint
  readonly fulfiller: string
  /** Commitment of the delivery, 32 bytes in hexadecimal. */
  readonly resultHash: string
}

const TYPES = {
  Outcome: [
    { name: 'taskContract', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'submissionId', type: 'uint256' },
    { name: 'fulfiller', type: 'address' },
    { name: 'resultHash', type: 'bytes32' },
  ],
} as const

/** An outcome in the form that wallets sign. Source: EIP-712, eth_signTypedData. */
export type OutcomeTypedData = {
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: `0x${string}`
  }
  readonly types: typeof TYPES
  readonly primaryType: 'Outcome'
  readonly message: {
    readonly taskContract: `0x${string}`
    readonly tokenId: bigint
    readonly submissionId: bigint
    readonly fulfiller: `0x${string}`
    readonly resultHash: `0x${string}`
  }
}

/** The typed data that an attestor's wallet signs. Throws {@link VerifierProfileError} for what is no address or digest. */
export function outcomeTypedData(domain: OutcomeDomain, outcome: DeliveryOutcome): OutcomeTypedData {
  const address = (field: string, text: string): `0x${string}` => toHex(addressBytes(field, text))
  return {
    domain: {
      ...OUTCOME_DOMAINS[domain.profile],
      chainId: domain.chainId,
      verifyingContract: address('verifier', domain.verifier),
    },
    types: TYPES,
    primaryType: 'Outcome',
    message: {
      taskContract: address('taskContract', outcome.taskContract),
      tokenId: outcome.tokenId,
      submissionId: outcome.submissionId,
      fulfiller: address('fulfiller', outcome.fulfiller),
      resultHash: toHex(wordOfDigest(outcome.resultHash)),
    },
  }
}

const utf8 = new TextEncoder()
const hashText = (text: string): Uint8Array => digestBytes(keccak256(utf8.encode(text)))
const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'
const OUTCOME_TYPE = `Outcome(${TYPES.Outcome.map(({ type, name }) => `${type} ${name}`).join(',')})`

/**
 * The digest that an attestor signs. Source: EIP-712, hashTypedData.
 * @throws VerifierProfileError for a number that does not fit or a text that is no address or digest
 */
export function outcomeDigest(domain: OutcomeDomain, outcome: DeliveryOutcome): Keccak256Digest {
  const { name, version } = OUTCOME_DOMAINS[domain.profile]
  const separator = keccak256(
    concatBytes(
      hashText(DOMAIN_TYPE),
      hashText(name),
      hashText(version),
      wordOfNumber('chainId', BigInt(domain.chainId)),
      wordOfAddress('verifier', domain.verifier),
    ),
  )
  const struct = keccak256(
    concatBytes(
      hashText(OUTCOME_TYPE),
      wordOfAddress('taskContract', outcome.taskContract),
      wordOfNumber('tokenId', outcome.tokenId),
      wordOfNumber('submissionId', outcome.submissionId),
      wordOfAddress('fulfiller', outcome.fulfiller),
      wordOfDigest(outcome.resultHash),
    ),
  )
  return keccak256(concatBytes(Uint8Array.of(0x19, 0x01), digestBytes(separator), digestBytes(struct)))
}

/**
 * Who made a signature of 65 bytes (r, s, v), in lower case; undefined for one that the verifier would not take: of
 * another length, with a high s, or with another v than 27 and 28. Source: EIP-2; OpenZeppelin ECDSA.tryRecover.
 */
export function recoverOutcomeSigner(digest: Keccak256Digest, signature: string): `0x${string}` | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  const bytes = hexToBytes(signature.slice(2))
  const recovery = (bytes[64] ?? 0) - 27
  if (recovery !== 0 && recovery !== 1) return undefined
  try {
    const parsed = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact').addRecoveryBit(recovery)
    if (parsed.hasHighS()) return undefined
    const publicKey = parsed.recoverPublicKey(digestBytes(digest)).toBytes(false)
    return toHex(digestBytes(keccak256(publicKey.subarray(1))).subarray(12))
  } catch {
    return undefined
  }
}

/**
 * Addresses in the order in which they are committed: ascending, as they were spelled.
 * @throws VerifierProfileError for one that is no address, zero or named twice, for none and for more than 32
 */
export function sortAttestors<address extends string>(attestors: readonly address[]): readonly address[] {
  if (attestors.length === 0 || attestors.length > MAX_ATTESTORS) {
    throw new VerifierProfileError('attestors', `${attestors.length}`, `1 to ${MAX_ATTESTORS} attestors`)
  }
  const keyed = attestors.map((attestor, index) => ({
    attestor,
    key: toHex(addressBytes(`attestors[${index}]`, attestor)),
  }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  for (const [index, { key }] of keyed.entries()) {
    if (key === keyed[index - 1]?.key || /^0x0{40}$/.test(key)) {
      throw new VerifierProfileError('attestors', key, 'addresses other than zero, each once')
    }
  }
  return keyed.map(({ attestor }) => attestor)
}

/**
 * The proof that settles a delivery: `abi.encode(bytes[] signatures)` with exactly the threshold of them, in ascending
 * order of their signers. Signatures that count twice, are by nobody who attests or are beyond the threshold are left out.
 * @param parts.attestors who counts; absent takes every signer
 * @throws VerifierProfileError when fewer attestors than the threshold have signed this digest
 */
export function encodeOutcomeProof(parts: {
  digest: Keccak256Digest
  signatures: readonly string[]
  threshold: number
  attestors?: readonly string[]
}): `0x${string}` {
  const counted = parts.attestors?.map((attestor) => attestor.toLowerCase())
  const bySigner = new Map<string, string>()
  for (const signature of parts.signatures) {
    const signer = recoverOutcomeSigner(parts.digest, signature)
    if (signer !== undefined && (counted === undefined || counted.includes(signer))) bySigner.set(signer, signature)
  }
  if (bySigner.size < parts.threshold || parts.threshold < 1) {
    throw new VerifierProfileError('signatures', `${bySigner.size} that count`, `${parts.threshold} of attestors`)
  }
  const chosen = [...bySigner].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, parts.threshold)
  const elements = chosen.map(([, signature]) => signatureElement(signature))
  const offsets = elements.map((_, index) => word(32 * chosen.length + index * ELEMENT_BYTES))
  return toHex(concatBytes(word(32), word(chosen.length), ...offsets, ...elements))
}

/** A signature with its length before it, padded to whole words. */
const ELEMENT_BYTES = 32 + 96

function signatureElement(signature: string): Uint8Array {
  const element = new Uint8Array(ELEMENT_BYTES)
  element.set(word(65))
  element.set(hexToBytes(signature.slice(2)), 32)
  return element
}

function wordOfAddress(field: string, address: string): Uint8Array {
  return concatBytes(new Uint8Array(12), addressBytes(field, address))
}

function wordOfDigest(text: string): Uint8Array {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) {
    throw new VerifierProfileError('resultHash', text, '0x and 64 hexadecimal digits')
  }
  return hexToBytes(text.slice(2))
}

function wordOfNumber(field: string, value: bigint): Uint8Array {
  if (value < 0n || value >> 256n !== 0n) throw new VerifierProfileError(field, `${value}`, '0 to 2^256 - 1')
  return hexToBytes(value.toString(16).padStart(64, '0'))
}
