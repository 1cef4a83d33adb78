import type { SkillVerdict, TaskVerdict } from '@oikos/core'
import { OikosError } from '../errors/oikos-error.ts'

/** Why a folder cannot be packed. */
export type SourceFolderFault =
  | 'not-a-folder'
  | 'symbolic-link'
  | 'special-file'
  | 'hidden-file'
  | 'bad-name'
  | 'name-collision'
  | 'too-many-files'
  | 'file-too-large'
  | 'package-too-large'
  | 'file-changed'

const SOURCE_ADVICE: Readonly<Record<SourceFolderFault, string>> = {
  'not-a-folder': 'Name a folder that exists.',
  'symbolic-link': 'Put the file itself there; links can lead out of the folder.',
  'special-file': 'Remove it; only regular files and folders can be packed.',
  'hidden-file': 'Remove it, list it in `hidden`, or set `includeHidden`.',
  'bad-name': 'Rename the file.',
  'name-collision': 'Rename one of both; they would be one file on other file systems.',
  'too-many-files': 'Raise `limits.files` if that is intended.',
  'file-too-large': 'Raise `limits.objectBytes` if that is intended.',
  'package-too-large': 'Raise `limits.packageBytes` if that is intended.',
  'file-changed': 'Pack again when nothing writes to the folder.',
}

/** A folder is refused as the source of a package. `path` is the package path at fault, or the folder. */
export class SourceFolderError extends OikosError {
  override readonly name = 'SourceFolderError'
  readonly code: SourceFolderFault
  readonly path: string

  constructor(code: SourceFolderFault, path: string, got: string, options?: { cause?: unknown }) {
    const retryable = code === 'file-changed'
    super(`${JSON.stringify(path)} cannot be packed: ${got}.`, { advice: SOURCE_ADVICE[code], retryable, ...options })
    this.code = code
    this.path = path
  }
}

/** Why a folder cannot be written. */
export type OutputFolderFault = 'exists' | 'overlaps-source' | 'no-parent' | 'name-collision' | 'write-failed'

const OUTPUT_ADVICE: Readonly<Record<OutputFolderFault, string>> = {
  exists: 'Name a folder that does not exist; nothing is ever overwritten.',
  'overlaps-source': 'Name a folder outside the source, which also does not contain it.',
  'no-parent': 'Create the parent folder first.',
  'name-collision': 'The package cannot be written to a file system that ignores case or normalises names.',
  'write-failed': 'Nothing was left behind. Check space and permissions, then try again.',
}

/** A folder cannot be written; nothing is left behind. `path` is the folder, or the package path at fault. */
export class OutputFolderError extends OikosError {
  override readonly name = 'OutputFolderError'
  readonly code: OutputFolderFault
  readonly path: string

  constructor(code: OutputFolderFault, path: string, got: string, options?: { cause?: unknown }) {
    const retryable = code === 'write-failed'
    super(`${JSON.stringify(path)} cannot be written: ${got}.`, { advice: OUTPUT_ADVICE[code], retryable, ...options })
    this.code = code
    this.path = path
  }
}

/** A package was to be unpacked and did not verify; `verdict` says why. Retryable when blocks could not be fetched. */
export class PackageRefusedError extends OikosError {
  override readonly name = 'PackageRefusedError'
  readonly verdict: TaskVerdict | SkillVerdict

  constructor(verdict: TaskVerdict | SkillVerdict) {
    const first = verdict.findings[0]
    super(`The package is ${verdict.status}: ${first?.code} at ${first?.where}, ${first?.message}.`, {
      advice: 'Nothing was written. Read all findings in `verdict`.',
      retryable: verdict.status === 'incomplete',
    })
    this.verdict = verdict
  }
}

/** A block in a content store is not the one that its name says. Not retryable. */
export class CorruptBlockError extends OikosError {
  override readonly name = 'CorruptBlockError'
  readonly cid: string
  readonly file: string

  constructor(cid: string, file: string) {
    super(`The content store holds other bytes than those of ${cid}.`, {
      advice: `Remove ${file} and fetch the block again.`,
    })
    this.cid = cid
    this.file = file
  }
}
