import type { WorkOrder } from '../worker.ts'
import { WorkRefusal } from './refusal.ts'
import { readSpecYaml, type SpecMap, type SpecValue } from './spec-yaml.ts'

/** Bytes of one file that a skill reads as text (16 MiB). */
const MAX_TEXT_BYTES = 16 * 1024 * 1024

/** A file as text; bytes that are no UTF-8 are shown as U+FFFD and counted by whoever cares. */
export function textOf(order: WorkOrder, path: string): string | undefined {
  const bytes = order.files.get(path)
  if (bytes === undefined) return undefined
  if (bytes.length > MAX_TEXT_BYTES)
    throw new WorkRefusal(`${JSON.stringify(path)} has ${bytes.length} bytes, more than ${MAX_TEXT_BYTES}`)
  return new TextDecoder().decode(bytes)
}

/** The spec of a package: where its manifest says, else the only YAML file in `spec/`. @throws WorkRefusal */
export function readSpec(order: WorkOrder): SpecMap {
  const candidates = [...order.files.keys()].filter((path) => /^spec\/[^/]+\.ya?ml$/.test(path))
  const path = specPathOf(order) ?? (candidates.length === 1 ? candidates[0] : undefined)
  const text = path === undefined ? undefined : textOf(order, path)
  if (text === undefined) throw new WorkRefusal('the package has no spec that could be found')
  return readSpecYaml(text)
}

function specPathOf(order: WorkOrder): string | undefined {
  const manifest = textOf(order, 'manifest.json')
  if (manifest === undefined) return undefined
  try {
    const value = (JSON.parse(manifest) as Record<string, unknown> | null)?.['specPath']
    return typeof value === 'string' && /\.ya?ml$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A part of a spec that must be a map. @throws WorkRefusal */
export function mapAt(spec: SpecMap, key: string): SpecMap {
  const value = Object.hasOwn(spec, key) ? spec[key] : undefined
  if (!isMap(value)) throw new WorkRefusal(`the spec has no map ${JSON.stringify(key)}`)
  return value
}

/** A part of a spec that must be text. @throws WorkRefusal */
export function textAt(spec: SpecMap, key: string): string {
  const value = Object.hasOwn(spec, key) ? spec[key] : undefined
  if (typeof value !== 'string' || value === '') throw new WorkRefusal(`the spec has no text ${JSON.stringify(key)}`)
  return value
}

/** Whether a value of a spec is a map. */
export function isMap(value: SpecValue | undefined): value is SpecMap {
  return typeof value === 'object' && !Array.isArray(value)
}

/** A document of lines as a file of a product. */
export function asFile(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${lines.join('\n')}\n`)
}
