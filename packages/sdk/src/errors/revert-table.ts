import type { Abi, AbiParameter, AbiParameterToPrimitiveType } from 'viem'
import type { Speech } from './speech.ts'

/** A custom error in an ABI. */
export type AbiErrorItem = Extract<Abi[number], { type: 'error' }>

/** What a revert means to the person who made the call. */
export type RevertExplanation = {
  /** What the contract refused and why, with amounts and times written out. */
  sentence: string
  /** What to do about it. */
  advice: string
  /** Whether the same call succeeds later by the clock or by somebody else's doing. Absent means no. */
  retryable?: boolean
  /** From when on it may succeed, in unix seconds, where the clock decides. */
  retryAtSec?: bigint
}

type NamedArguments<inputs extends readonly AbiParameter[]> = {
  readonly [input in inputs[number] as input['name'] & string]: AbiParameterToPrimitiveType<input>
}

/**
 * One explanation for every custom error of an ABI. The type is exact: a contract that gains an error, loses one or
 * changes the arguments of one does not compile against its table.
 */
export type RevertTable<abi extends Abi> = {
  readonly [error in Extract<abi[number], { type: 'error' }> as error['name']]: (
    args: NamedArguments<error['inputs']>,
    say: Speech,
  ) => RevertExplanation
}

/** A table as the lookup by name sees it: arguments were decoded with the ABI that the table was checked against. */
export type AnyRevertTable = Readonly<
  Record<string, (args: Readonly<Record<string, unknown>>, say: Speech) => RevertExplanation>
>

/** The arguments of a decoded error under their names in the ABI. */
export function nameArguments(item: AbiErrorItem, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(item.inputs.map((input, index) => [input.name ?? String(index), values[index]]))
}
