import { type Attributes, metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { errorFields } from './log.ts'

/** Name of the instruments, and their version in what they record. */
const SCOPE = 'oikos.operator'

/** What an operator measures. Nothing is recorded unless the process has registered OpenTelemetry providers. */
export type Telemetry = {
  /** An action reached a state; attributes `kind` and `state`. */
  readonly countAction: (kind: string, state: string) => void
  /** A question was answered; attributes `kind`, `option` and `code`. */
  readonly countDecision: (kind: string, option: string, code: string) => void
  readonly addGasWei: (kind: string, wei: bigint) => void
  readonly setHead: (blockNumber: bigint) => void
  readonly setOpen: (subject: string, count: number) => void
  /** Runs work under a span and records how long it took, in seconds, as `oikos.operator.<name>.duration`. */
  readonly span: <result>(
    name: SpanName,
    attributes: Attributes,
    work: (span: Span) => Promise<result>,
  ) => Promise<result>
}

/** What is traced. */
type SpanName = 'pass' | 'decide' | 'act' | 'work'

/** Instruments of the globally registered providers. */
export function createTelemetry(): Telemetry {
  const meter = metrics.getMeter(SCOPE)
  const tracer = trace.getTracer(SCOPE)
  const actions = meter.createCounter('oikos.operator.actions', { description: 'Actions that reached a state' })
  const decisions = meter.createCounter('oikos.operator.decisions', { description: 'Questions that were answered' })
  const gas = meter.createCounter('oikos.operator.gas', { unit: 'Gwei', description: 'Paid for gas' })
  const head = meter.createGauge('oikos.operator.head', { description: 'Block that was looked at last' })
  const open = meter.createGauge('oikos.operator.open', {
    description: 'Requests, tenders and deliveries that are open',
  })
  const durations = new Map(
    (['pass', 'decide', 'act', 'work'] as const).map((name) => [
      name,
      meter.createHistogram(`oikos.operator.${name}.duration`, { unit: 's' }),
    ]),
  )
  return {
    countAction: (kind, state) => actions.add(1, { kind, state }),
    countDecision: (kind, option, code) => decisions.add(1, { kind, option, code }),
    addGasWei: (kind, wei) => gas.add(Number(wei) / 1e9, { kind }),
    setHead: (blockNumber) => head.record(Number(blockNumber)),
    setOpen: (subject, count) => open.record(count, { subject }),
    span: (name, attributes, work) =>
      tracer.startActiveSpan(`operator.${name}`, { attributes }, async (span) => {
        const started = performance.now()
        try {
          return await work(span)
        } catch (cause) {
          const { error, reason } = errorFields(cause)
          span.setStatus({ code: SpanStatusCode.ERROR, message: reason })
          span.setAttribute('error.type', error)
          throw cause
        } finally {
          durations.get(name)?.record((performance.now() - started) / 1_000, attributes)
          span.end()
        }
      }),
  }
}
