import { fileURLToPath } from 'node:url'
import type { TaskHash } from '@oikos/core'
import type { ProbeReport } from './child/probe.ts'
import type { Isolation } from './isolation.ts'
import { runWorker } from './run-worker.ts'
import type { Worker, WorkLimits, WorkOrder } from './worker.ts'

/** From strong to weak; the first that really holds is used. */
const CANDIDATES: readonly Isolation[] = [
  { level: 'namespaces', hasResourceLimits: true },
  { level: 'permissions', hasResourceLimits: true },
  { level: 'permissions', hasResourceLimits: false },
  { level: 'guard', hasResourceLimits: false },
]
const PROBE: Worker = { name: 'probe', specProfiles: [], module: new URL('./child/probe.ts', import.meta.url) }
const PROBE_LIMITS: WorkLimits = { timeoutMs: 20_000, memoryMiB: 64, outputBytes: 16 * 1024 }

/**
 * Finds the strongest isolation that works here by running a worker that tries to get out. Undefined when no worker can
 * be run at all.
 */
export async function detectIsolation(signal: AbortSignal): Promise<Isolation | undefined> {
  for (const candidate of CANDIDATES) {
    const report = await probe(candidate, signal)
    if (report !== undefined && holds(candidate, report)) return candidate
  }
  return undefined
}

async function probe(isolation: Isolation, signal: AbortSignal): Promise<ProbeReport | undefined> {
  const outside = fileURLToPath(import.meta.url)
  const order: WorkOrder = {
    taskHash: `0x${'00'.repeat(32)}` as TaskHash,
    specProfile: 'probe',
    files: new Map([['outside', new TextEncoder().encode(outside)]]),
    resources: new Map(),
    fulfillment: undefined,
  }
  let outcome = await runWorker(PROBE, order, PROBE_LIMITS, isolation, signal)
  // a machine that is busy for a moment must not be taken for a weak one
  if (!outcome.ok && outcome.code === 'worker.timeout')
    outcome = await runWorker(PROBE, order, PROBE_LIMITS, isolation, signal)
  if (!outcome.ok) return undefined
  return JSON.parse(new TextDecoder().decode(outcome.product.files.get('report.json'))) as ProbeReport
}

function holds({ level }: Isolation, report: ProbeReport): boolean {
  const isApart = !report.readsFiles && !report.startsProcesses && report.environment === 0
  return isApart && (level !== 'namespaces' || (!report.hasNetwork && !report.seesParent))
}
