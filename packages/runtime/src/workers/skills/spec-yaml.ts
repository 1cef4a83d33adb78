import { WorkRefusal } from './refusal.ts'

/** A value of a spec. Every scalar is text: what it means is for its reader to say. */
export type SpecValue = string | readonly SpecValue[] | SpecMap
export type SpecMap = { readonly [key: string]: SpecValue }

const MAX_CHARACTERS = 65_536
const MAX_DEPTH = 8
/** What begins an anchor, an alias, a tag, a block scalar, a directive, a complex key, or is reserved. */
const UNREAD = /^[&*!|>%@`?]/

type Line = { readonly indent: number; readonly text: string; readonly number: number }

/**
 * Reads the part of YAML 1.2 that specs of tenders are written in: maps and lists by indentation, `{}` and `[]` on one line,
 * plain and quoted scalars, comments. Everything else (anchors, tags, block scalars, several documents) is refused, so that no
 * two readers see two specs. @throws WorkRefusal with the line
 */
export function readSpecYaml(text: string): SpecMap {
  if (text.length > MAX_CHARACTERS)
    throw new WorkRefusal(`the spec has ${text.length} characters, more than ${MAX_CHARACTERS}`)
  const lines = text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map(readLine)
    .filter(({ text: content }) => content !== '')
  const [value, next] = readBlock(lines, 0, 1)
  const rest = lines[next]
  if (rest !== undefined) throw fault(rest, 'an indentation that fits nothing above')
  if (typeof value === 'string' || Array.isArray(value)) throw new WorkRefusal('the spec is no map')
  return value as SpecMap
}

function readLine(line: string, index: number): Line {
  const read = { indent: line.search(/[^ ]|$/), text: withoutComment(line).trim(), number: index + 1 }
  if (read.text !== '' && line[read.indent] === '\t') throw fault(read, 'a tab as indentation')
  return read
}

function fault({ number }: Line, problem: string): WorkRefusal {
  return new WorkRefusal(`the spec has ${problem} on line ${number}`)
}

/** A `#` outside of quotes, at the beginning or behind a space, begins a comment. */
function withoutComment(line: string): string {
  let quote = ''
  let before = ' '
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if ((character === '"' || character === "'") && /[\s:,[{-]/.test(before)) quote = character
    else if (character === '#' && /\s/.test(before)) return line.slice(0, at)
    before = character
  }
  return line
}

type Read = readonly [value: SpecValue, next: number]

function readBlock(lines: readonly Line[], start: number, depth: number): Read {
  const first = lines[start]
  if (first === undefined) return ['', start]
  if (depth > MAX_DEPTH) throw fault(first, `more than ${MAX_DEPTH} levels`)
  if (first.text.startsWith('---') || first.text.startsWith('...')) throw fault(first, 'several documents')
  return isItem(first) ? readList(lines, start, depth) : readMap(lines, start, depth)
}

function isItem({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ')
}

function readList(lines: readonly Line[], start: number, depth: number): Read {
  const indent = lines[start]?.indent ?? 0
  const items: SpecValue[] = []
  let at = start
  for (let line = lines[at]; line !== undefined && line.indent === indent && isItem(line); line = lines[at]) {
    const content = line.text.slice(1).trim()
    const inner = line.indent + line.text.length - line.text.slice(1).trimStart().length
    if (content !== '' && keyOf(content) === undefined) {
      items.push(readInline(content, line, depth + 1))
      at += 1
    } else {
      // an item that is a map begins on the line of its dash
      const nested = content === '' ? lines : lines.with(at, { ...line, indent: inner, text: content })
      const [value, next] = readBlock(nested, content === '' ? at + 1 : at, depth + 1)
      items.push(value)
      at = next
    }
  }
  return [items, at]
}

function readMap(lines: readonly Line[], start: number, depth: number): Read {
  const indent = lines[start]?.indent ?? 0
  const entries = new Map<string, SpecValue>()
  let at = start
  for (let line = lines[at]; line !== undefined && line.indent === indent && !isItem(line); line = lines[at]) {
    const found = keyOf(line.text)
    if (found === undefined) throw fault(line, 'something that is no key with a value')
    if (entries.has(found.key)) throw fault(line, 'a repeated key')
    const below = lines[at + 1]
    const isNested = below !== undefined && (below.indent > indent || (below.indent === indent && isItem(below)))
    if (found.rest !== '') {
      entries.set(found.key, readInline(found.rest, line, depth + 1))
      at += 1
    } else if (isNested) {
      const [value, next] = readBlock(lines, at + 1, depth + 1)
      entries.set(found.key, value)
      at = next
    } else {
      entries.set(found.key, '')
      at += 1
    }
  }
  return [toMap(entries), at]
}

function toMap(entries: ReadonlyMap<string, SpecValue>): SpecMap {
  return Object.assign(Object.create(null) as SpecMap, Object.fromEntries(entries))
}

function keyOf(text: string): { readonly key: string; readonly rest: string } | undefined {
  const match =
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'{}[\],&*!|>%@`?#-][^:{}[\]]*?|-[^\s:][^:]*?))\s*:(?:\s+(.*))?$/.exec(
      text,
    )
  const key = match?.[1] ?? match?.[2]?.replaceAll("''", "'") ?? match?.[3]
  return key === undefined ? undefined : { key, rest: match?.[4] ?? '' }
}

/** A scalar, or a map or list on one line. */
function readInline(text: string, line: Line, depth: number): SpecValue {
  const reader = { text, at: 0 }
  const value = readFlow(reader, line, depth, false)
  if (reader.at < text.length) throw fault(line, 'something behind a value')
  return value
}

type Flow = { readonly text: string; at: number }

function readFlow(flow: Flow, line: Line, depth: number, isInside: boolean): SpecValue {
  if (depth > MAX_DEPTH) throw fault(line, `more than ${MAX_DEPTH} levels`)
  skipSpace(flow)
  const first = flow.text[flow.at] ?? ''
  if (first === '{') return readFlowMap(flow, line, depth)
  if (first === '[') return readFlowList(flow, line, depth)
  if (first === '"' || first === "'") return readQuoted(flow, line)
  if (UNREAD.test(first))
    throw fault(line, `a value that begins with ${JSON.stringify(first)}, which this reader does not take`)
  const end = isInside ? /[,\]}]/g : /$/g
  end.lastIndex = flow.at
  const stop = end.exec(flow.text)?.index ?? flow.text.length
  const scalar = flow.text.slice(flow.at, stop).trim()
  if (/:(?:\s|$)/.test(scalar)) throw fault(line, 'a colon within a value; quote it')
  flow.at = stop
  return scalar
}

function skipSpace(flow: Flow): void {
  while (flow.text[flow.at] === ' ' || flow.text[flow.at] === '\t') flow.at += 1
}

function readQuoted(flow: Flow, line: Line): string {
  const pattern = flow.text[flow.at] === '"' ? /"(?:[^"\\]|\\.)*"/y : /'(?:[^']|'')*'/y
  pattern.lastIndex = flow.at
  const quoted = pattern.exec(flow.text)?.[0]
  if (quoted === undefined) throw fault(line, 'a quote that does not end')
  flow.at += quoted.length
  skipSpace(flow)
  if (quoted.startsWith("'")) return quoted.slice(1, -1).replaceAll("''", "'")
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw fault(line, 'an escape that this reader does not take')
  }
}

function readFlowList(flow: Flow, line: Line, depth: number): SpecValue {
  const items: SpecValue[] = []
  readItems(flow, line, ']', () => items.push(readFlow(flow, line, depth + 1, true)))
  return items
}

function readFlowMap(flow: Flow, line: Line, depth: number): SpecValue {
  const entries = new Map<string, SpecValue>()
  readItems(flow, line, '}', () => {
    const match = /(?:"([^"\\]*)"|'([^']*)'|([^\s"'{}[\],:][^{}[\],:]*?))\s*:(?=\s|$)/y
    match.lastIndex = flow.at
    const found = match.exec(flow.text)
    const key = found?.[1] ?? found?.[2] ?? found?.[3]
    if (found === null || key === undefined) throw fault(line, 'a map on one line without a key')
    if (entries.has(key)) throw fault(line, 'a repeated key')
    flow.at += found[0].length
    entries.set(key, readFlow(flow, line, depth + 1, true))
  })
  return toMap(entries)
}

function readItems(flow: Flow, line: Line, close: string, readItem: () => void): void {
  flow.at += 1
  for (;;) {
    skipSpace(flow)
    if (flow.text[flow.at] === close) break
    readItem()
    skipSpace(flow)
    if (flow.text[flow.at] === ',') flow.at += 1
    else if (flow.text[flow.at] !== close) throw fault(line, `a list or map on one line without its ${close}`)
  }
  flow.at += 1
  skipSpace(flow)
}
