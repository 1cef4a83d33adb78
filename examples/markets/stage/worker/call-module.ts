import type { WorkOrder, WorkProduct } from '@oikos/runtime/workers'

/** What an order of this worker holds as resources: the source of a module, and which of its functions is called. */
type ModuleExports = Readonly<Record<string, (...texts: readonly string[]) => unknown>>

/** Runs in a process that is kept apart: loads a stranger's module and calls one of its functions with texts. */
export async function work({ files, resources }: WorkOrder): Promise<WorkProduct> {
  const source = Buffer.from(resources.get('module') ?? []).toString('base64')
  const name = textOf(resources.get('function'))
  const exports = (await import(`data:text/javascript;base64,${source}`)) as ModuleExports
  const called = exports[name]
  if (typeof called !== 'function') throw new Error(`the module has no function ${name}`)
  const reply = await called(...[...files.values()].map(textOf))
  if (typeof reply !== 'string') throw new Error(`${name} gave back no text`)
  return { files: new Map([['reply', new TextEncoder().encode(reply)]]), summary: `called ${name}` }
}

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes)
}
