import type { FindingCode } from './codes.ts'
import { type Findings, report, shown } from './findings.ts'
import type { JsonObject, JsonValue } from './json.ts'
import * as generated from './schemas.gen.ts'

/** The code that ajv generates: true, or false with errors on the function itself. */
export type SchemaCode = {
  (value: unknown): boolean
  errors?: readonly { readonly instancePath: string; readonly message?: string; readonly params?: object }[] | null
}

const SCHEMAS = {
  manifest: generated.validateManifest as SchemaCode,
  fulfillment: generated.validateFulfillment as SchemaCode,
  confidentiality: generated.validateConfidentiality as SchemaCode,
  sealedKeyManagement: generated.validateSealedKeyManagement as SchemaCode,
}

/** The documents that have a schema under `schemas/`. */
export type SchemaName = keyof typeof SCHEMAS

/** Judges a value by a schema; each broken rule becomes a finding. True, and the value an object, when there is none. */
export function matchesSchema(
  schema: SchemaName,
  value: JsonValue,
  code: FindingCode,
  where: string,
  findings: Findings,
): value is JsonObject {
  return matchesCode(SCHEMAS[schema], value, code, where, findings)
}

/** As {@link matchesSchema}, for generated code of another room with codes of its own. */
export function matchesCode<Code extends string>(
  validate: SchemaCode,
  value: JsonValue,
  code: NoInfer<Code>,
  where: string,
  findings: Findings<Code>,
): value is JsonObject {
  if (validate(withPlainNumbers(value))) return true
  for (const error of validate.errors ?? []) {
    const place = error.instancePath === '' ? where : `${where} at ${shown(error.instancePath)}`
    const { additionalProperty: unknown } = { additionalProperty: undefined, ...error.params }
    const message = error.message ?? 'does not match the schema'
    report(findings, code, place, unknown === undefined ? message : `${message}: ${shown(String(unknown))}`)
  }
  return false
}

/** Generated code knows no bigint; the exact value is read from the original afterwards. Nesting is bounded by the parser. */
function withPlainNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(withPlainNumbers)
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, child] of Object.entries(value)) object[key] = withPlainNumbers(child)
  return object
}
