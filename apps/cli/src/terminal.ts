/** Everything of the outside world that the program touches beside files and the network; a test gives its own. */
export type Terminal = {
  /** Results. */
  readonly writeOut: (text: string) => void
  /** Progress, questions and errors. */
  readonly writeError: (text: string) => void
  /** Whether colour may go to each stream: a terminal, and no NO_COLOR. */
  readonly colourOut: boolean
  readonly colourError: boolean
  /** Whether a person can answer a question. */
  readonly interactive: boolean
  /** Columns of the terminal; 80 when there is none. */
  readonly columns: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder that relative paths of the command line start from. */
  readonly cwd: string
  /** Home folder of the user. */
  readonly userHome: string
  /** Folder of the checkout that this program runs from, where `npm start` leaves what it deployed. */
  readonly checkout: string
  /** Asks with echo, for a confirmation, until `signal` is aborted. Throws InterruptedError. */
  readonly ask: (question: string, signal?: AbortSignal) => Promise<string>
  /** Asks without echo, for a secret. Throws InterruptedError. */
  readonly askSecret: (question: string) => Promise<string>
  /** Uniformly random bytes of a cryptographic generator. */
  readonly entropy: (length: number) => Uint8Array
  /** Work of scrypt for a key that is made; absent: what encryptSecret says. A test lowers it to save time. */
  readonly scryptCost?: number
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}
