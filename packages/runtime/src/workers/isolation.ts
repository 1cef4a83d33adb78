/** How far a worker is kept apart, from weak to strong. What each holds is a table in `docs/workers.md`. */
export const ISOLATION_LEVELS = ['guard', 'permissions', 'namespaces'] as const

/**
 * `guard`: a process of its own, an empty environment, a guard in JavaScript. `permissions`: also Node's permission model.
 * `namespaces`: also Linux namespaces (network, processes, files) with a root of its own.
 */
export type IsolationLevel = (typeof ISOLATION_LEVELS)[number]

/** What holds on this machine; found out by trying. */
export type Isolation = {
  readonly level: IsolationLevel
  /** Whether the system bounds memory, open files, core dumps and processor time of a worker. */
  readonly hasResourceLimits: boolean
}

/** One thing that a worker must not reach, and what keeps it away. `system` and `node` are walls, `guard` is a fence. */
export type Boundary = {
  readonly what: 'files' | 'network' | 'local sockets' | 'processes' | 'environment' | 'memory' | 'time'
  readonly heldBy: 'system' | 'node' | 'guard'
}

/** What keeps a worker apart, by what it is kept from. For the operator's log and for `oikos` to print. */
export function describeIsolation({ level, hasResourceLimits }: Isolation): readonly Boundary[] {
  const isWalled = level === 'namespaces'
  const reach = isWalled ? 'system' : 'guard'
  return [
    { what: 'files', heldBy: isWalled ? 'system' : level === 'permissions' ? 'node' : 'guard' },
    { what: 'network', heldBy: reach },
    { what: 'local sockets', heldBy: reach },
    { what: 'processes', heldBy: reach },
    { what: 'environment', heldBy: 'system' },
    { what: 'memory', heldBy: hasResourceLimits ? 'system' : 'node' },
    { what: 'time', heldBy: 'system' },
  ]
}
