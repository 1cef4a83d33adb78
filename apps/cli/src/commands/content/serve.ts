import { once } from 'node:events'
import { serveContent } from '@oikos/sdk/node'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseWhole } from '../../input/number.ts'
import { factLines } from '../../output/layout.ts'

/** `oikos content serve`. */
export const serve: CommandSpec = {
  name: 'serve',
  summary: 'serve the content store as an HTTP gateway until Ctrl-C',
  details:
    'GET and HEAD of /ipfs/<cid>, with ranges, ETag and immutable caching; ?format=raw and ?format=car. Every block is compared with its CID before it is sent, and none is sent as a page. It listens on this machine only unless --host says otherwise; there it answers to names of loopback alone.',
  options: [
    { flags: '--host <address>', text: 'address to listen on (default 127.0.0.1)' },
    { flags: '--port <number>', text: 'port (default 8081; 0 for any free one)' },
    { flags: '--allow-origin <origin>', text: 'web pages that may read: an origin, or * (default none)' },
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos content serve', 'oikos content serve --host 0.0.0.0 --port 80 --allow-origin "*"'],
  run: async (context, input) => {
    const { output, terminal } = context
    const port = Number(parseWhole(input.text('port') ?? '8081', '--port', { min: 0n, max: 65_535n }))
    const [host, allowOrigin] = [input.text('host'), input.text('allow-origin')]
    if (allowOrigin !== undefined && !isOrigin(allowOrigin)) {
      throw new UsageError('--allow-origin is no origin.', 'Write it like https://example.org, or "*".')
    }
    const store = await context.store()
    const gateway = await serveContent({
      store,
      port,
      ...(host === undefined ? {} : { host }),
      ...(allowOrigin === undefined ? {} : { allowOrigin }),
    })
    output.result(
      { ok: true, url: gateway.url, folder: store.folder },
      factLines(
        [
          ['gateway', gateway.url],
          ['content', store.folder],
        ],
        output.paint,
      ),
    )
    output.say('Ctrl-C ends it.')
    if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    await gateway.close()
    return EXIT.done
  },
}

function isOrigin(text: string): boolean {
  return text === '*' || (URL.canParse(text) && new URL(text).origin === text)
}
