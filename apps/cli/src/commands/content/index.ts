import { Readable } from 'node:stream'
import { MAX_OBJECT_BYTES, parseCid } from '@oikos/core'
import { nodeSha256 } from '@oikos/sdk/node'
import { type CommandSpec, FETCH_OPTIONS, type GroupSpec, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import { writeNewFile } from '../../content/new-file.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { readInputFile } from '../../input/file.ts'
import { factLines } from '../../output/layout.ts'
import { plainLines } from '../../output/plain.ts'
import { exportArchive, importArchive } from './archive.ts'
import { collect } from './collect.ts'
import { pin } from './pin.ts'
import { serve } from './serve.ts'

const add: CommandSpec = {
  name: 'add',
  summary: 'put a file into the content store',
  args: [['<file>', 'at most 64 MiB']],
  options: [...STORE_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos content add report.pdf'],
  run: async (context, input) => {
    const bytes = await readInputFile(context.terminal.cwd, input.argument(0), { maxBytes: MAX_OBJECT_BYTES })
    const cid = await (await context.store()).put(bytes)
    const document = { cid, sha256: nodeSha256(bytes), uri: `ipfs://${cid}`, sizeBytes: bytes.length }
    const { output } = context
    output.result(
      { ok: true, ...document },
      factLines(
        [
          ['CID', cid],
          ['SHA-256', document.sha256],
          ['bytes', String(bytes.length)],
        ],
        output.paint,
      ),
    )
    output.next(`content get ${cid}`)
    return EXIT.done
  },
}

const get: CommandSpec = {
  name: 'get',
  summary: 'get an object by its CID: from the store, else from gateways, checked',
  args: [['<cid>', 'with or without ipfs://']],
  options: [{ flags: '--out <file>', text: 'write it there; must not exist' }, ...FETCH_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos content get bafkreieakhpyskllbaqnzk6jwmr76cnwpv4yfysewwsw3blklpr5dlkj6q --out TASK.md'],
  run: async (context, input) => {
    const { output, terminal } = context
    const cid = parseCid(input.argument(0).replace(/^ipfs:\/\//, ''))
    const source = (await context.resolver()).source({ signal: terminal.signal })
    const bytes = await source.get(cid, { maxBytes: MAX_OBJECT_BYTES })
    if (bytes === undefined) {
      throw new NotFoundError(
        `Nothing gave the bytes of ${cid}.`,
        'Add --gateway <url>, or --content <folder> with another store.',
      )
    }
    const out = input.text('out')
    if (out !== undefined) await writeNewFile(terminal.cwd, out, Readable.from([bytes]))
    const document = { cid, sizeBytes: bytes.length, file: out }
    output.result(
      { ok: true, ...document, ...(out === undefined ? { base64: Buffer.from(bytes).toString('base64') } : {}) },
      out === undefined ? [plainLines(readText(bytes, cid))] : [out],
    )
    return EXIT.done
  },
}

/** `oikos content`: objects by their hash. */
export const content: GroupSpec = {
  name: 'content',
  summary: 'the content store: objects by their hash',
  commands: [add, get, serve, exportArchive, importArchive, pin, collect],
}

function readText(bytes: Uint8Array, cid: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UsageError(`${cid} is not text, so it is not printed.`, 'Write it to a file with --out.', { cause })
  }
}
