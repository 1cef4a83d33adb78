import { access } from 'node:fs/promises'
import { errorFields } from './log.ts'
import type { Halt } from './store/notes.ts'

/**
 * Whether an operator must stand still: while its file exists, or while a halt is in the database, which all processes see.
 * A switch that cannot be read is on.
 */
export class KillSwitch {
  readonly #file: string | undefined
  readonly #findHalt: () => Promise<Halt | undefined>

  constructor(file: string | undefined, findHalt: () => Promise<Halt | undefined>) {
    this.#file = file
    this.#findHalt = findHalt
  }

  /** Why nothing may be signed or sent now, or undefined. */
  async findReason(): Promise<string | undefined> {
    if (this.#file !== undefined) {
      try {
        await access(this.#file)
        return `the file ${this.#file} exists`
      } catch (cause) {
        const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
        if (!isAbsent) return `the kill switch cannot be read (${errorFields(cause).error})`
      }
    }
    const halt = await this.#findHalt()
    return halt === undefined ? undefined : `halted: ${halt.reason}`
  }
}
