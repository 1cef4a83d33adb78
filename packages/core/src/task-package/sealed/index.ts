export { CHUNK_BYTES, HEADER_BYTES, SEALED_MODE, SEALED_PROFILE, sealedBytes } from './format.ts'
export {
  type Entropy,
  type SealedKeyPair,
  sealedKeyId,
  sealedKeyPair,
  sealedKeyPairFrom,
  type WrappedKey,
} from './keys.ts'
export { createSealedOpener, openSealedObject } from './open.ts'
export { createSealer, MAX_RECIPIENTS, type SealingContext, sealObject } from './seal.ts'
