import { metrics, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { type Logger, pino } from 'pino'
import type { Terminal } from '../../terminal.ts'

/** Variable that names the collector; without it nothing is exported. Source: OpenTelemetry, OTLP exporter configuration. */
const ENDPOINT_VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const EXPORT_INTERVAL_MS = 10_000

/** Registers exporters where the environment names a collector. `end` sends what is left. */
export function startTelemetry({ env }: Terminal, attributes: Readonly<Record<string, string>>): () => Promise<void> {
  const endpoint = env[ENDPOINT_VARIABLE]
  if (endpoint === undefined || endpoint === '') return async () => {}
  const base = endpoint.replace(/\/+$/, '')
  const resource = resourceFromAttributes({
    'service.name': env['OTEL_SERVICE_NAME'] ?? 'oikos-operator',
    ...attributes,
  })
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url: `${base}/v1/metrics` }),
    exportIntervalMillis: EXPORT_INTERVAL_MS,
  })
  const meters = new MeterProvider({ resource, readers: [reader] })
  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${base}/v1/traces` }) })
  const tracers = new TracerProvider({ resource, spanProcessors: [processor] })
  metrics.setGlobalMeterProvider(meters)
  trace.setGlobalTracerProvider(tracers)
  return async () => {
    // a collector that is away is no reason to fail
    await Promise.allSettled([meters.shutdown(), tracers.shutdown()])
    metrics.disable()
    trace.disable()
  }
}

/** Names of fields that are never written, wherever they stand. */
const SECRET_FIELDS = [
  'privateKey',
  'passphrase',
  'password',
  'secret',
  'key',
  'raw',
  'authorization',
  'database',
  'rpcUrl',
]

/** A log of JSON lines on standard error. */
export function createLog(terminal: Terminal, level: string, base: Readonly<Record<string, string>>): Logger {
  const redact = { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: '***' }
  const timestamp = pino.stdTimeFunctions.isoTime
  return pino({ level, base, redact, timestamp }, { write: (line: string) => terminal.writeError(line) })
}
