import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseCid } from '@oikos/core'
import { exportCar, importCar, nodeSha256 } from '@oikos/sdk/node'
import { type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import { writeNewFile } from '../../content/new-file.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { factLines } from '../../output/layout.ts'

/** `oikos content export`. */
export const exportArchive: CommandSpec = {
  name: 'export',
  summary: 'write objects into one CAR file: each CID and, of a package, all that it needs',
  args: [['<cid>', 'with or without ipfs://']],
  options: [
    { flags: '--out <file>', text: 'the archive; must not exist' },
    { flags: '--also <cid>', text: 'another root of the archive; may be repeated', many: true },
    { flags: '--block-only', text: 'the blocks themselves, without what their packages need' },
    ...FETCH_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos content export bafkreieakhpyskllbaqnzk6jwmr76cnwpv4yfysewwsw3blklpr5dlkj6q --out record.car'],
  run: async (context, input) => {
    const { output, terminal } = context
    const roots = [input.argument(0), ...input.list('also')].map((text) => parseCid(text.replace(/^ipfs:\/\//, '')))
    const out = input.text('out')
    if (out === undefined) throw new UsageError('Nothing says where the archive goes.', 'Add --out <file>.')
    const source = (await context.resolver()).source({ signal: terminal.signal })
    const follow = !input.flag('block-only')
    const pieces = exportCar({ source, roots, follow, hash: nodeSha256, signal: terminal.signal })
    let blocks = 0
    const sizeBytes = await writeNewFile(
      terminal.cwd,
      out,
      (async function* () {
        const { blocks: written } = yield* pieces
        blocks = written.length
      })(),
    )
    output.result({ ok: true, file: out, roots, blocks, sizeBytes }, [
      ...factLines(
        [
          ['archive', out],
          ['blocks', String(blocks)],
          ['bytes', String(sizeBytes)],
        ],
        output.paint,
      ),
    ])
    output.next(`content import ${out}`)
    return EXIT.done
  },
}

/** `oikos content import`. */
export const importArchive: CommandSpec = {
  name: 'import',
  summary: 'take a CAR file into the content store: all of it, checked, or nothing',
  args: [['<file>', 'a CAR of version 1, at most 1 GiB and 100,000 blocks']],
  options: [...STORE_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos content import record.car'],
  run: async (context, input) => {
    const { output, terminal } = context
    const named = input.argument(0)
    const file = resolve(terminal.cwd, named)
    const state = await stat(file).catch(() => undefined)
    if (!state?.isFile()) throw new NotFoundError(`There is no file ${JSON.stringify(named)}.`, 'Check the path.')
    const { signal } = terminal
    const imported = await importCar(await context.store(), createReadStream(file), { signal })
    output.result({ ok: true, ...imported }, [
      ...factLines(
        [
          ['roots', imported.roots.length === 0 ? 'none' : imported.roots],
          ['blocks', `${imported.blocks}, ${imported.added} of them new`],
          ['bytes', String(imported.sizeBytes)],
        ],
        output.paint,
      ),
    ])
    const [root] = imported.roots
    if (root !== undefined) output.next(`content get ${root} --out <file>`)
    return EXIT.done
  },
}
