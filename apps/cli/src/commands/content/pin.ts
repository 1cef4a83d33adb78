import { setTimeout as sleep } from 'node:timers/promises'
import { parseCid } from '@oikos/core'
import { type PinEndpoint, pinToNode, pinToService } from '@oikos/sdk/node'
import { type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'

/** `oikos content pin`. */
export const pin: CommandSpec = {
  name: 'pin',
  summary: 'have an IPFS node or a pinning service keep an object and what its package needs',
  details:
    'An IPFS node is given the blocks and pins them. A pinning service fetches them from the network, where they must be; it is waited for. An access token comes from OIKOS_PIN_TOKEN and is never an argument. Pinning twice does no harm.',
  args: [['<cid>', 'with or without ipfs://']],
  options: [
    { flags: '--node <url>', text: 'RPC of an IPFS node (OIKOS_IPFS_NODE), such as http://127.0.0.1:5001' },
    { flags: '--service <url>', text: 'pinning service (OIKOS_PIN_SERVICE)' },
    { flags: '--name <name>', text: 'what the service shows' },
    { flags: '--pin-only', text: 'give the node no blocks: it has or finds them' },
    ...FETCH_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos content pin bafkreieakhpyskllbaqnzk6jwmr76cnwpv4yfysewwsw3blklpr5dlkj6q --node http://127.0.0.1:5001',
  ],
  run: async (context, input) => {
    const { output, terminal } = context
    const { env, signal } = terminal
    const cid = parseCid(input.argument(0).replace(/^ipfs:\/\//, ''))
    const named = { node: input.text('node'), service: input.text('service') }
    const isNamed = named.node !== undefined || named.service !== undefined
    const node = isNamed ? named.node : env['OIKOS_IPFS_NODE']
    const service = isNamed ? named.service : env['OIKOS_PIN_SERVICE']
    const token = env['OIKOS_PIN_TOKEN']
    const endpoint = (url: string): PinEndpoint => ({ url, fetch, signal, ...(token === undefined ? {} : { token }) })
    if (node !== undefined && service === undefined) {
      const source = (await context.resolver()).source({ signal })
      const pinned = await pinToNode(endpoint(node), input.flag('pin-only') ? { cid } : { cid, source })
      output.result({ ok: true, ...pinned }, [
        ...factLines(
          [
            ['pinned', cid],
            ['blocks given', String(pinned.uploaded)],
          ],
          output.paint,
        ),
      ])
      return EXIT.done
    }
    if (service === undefined || node !== undefined) {
      throw new UsageError('One place that pins is needed.', 'Give --node <url> or --service <url>.')
    }
    const name = input.text('name')
    output.say('waiting for the service')
    const pinned = await pinToService(endpoint(service), {
      cid,
      sleep: (ms) => sleep(ms, undefined, { signal }),
      ...(name === undefined ? {} : { name }),
    })
    output.result({ ok: true, ...pinned }, [
      ...factLines(
        [
          ['pinned', cid],
          ['request', plain(pinned.requestId)],
        ],
        output.paint,
      ),
    ])
    return EXIT.done
  },
}
