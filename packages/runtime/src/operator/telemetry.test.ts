import { metrics, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperatorStage, startOperatorStage } from '../../test/operator/stage.ts'
import { errorFields } from './log.ts'

const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const spanExporter = new InMemorySpanExporter()
const reader = new PeriodicExportingMetricReader({ exporter: metricExporter, exportIntervalMillis: 3_600_000 })
const meters = new MeterProvider({ readers: [reader] })
const tracers = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spanExporter })] })

let stage: OperatorStage
beforeAll(async () => {
  metrics.setGlobalMeterProvider(meters)
  trace.setGlobalTracerProvider(tracers)
  stage = await startOperatorStage()
})
afterAll(async () => {
  await stage.stop()
  await Promise.all([meters.shutdown(), tracers.shutdown()])
  metrics.disable()
  trace.disable()
})

describe('a pass', () => {
  test('is counted, timed and traced, and its log has no key, no raw transaction and no password', async () => {
    await stage.requestMint('alice', 5n)
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) })
    await stage.operator({}, { log }).tick()

    await meters.forceFlush()
    const found =
      metricExporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
    const points = (name: string) => found.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
    const reached = points('oikos.operator.actions').map(({ attributes }) => [attributes['kind'], attributes['state']])
    for (const state of ['planned', 'signed', 'mined']) expect(reached).toContainEqual(['settle-mint', state])
    expect(points('oikos.operator.decisions').map(({ attributes }) => attributes)).toContainEqual({
      ...{ kind: 'mint-requests', option: 'settle', code: 'chosen' },
    })
    expect(Number(points('oikos.operator.gas')[0]?.value)).toBeGreaterThan(0)
    expect(points('oikos.operator.pass.duration')).toHaveLength(1)
    const spans = spanExporter.getFinishedSpans().map(({ name }) => name)
    expect(spans).toEqual(expect.arrayContaining(['operator.decide', 'operator.act', 'operator.pass']))

    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
    expect(messages).toEqual(expect.arrayContaining(['decided', 'signed', 'sent', 'mined']))
    const [action] = await stage.store.actions.listRecent(`11155111/${stage.agent.toLowerCase()}`, 1)
    const [attempt] = await stage.store.actions.listAttempts(action?.id ?? '')
    expect(attempt?.raw).toBeDefined()
    expect(lines.join()).not.toContain(attempt?.raw)
  })
})

describe('what is written of an error', () => {
  test('has no credentials, no query, no key, and one line', () => {
    const key = `0x${'ab'.repeat(32)}`
    const error = new TypeError(
      `fetch https://user:secret@node.example/v2/token?key=1 with ${key} failed\nstack and all`,
    )
    const { error: name, reason } = errorFields(error)
    expect(name).toBe('TypeError')
    expect(reason).toContain('fetch https://')
    for (const secret of ['secret', 'token', 'key=1', key, 'stack']) expect(reason).not.toContain(secret)
    expect(errorFields('a string').reason).toContain('no error')
    expect(errorFields(new Error('postgres://anna:pass@db.example/x is away')).reason).not.toContain('pass')
  })
})
