import { UsageError } from '../errors.ts'
import type { Input } from './input.ts'

/** The value of an option that a command cannot do without. Throws UsageError. */
export function requiredText(input: Input, option: string): string {
  const text = input.text(option)
  if (text !== undefined) return text
  throw new UsageError(`--${option} is missing.`, 'See --help.')
}
