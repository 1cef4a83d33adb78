import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const packages = join(import.meta.dirname, '../../..')
const entry = join(import.meta.dirname, 'agent.ts')

/** Pure libraries of the core: hashes, curves, text encodings. */
const pureLibraries = /^@(noble\/(hashes|curves)|scure\/base)(\/|$)/

/** The one file that may import a part of the platform, and all that it may import: a pure function of its bytes. */
const hashOfNode = 'core/src/digest/sha256-node.ts'
const hashImport = "import { createHash } from 'node:crypto'"

/** Words that reach outside, or that make two runs of the same inputs differ. */
const authorities = new Set([
  ...['process', 'global', 'globalThis', 'self', 'window', 'require', 'module', '__dirname', '__filename', 'Buffer'],
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'navigator', 'Worker', 'postMessage', 'BroadcastChannel'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'Date', 'performance', 'Temporal'],
  ...['crypto', 'localStorage', 'sessionStorage', 'indexedDB', 'caches', 'Deno', 'Bun', 'console', 'eval', 'Function'],
  ...['WebAssembly', 'SharedArrayBuffer', 'Atomics'],
])

function resolveImport(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  if (specifier === '@oikos/core/economic') return join(packages, 'core/src/economic/index.ts')
  // Node.js takes this one, and everybody else the portable one, which is below the same rules
  if (specifier === '#sha256') return join(packages, hashOfNode)
  return undefined
}

/** What one file imports and which authorities it names, read from its syntax tree. */
function inspect(file: string, text: string): { imports: string[]; findings: string[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const imports: string[] = []
  const findings: string[] = []
  const own = declaredNames(source)
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      imports.push((node.moduleSpecifier as ts.StringLiteral).text)
      return
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) findings.push('import()')
    if (ts.isMetaProperty(node)) findings.push(node.getText())
    if (ts.isIdentifier(node) && !isNameOnly(node) && !own.has(node.text) && authorities.has(node.text))
      findings.push(node.text)
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') findings.push('Math.random')
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { imports, findings }
}

/** Names that the file itself gives to variables, parameters and functions; they are not those of the platform. */
function declaredNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    const declares = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)
    if ((declares || ts.isFunctionDeclaration(node)) && node.name !== undefined && ts.isIdentifier(node.name))
      names.add(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** The name of a member, a label of an object or a type says nothing about authority. */
function isNameOnly(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node
  if (ts.isBindingElement(parent)) return parent.propertyName === node
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) return parent.name === node
  return ts.isTypeReferenceNode(parent) || ts.isTypeAliasDeclaration(parent)
}

describe('the engine has no ambient authority', () => {
  const found: string[] = []
  const visited = new Set<string>()
  const pending = [entry, join(packages, 'core/src/digest/sha256-portable.ts')]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (visited.has(file)) continue
    visited.add(file)
    const text = readFileSync(file, 'utf8')
    const { imports, findings } = inspect(file, text)
    const name = relative(packages, file)
    found.push(...findings.map((finding) => `${name}: ${finding}`))
    for (const specifier of imports) {
      const target = resolveImport(file, specifier)
      if (target !== undefined) pending.push(target)
      else if (name === hashOfNode && specifier === 'node:crypto' && text.includes(hashImport)) continue
      else if (!pureLibraries.test(specifier)) found.push(`${name}: imports ${specifier}`)
    }
  }

  test('no network, file system, process, environment, clock or randomness in its whole import graph', () => {
    expect(found).toEqual([])
  })

  test('of the platform it has one hash function, and the file that has it imports nothing else', () => {
    const text = readFileSync(join(packages, hashOfNode), 'utf8')
    expect(inspect(hashOfNode, text).imports).toEqual(['node:crypto'])
    expect(text.match(/^import .*$/gm)).toEqual([hashImport])
  })

  test('the graph was walked: the engine and the documents of the core', () => {
    const names = [...visited].map((file) => relative(packages, file))
    expect(names).toContain('runtime/src/economic/host.ts')
    expect(names).toContain('core/src/economic/index.ts')
    expect(names.length).toBeGreaterThan(30)
  })

  test('it never reaches a journal, a rail or a key of the host', () => {
    const outside = [...visited].map((file) => relative(packages, file))
    expect(outside.filter((file) => !/^(runtime\/src\/economic|core\/src)\//.test(file))).toEqual([])
  })

  test.each([
    ['network', "export const f = () => fetch('https://example.org')"],
    ['file system', "import { readFileSync } from 'node:fs'\nreadFileSync('x')"],
    ['process', 'export const f = process.pid'],
    ['environment', "export const f = globalThis['process']"],
    ['clock', 'export const f = () => Date.now()'],
    ['timer', 'setTimeout(() => {}, 1)'],
    ['randomness', 'export const f = () => Math.random()'],
    ['randomness of the platform', 'export const f = () => crypto.randomUUID()'],
    ['a module by name', "export const f = () => import('node:' + 'fs')"],
  ])('it would notice %s', (_what, text) => {
    const { imports, findings } = inspect('x.ts', text)
    const foreign = imports.filter((specifier) => !pureLibraries.test(specifier))
    expect([...findings, ...foreign]).not.toEqual([])
  })
})
