/** What the number means with which the command ends. Documented in docs/cli.md and in `oikos --help`. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  unavailable: 3,
  notFound: 4,
  unknownOutcome: 5,
  declined: 6,
  unexpected: 7,
  interrupted: 130,
} as const

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Every exit code with its meaning, in the order in which help and documentation list them. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.done, 'done; a verdict is positive; a dry run would succeed'],
  [EXIT.refused, 'a verdict is negative, or the contract refuses (in the simulation or on the chain)'],
  [EXIT.usage, 'the command line, an input file, a key or the configuration is wrong'],
  [EXIT.unavailable, 'a node or a disk did not answer; the same command may succeed later'],
  [EXIT.notFound, 'no such task, submission, contract, key, folder or object'],
  [EXIT.unknownOutcome, 'a transaction was sent and its outcome is not known: check its hash, do not send again'],
  [EXIT.declined, 'you did not confirm; nothing was sent'],
  [EXIT.unexpected, 'a failure that none of the others describes'],
  [EXIT.interrupted, 'interrupted by Ctrl-C'],
]
