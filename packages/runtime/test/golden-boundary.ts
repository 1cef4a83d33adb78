import type { AdapterDisposition } from '../src/economic/host.ts'
import { observationOf, type Play, type PlayControl, replaceIn } from './golden-play.ts'

/** The play of a row of `dispositions.json`. */
export function dispositionPlay(name: string): Play | undefined {
  const call = /^(load|invoice|snapshot|simulate|approve|sign|broadcast|reconcile|cas\d)\/(\w+)(\/persisted)?$/.exec(
    name,
  )
  if (call !== null) {
    const [, step = '', answer = '', persisted] = call
    const persists = new Set(persisted === undefined ? [] : [step])
    return { fixture: 'x402_evm', script: { answers: { [step]: answer as AdapterDisposition }, persists } }
  }
  if (name === 'cas2 not started then terminal cas not started') {
    const answers = { cas2: 'definitely_not_started', cas3: 'definitely_not_started' } as const
    return { fixture: 'evm', script: { answers } }
  }
  const observed = /^receipt (\w+), observation (\w+)$/.exec(name)
  if (observed === null) return undefined
  return {
    fixture: 'evm',
    script: {
      pushes: {
        broadcast: replaceIn('"accepted"', `"${observed[1]}"`),
        reconcile: observationOf(observed[2] ?? ''),
      },
    },
  }
}

const maxElapsedMs = 600_000n
const cancel = (control: PlayControl): void => {
  control.aborted = true
}
const setClock = (control: PlayControl, elapsedMs: bigint): void => {
  control.elapsedMs = elapsedMs
}

/** The play of a row of `cancel_deadline.json`. */
export function boundaryPlay(name: string): Play | undefined {
  const control: PlayControl = { aborted: false, elapsedMs: 0n }
  const jump = (how: string): (() => void) => {
    if (how === 'cancel') return () => cancel(control)
    const elapsed =
      how === 'deadline+1' ? maxElapsedMs + 1n : how === 'deadline exact' ? maxElapsedMs : BigInt(how.slice(8))
    return () => setClock(control, elapsed)
  }
  const after = /^(cancel|deadline\+1|deadline exact|elapsed \d+) after (cas\d)$/.exec(name)
  if (after !== null) {
    return { fixture: 'x402_evm', control, script: { after: { [after[2] ?? '']: jump(after[1] ?? '') } } }
  }
  const around = /^(cancel|deadline\+1|deadline exact) (before|after) push in (\w+)$/.exec(name)
  if (around !== null) {
    const hook = { [around[3] ?? '']: jump(around[1] ?? '') }
    return { fixture: 'x402_evm', control, script: around[2] === 'before' ? { beforePush: hook } : { afterPush: hook } }
  }
  switch (name) {
    case 'cancel during load':
      return { fixture: 'x402_evm', control, script: { after: { load: jump('cancel') } } }
    case 'clock starts at 5000 and stays':
      control.elapsedMs = 5000n
      return { fixture: 'evm', control }
    case 'clock starts at 5000, +7 in snapshot':
      control.elapsedMs = 5000n
      return { fixture: 'evm', control, script: { after: { snapshot: () => setClock(control, 5007n) } } }
    case 'clock goes backwards after snapshot':
      control.elapsedMs = 5000n
      return { fixture: 'evm', control, script: { after: { simulate: () => setClock(control, 4999n) } } }
    default:
      return undefined
  }
}
