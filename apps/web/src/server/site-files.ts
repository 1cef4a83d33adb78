import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** A file of the built site, kept in memory. */
export type SiteFile = {
  readonly type: string
  readonly bytes: Uint8Array
  /** Compressed, where that makes it smaller. */
  readonly brotli: Uint8Array | undefined
  readonly cacheControl: string
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

const compress = promisify(brotliCompress)

/** Reads a built site into memory, by path. Throws where there is none. */
export async function readSite(folder: string): Promise<ReadonlyMap<string, SiteFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (cause: NodeJS.ErrnoException) => {
      throw new Error(`There is no built explorer in ${folder}. Build it first.`, { cause })
    },
  )
  const site = new Map<string, SiteFile>()
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const type = TYPES[extname(entry.name)]
    if (type !== undefined) site.set(path, await readSiteFile(file, path, type))
  }
  if (!site.has('/index.html')) throw new Error(`There is no built explorer in ${folder}. Build it first.`)
  return site
}

async function readSiteFile(file: string, path: string, type: string): Promise<SiteFile> {
  const bytes = await readFile(file)
  const compressed = await compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  return {
    type,
    bytes,
    brotli: compressed.length < bytes.length ? compressed : undefined,
    // names of assets hold a digest of their bytes
    cacheControl: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
}
