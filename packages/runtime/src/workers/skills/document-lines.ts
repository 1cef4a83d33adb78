import { splitRecords } from './csv.ts'
import { readMail } from './mail.ts'

/** A line of a document with its columns; at least one cell, none empty. */
export type DocumentLine = { readonly cells: readonly string[] }

/** A document as lines, whatever its format was. `sender` is the name in the head of an e-mail. */
export type DocumentLines = { readonly lines: readonly DocumentLine[]; readonly sender: string | undefined }

/** Bytes and lines of one document. */
const MAX_BYTES = 1024 * 1024
const MAX_LINES = 20_000
/** Cells of a line and characters of a cell; what is longer states no field, and patterns take long over it. */
const MAX_CELLS = 50
const MAX_CELL_CHARACTERS = 300

/** Reads a document by its name's ending: `.eml`, `.html`, `.csv`, else plain text. Undefined for what is no text. */
export function readDocumentLines(path: string, bytes: Uint8Array): DocumentLines | undefined {
  if (bytes.length > MAX_BYTES) return undefined
  const text = decodeText(bytes)
  if (text === undefined) return undefined
  if (path.endsWith('.eml')) {
    const { sender, body, isHtml } = readMail(text)
    return { sender, lines: isHtml ? htmlLines(body) : plainLines(body) }
  }
  if (/\.html?$/.test(path)) return { sender: undefined, lines: htmlLines(text) }
  return { sender: undefined, lines: path.endsWith('.csv') ? csvLines(text) : plainLines(text) }
}

/** UTF-8 without control characters other than white space; anything else is no text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return /(?![\t\n\f\r])\p{Cc}/u.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function asLines(rows: readonly (readonly string[])[]): readonly DocumentLine[] {
  return rows
    .map((row) => ({
      cells: row
        .slice(0, MAX_CELLS)
        .map(asCell)
        .filter((cell) => cell !== ''),
    }))
    .filter(({ cells }) => cells.length > 0)
    .slice(0, MAX_LINES)
}

function asCell(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_CELL_CHARACTERS)
}

/** Columns stand apart by tabs, bars or two spaces. */
function plainLines(text: string): readonly DocumentLine[] {
  return asLines(text.split(/\r\n|\n|\r|\f/).map((line) => line.split(/\t|\||[ \u00a0]{2,}/)))
}

function csvLines(text: string): readonly DocumentLine[] {
  const clean = text.replace(/^\ufeff/, '')
  const count = (delimiter: string) => clean.split(delimiter).length
  const delimiter = [';', '\t', ','].reduce((best, candidate) => (count(candidate) > count(best) ? candidate : best))
  return asLines(splitRecords(clean, delimiter).map(({ fields }) => fields))
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', euro: '€', pound: '£', yen: '¥', middot: '·' },
  ...{ szlig: 'ß', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', eacute: 'é', egrave: 'è' },
  ...{ agrave: 'à', ccedil: 'ç', ecirc: 'ê', ndash: '–', mdash: '—', deg: '°' },
}

/** Text of HTML: blocks and rows are lines, cells are columns; scripts, styles and the head are left out. Nothing is loaded. */
function htmlLines(html: string): readonly DocumentLine[] {
  const visible = withoutElements(html, ['script', 'style', 'head', 'template'])
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/<\/t[dh]\s*>/gi, '\t')
    .replace(
      /<(?:br|\/?p|\/?div|\/?tr|\/?li|\/?h[1-6]|\/?table|\/?dt|\/?dd|\/?section|\/?address)\b[^>]{0,500}>/gi,
      '\n',
    )
    .replace(/<[^>]{0,500}>/g, '')
  return asLines(
    decodeEntities(visible)
      .split('\n')
      .map((line) => line.split('\t')),
  )
}

function withoutElements(html: string, names: readonly string[]): string {
  let rest = html
  for (const name of names) {
    const parts = rest.split(new RegExp(`<${name}\\b`, 'i'))
    const kept = parts.slice(1).map((part) => {
      const end = new RegExp(`</${name}\\s*>`, 'i').exec(part)
      return end === null ? '' : part.slice(end.index + end[0].length)
    })
    rest = [parts[0] ?? '', ...kept].join(' ')
  }
  return rest
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,10}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return ENTITIES[name as string] ?? whole
    const code = decimal === undefined ? Number.parseInt(hexadecimal as string, 16) : Number(decimal)
    return code >= 32 && code <= 0x10_ff_ff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : ' '
  })
}
