import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')
const entries = ['server.ts', 'http.ts', 'endpoint-file.ts'].map((name) => join(import.meta.dirname, name))

const { imports: internal } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as {
  imports: Record<string, { node: string }>
}

/** Where a module of ours lies; undefined for a library. */
function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  // an import of a package from itself, which differs by platform
  if (specifier.startsWith('#')) return join(root, 'packages/core', internal[specifier]?.node ?? 'nowhere')
  const [, room, rest] = /^@oikos\/([a-z]+)(\/.*)?$/.exec(specifier) ?? []
  if (room === undefined) return undefined
  const folder = join(root, 'packages', room)
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const target = exports[`.${rest ?? ''}`]
  if (target === undefined) throw new Error(`${file} imports ${specifier}, which is nowhere`)
  return join(folder, target)
}

/** What one file imports while it runs; types are gone by then. */
function importsOf(text: string): string[] {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) {
      const names = node.importClause?.namedBindings
      const isTypeOnly =
        names !== undefined && ts.isNamedImports(names) && names.elements.every((name) => name.isTypeOnly)
      if (!isTypeOnly) found.push((node.moduleSpecifier as ts.StringLiteral).text)
    }
    if (ts.isExportDeclaration(node) && !node.isTypeOnly && node.moduleSpecifier !== undefined) {
      found.push((node.moduleSpecifier as ts.StringLiteral).text)
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push(`import(${node.arguments.map((argument) => argument.getText()).join()})`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe('the server for agents of others', () => {
  const visited = new Set<string>()
  const libraries = new Set<string>()
  const environment: string[] = []
  const pending = [...entries]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (visited.has(file)) continue
    visited.add(file)
    const text = readFileSync(file, 'utf8')
    if (/\bprocess\s*\.\s*env\b|\bprocess\s*\[/.test(text)) environment.push(relative(root, file))
    for (const specifier of importsOf(text)) {
      const target = resolveImport(file, specifier)
      if (target === undefined) libraries.add(specifier)
      else pending.push(target)
    }
  }
  const names = [...visited].map((file) => relative(root, file))

  test('reaches no keystore, passphrase, prompt, wallet, custody, approval or transaction in its whole import graph', () => {
    const forbidden =
      /^apps\/cli\/src\/(keys|transaction|prompt|context|terminal|commands\/(key|wallet|pay|approver)\/)|^packages\/runtime\/src\/(custody|approval|journal|rails|economic|x402)\//
    expect(names.filter((name) => forbidden.test(name))).toEqual([])
  })

  test('imports no library beyond those that read, hash and verify, and none of accounts', () => {
    const allowed =
      /^(import\('node:sqlite'\)$|node:(fs|fs\/promises|path|os|crypto|http|net|url|stream|util|timers\/promises)|viem(\/actions|\/utils)?|zod|@noble\/|@scure\/|@ipld\/|multiformats|ajv|cborg|@modelcontextprotocol\/sdk\/)/
    expect([...libraries].filter((name) => !allowed.test(name))).toEqual([])
    expect([...libraries].filter((name) => /accounts/.test(name))).toEqual([])
  })

  test('reads no environment', () => {
    expect(environment).toEqual([])
  })

  test('was walked: tools, the SDK, the audit, the core', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'apps/cli/src/commands/mcp/tools/propose-payment.ts',
        'packages/runtime/src/audit/audit-agent.ts',
        'packages/sdk/src/actions/task/get-tender.ts',
        'packages/core/src/economic/admission.ts',
      ]),
    )
    expect(names.length).toBeGreaterThan(150)
  })

  test.each([
    ["import { readPassphrase } from '../keys/passphrase.ts'", ['../keys/passphrase.ts']],
    ["export * from './signer.ts'", ['./signer.ts']],
    ["export const load = () => import('./signer.ts')", ["import('./signer.ts')"]],
    ["import type { Signer } from './signer.ts'", []],
    ["import { type Signer } from './signer.ts'", []],
  ])('would notice %s', (text, expected) => {
    expect(importsOf(text)).toEqual(expected)
  })
})
