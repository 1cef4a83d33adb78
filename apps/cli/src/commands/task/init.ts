import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'

/** `oikos task init`: a folder to begin with. */
export const init: CommandSpec = {
  name: 'init',
  summary: 'write the skeleton of a task into a folder; overwrites nothing',
  args: [['<folder>', 'made when it does not exist']],
  options: [{ flags: '--name <name>', text: 'name of the task (default: the name of the folder)' }, ...OUTPUT_OPTIONS],
  examples: ['oikos task init my-task', 'oikos task init my-task --name "Label 500 messages"'],
  run: async (context, input) => {
    const { terminal, output } = context
    const folder = resolve(terminal.cwd, input.argument(0))
    const name = input.text('name') ?? basename(folder)
    const files = { 'TASK.md': taskText(name), 'manifest.json': manifestText(name) }
    const existing: string[] = []
    for (const file of Object.keys(files)) {
      if ((await lstat(join(folder, file)).catch(() => undefined)) !== undefined) existing.push(file)
    }
    if (existing.length > 0) {
      throw new UsageError(
        `${input.argument(0)} has ${existing.join(' and ')} already, and nothing is overwritten.`,
        'Edit what is there, or name another folder.',
      )
    }
    await mkdir(folder, { recursive: true })
    // the flag refuses a file that appeared since it was looked for
    for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { flag: 'wx' })
    const written = Object.keys(files).map((file) => join(input.argument(0), file))
    output.result({ ok: true, folder, files: Object.keys(files) }, written)
    output.say('Edit both files: they are all that a fulfiller will have to go by.')
    output.next(`task pack ${input.argument(0)}`)
    return EXIT.done
  },
}

function taskText(name: string): string {
  return `# ${name}

One paragraph: what you need and what it is for.

## What to deliver

- The files, their names and their formats.
- Where the deliverer puts them, and which hash goes on the chain.

## What you get

- The data that comes with this task, file by file.

## When it is accepted

- Criteria that a stranger can check without asking you.
- Who judges, and within which time.

## Terms

- Licence of the result, and anything that binds both sides. A file TERMS.md beside this one is packed as the terms.
`
}

function manifestText(name: string): string {
  const manifest = {
    schemaVersion: '1.0',
    name,
    taskVersion: '0.1.0',
    summary: 'One sentence that makes the right person read on.',
    specPath: 'TASK.md',
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
