import {
  type ContentResolver,
  createContentResolver,
  type FolderStore,
  nodeSha256,
  openContentStore,
  readLocalFile,
} from '@oikos/sdk/node'
import type { Hash } from 'viem'
import { type Connection, connect } from './chain/connect.ts'
import type { Input } from './input/input.ts'
import { createKeystore, type Keystore } from './keys/keystore.ts'
import { createOutput, invocationOf, type Output } from './output/output.ts'
import { resolveSettings, type Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** What a command works with; made once for each run. */
export type Context = {
  readonly terminal: Terminal
  readonly output: Output
  readonly settings: Settings
  readonly keystore: Keystore
  /** The chain; asked for only by commands that need it. The first call connects. */
  readonly connection: () => Promise<Connection>
  /** The content store of the settings; created when absent. */
  readonly store: () => Promise<FolderStore>
  /** Hashes that were signed and whose outcome is not known yet; an interruption must not lose them. */
  readonly pending: Set<Hash>
  /** Fetches content: the store, then URI and gateways. */
  readonly resolver: () => Promise<ContentResolver>
}

/** Makes the context of one command. Throws UsageError for settings that cannot be used. */
export async function createContext(terminal: Terminal, command: string, input: Input): Promise<Context> {
  const settings = await resolveSettings(terminal, input)
  const output = createOutput(terminal, command, invocationOf(terminal.env), {
    json: input.flag('json'),
    verbose: input.flag('verbose'),
  })
  const store = once(() => openContentStore(settings.contentFolder))
  return {
    terminal,
    output,
    settings,
    keystore: createKeystore(settings.keystoreFolder, terminal.entropy, terminal),
    connection: once(() => connect(settings, input)),
    store,
    pending: new Set(),
    resolver: once(async () =>
      createContentResolver({
        store: await store(),
        gateways: settings.gateways,
        fetch,
        readFile: readLocalFile,
        hash: nodeSha256,
        // the publisher of a task writes its URI: that must not make this machine call its own services
        allowLoopbackUris: input.flag('allow-loopback'),
      }),
    ),
  }
}

function once<value>(make: () => Promise<value>): () => Promise<value> {
  let made: Promise<value> | undefined
  return () => {
    made ??= make()
    return made
  }
}
