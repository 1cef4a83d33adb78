import { resolve } from 'node:path'
import { parseTaskHash } from '@oikos/core'
import { type CommandSpec, KEY_OPTIONS, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import { packIntoStore } from '../../content/pack.ts'
import { ROLE_OPTIONS, SEAL_OPTIONS } from '../../content/package-options.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { MAX_UINT64, parseCount, parseWhole } from '../../input/number.ts'
import { factLines } from '../../output/layout.ts'
import { plain } from '../../output/plain.ts'

/** `oikos task pack`: turn a folder into a package. */
export const pack: CommandSpec = {
  name: 'pack',
  summary: 'turn a folder into a content-addressed package',
  details: 'All objects go into the content store. With --out, a folder with the package appears, whole or not at all.',
  args: [['<folder>', 'folder with TASK.md']],
  options: [
    { flags: '--out <folder>', text: 'also write the package there; must not exist' },
    ...ROLE_OPTIONS,
    ...SEAL_OPTIONS,
    { flags: '--completions <count>', text: 'number of completions, checked against fulfillment.json' },
    { flags: '--task-version <number>', text: 'version that this will be on the chain (default 1)' },
    { flags: '--previous <hash>', text: 'taskHash of the version before' },
    ...STORE_OPTIONS,
    ...KEY_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos task pack my-task',
    'oikos task pack my-task --out my-package --json',
    'oikos task pack my-task --encrypt data.csv --recipient worker-box',
  ],
  run: async (context, input) => {
    const { output, terminal } = context
    const out = input.text('out')
    const packed = await packIntoStore(context, input, input.argument(0), {
      ...readBinding(input),
      ...(out === undefined ? {} : { output: resolve(terminal.cwd, out) }),
    })
    const { tdHash, taskHash, rootCid, version, leaves } = packed
    const files = leaves.map(({ path, role, cid, sizeBytes, encrypted }) => ({ path, role, cid, sizeBytes, encrypted }))
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
    output.result(
      {
        ok: true,
        tdHash,
        taskHash,
        rootCid,
        version,
        uri: `ipfs://${rootCid}`,
        files,
        sizeBytes,
        folder: packed.output,
      },
      factLines(
        [
          ['tdHash', tdHash],
          ['taskHash', taskHash],
          ['root CID', rootCid],
          ['files', files.map((file) => fileText(file))],
        ],
        output.paint,
      ),
    )
    output.say(`The objects are in ${context.settings.contentFolder}.`)
    const mint = `task mint --td-hash ${tdHash} --task-hash ${taskHash} --uri ipfs://${rootCid}`
    output.next(`${mint} --reward "<amount>" --judge <account> --window 3d`)
    return EXIT.done
  },
}

function readBinding(input: Input) {
  const [completions, version, previous] = [
    input.text('completions'),
    input.text('task-version'),
    input.text('previous'),
  ]
  const number = version === undefined ? 1n : parseWhole(version, '--task-version', { min: 1n, max: MAX_UINT64 })
  if (number > 1n !== (previous !== undefined)) {
    throw new UsageError(
      'A version after the first names the one before it, and the first names none.',
      'Give --task-version and --previous together, or let "task update" do it.',
    )
  }
  return {
    version: number,
    ...(previous === undefined ? {} : { prev: parseTaskHash(previous) }),
    ...(completions === undefined ? {} : { maxCompletions: parseCount(completions, '--completions') }),
  }
}

function fileText(file: { path: string; role: string; sizeBytes: number; encrypted: boolean }): string {
  return `${plain(file.path)}  ${file.role}, ${file.sizeBytes} bytes${file.encrypted ? ', encrypted' : ''}`
}
