import { OikosError } from '../errors/oikos-error.ts'

/** Why a CAR is refused, or cannot be made. Stable codes. */
export type CarFault =
  | 'malformed'
  | 'truncated'
  | 'unsupported-version'
  | 'unsupported-cid'
  | 'hash-mismatch'
  | 'too-large'
  | 'too-many-blocks'
  | 'too-many-roots'
  | 'root-missing'
  | 'block-missing'

const ADVICE: Readonly<Record<CarFault, string>> = {
  malformed: 'Get the archive again; it is no CAR of version 1.',
  truncated: 'Get the archive again; it ends early.',
  'unsupported-version': 'Export it as a CAR of version 1.',
  'unsupported-cid': 'Only CIDs of version 1 with SHA-256 and the codecs raw and dag-cbor are kept.',
  'hash-mismatch': 'Do not use this archive or its source: its bytes are not those of its CIDs.',
  'too-large': 'Raise the limit if that is intended.',
  'too-many-blocks': 'Raise the limit if that is intended.',
  'too-many-roots': 'Split the archive.',
  'root-missing': 'Ask for an archive that has the blocks of its roots.',
  'block-missing': 'Fetch the missing blocks first.',
}

/** An archive is refused, or cannot be made. Of a refused archive nothing is kept. */
export class CarError extends OikosError {
  override readonly name = 'CarError'
  readonly code: CarFault

  constructor(code: CarFault, got: string, options?: { cause?: unknown }) {
    super(`The CAR cannot be used: ${got}.`, { advice: ADVICE[code], ...options })
    this.code = code
  }
}
