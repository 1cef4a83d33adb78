/** Arguments and options of one command, by the names that the command declared. */
export type Input = {
  /** An argument by its place; required ones are there. */
  readonly argument: (index: number) => string
  readonly optionalArgument: (index: number) => string | undefined
  /** Value of an option, by its long name without dashes. */
  readonly text: (name: string) => string | undefined
  readonly flag: (name: string) => boolean
  /** Values of an option that may be given several times. */
  readonly list: (name: string) => readonly string[]
}

/** Reads what the command line parser made of the arguments and options. */
export function createInput(args: readonly (string | undefined)[], options: Readonly<Record<string, unknown>>): Input {
  const value = (name: string): unknown =>
    options[name.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())]
  return {
    argument: (index) => {
      const text = args[index]
      if (text === undefined) throw new RangeError(`argument ${index} is not declared as required`)
      return text
    },
    optionalArgument: (index) => args[index],
    text: (name) => {
      const text = value(name)
      return typeof text === 'string' ? text : undefined
    },
    flag: (name) => value(name) === true,
    list: (name) => {
      const list = value(name)
      return Array.isArray(list) ? (list as readonly string[]) : []
    },
  }
}
