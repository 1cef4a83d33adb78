import type { TaskHash } from '@oikos/core'
import { describe, expect, it } from 'vitest'
import { readFolder } from '../../test/workers/read-folder.ts'
import { invoicesWorker, labelsWorker, reportWorker } from './skills.ts'
import type { Worker } from './worker.ts'
import { createWorkshop } from './workshop.ts'

const limits = { timeoutMs: 30_000, memoryMiB: 128, outputBytes: 1024 * 1024 }
const example = (path: string) => new URL(`../../../../examples/${path}`, import.meta.url).pathname

describe.each<[string, Worker, string, string]>([
  ['labels', labelsWorker, 'labelling/task', 'batch-3.jsonl'],
  ['invoices', invoicesWorker, 'invoices/task', 'invoices.jsonl'],
  ['report', reportWorker, 'site-report/task', 'REPORT.md'],
])('the worker %s in a workshop', (_, worker, folder, made) => {
  it('makes the same product as in this process, with nothing but its own folder to read', async () => {
    const order = {
      ...{ taskHash: `0x${'00'.repeat(32)}` as TaskHash, specProfile: worker.specProfiles[0] ?? '' },
      ...{ files: readFolder(example(folder)), resources: new Map(), fulfillment: undefined },
    }
    const workshop = await createWorkshop({ workers: [worker] })
    const outcome = await workshop.run(worker, order, limits, new AbortController().signal)
    const { work } = (await import(worker.module.pathname)) as {
      work(order: unknown): Promise<{ files: Map<string, Uint8Array> }>
    }
    const here = await work(order)
    expect(outcome).toMatchObject({ ok: true })
    expect(outcome.ok && Buffer.from(outcome.product.files.get(made) ?? [])).toEqual(
      Buffer.from(here.files.get(made) ?? []),
    )
    expect(here.files.has(made)).toBe(true)
  })

  it('refuses a package that is no work for it', async () => {
    const workshop = await createWorkshop({ workers: [worker] })
    const order = {
      ...{ taskHash: `0x${'00'.repeat(32)}` as TaskHash, specProfile: worker.specProfiles[0] ?? '' },
      ...{ files: new Map([['TASK.md', new Uint8Array([0xff, 0x00])]]), resources: new Map(), fulfillment: undefined },
    }
    const outcome = await workshop.run(worker, order, limits, new AbortController().signal)
    expect(outcome).toMatchObject({ ok: false, code: 'worker.refused' })
  })
})
