import {
  type BuilderBudget,
  type EventFacts,
  eventCost,
  type Rail,
  type TraceEvent,
  traceEvent,
} from '@oikos/core/economic'

/** The events of a run so far, in order. */
export type EventLog = {
  readonly list: readonly TraceEvent[]
  /** Adds an event and pays for it. Throws SPX-G216 `builder_bytes`. */
  readonly record: (facts: EventFacts) => void
}

/** An empty log of a run on a rail. */
export function createEventLog(rail: Rail, budget: BuilderBudget): EventLog {
  const list: TraceEvent[] = []
  return {
    list,
    record: (facts) => {
      const event = traceEvent(list.length, rail, facts)
      budget.charge(eventCost(event))
      list.push(event)
    },
  }
}
