import type { WorkOrder, WorkProduct } from '../worker.ts'

/** What a worker could do here, tried in earnest by the worker that is run when a workshop opens. */
export type ProbeReport = {
  readonly readsFiles: boolean
  readonly hasNetwork: boolean
  readonly seesParent: boolean
  readonly startsProcesses: boolean
  readonly environment: number
}

/** The order's file `outside` holds the path of a file that a worker must not read. */
export async function work({ files }: WorkOrder): Promise<WorkProduct> {
  const outside = new TextDecoder().decode(files.get('outside'))
  const report: ProbeReport = {
    readsFiles: await succeeds(async () => (await import('node:fs')).readFileSync(outside)),
    hasNetwork: !(await succeeds(async () => {
      if (Object.keys((await import('node:os')).networkInterfaces()).length > 0) throw new Error('there is a network')
    })),
    seesParent: process.ppid !== 0,
    startsProcesses: await succeeds(async () =>
      (await import('node:child_process')).spawnSync(process.execPath, ['-v']),
    ),
    environment: Object.keys(process.env).length,
  }
  return { files: new Map([['report.json', new TextEncoder().encode(JSON.stringify(report))]]), summary: 'Probed.' }
}

async function succeeds(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch {
    return false
  }
}
