import {
  type BlockSource,
  BlockTooLargeError,
  type Cid,
  cidCodec,
  cidDigest,
  DEFAULT_LIMITS,
  isCid,
  linkAt,
  MAX_OBJECT_BYTES,
  PackageRootError,
  type Sha256Function,
  sha256,
  unpackTaskRoot,
  viewTask,
} from '@oikos/core'
import type { ContentStore } from './content-store.ts'
import {
  type FetchBounds,
  type FetchedBytes,
  type FetchFunction,
  type FetchOutcome,
  fetchBytes,
  findUrlFault,
} from './fetch-bytes.ts'
import { ResolverOptionError } from './resolver-error.ts'

/** Bounds of a resolver. Bytes, milliseconds, and redirects that are followed for `https:` URIs. */
export type ResolverLimits = FetchBounds

/** 64 MiB, 30 seconds, 3 redirects: what one object may cost a reader who did not choose its publisher. */
export const DEFAULT_RESOLVER_LIMITS: ResolverLimits = {
  maxBytes: MAX_OBJECT_BYTES,
  timeoutMs: 30_000,
  maxRedirects: 3,
}

/** Gateways of one resolver; each is asked in turn for every missing block. */
export const MAX_GATEWAYS = 16

/** Attempts that are kept in a report. */
export const MAX_ATTEMPTS = 1_000

/** One place that was asked, and what came of it. `mismatch`: it gave bytes that are not those of the CID. */
export type Attempt = {
  readonly from: string
  readonly outcome: 'ok' | 'mismatch' | FetchOutcome
  readonly detail: string
}

/** Bytes of a URI, or why there are none. */
export type ResolvedBytes =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly from: string; readonly attempts: readonly Attempt[] }
  | {
      readonly ok: false
      readonly code: 'bad-uri' | 'unverifiable' | 'unavailable' | 'mismatch'
      readonly message: string
      readonly attempts: readonly Attempt[]
    }

/** Options of one resolution. */
export type ResolveOptions = {
  /** What the bytes must be; required where the URI does not say it in a way that can be checked. */
  readonly cid?: Cid
  /** Below the resolver's own bound. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal
}

/** A block source that tells which places it asked, oldest first, {@link MAX_ATTEMPTS} at most. */
export type ReportingSource = BlockSource & { readonly attempts: readonly Attempt[] }

/** Turns URIs and CIDs into checked bytes. */
export type ContentResolver = {
  readonly resolve: (uri: string, options?: ResolveOptions) => Promise<ResolvedBytes>
  /** Blocks by CID: the store first, then the gateways in order. */
  readonly source: (options?: { readonly signal?: AbortSignal }) => ReportingSource
}

/** What a resolver may use; what is absent is not used. */
export type ResolverOptions = {
  readonly store?: ContentStore
  /** Base URLs such as `https://example.org`; asked for `/ipfs/<cid>?format=raw`. They are not trusted. */
  readonly gateways?: readonly string[]
  readonly fetch?: FetchFunction
  /** Reads `file:` URIs; on Node `readLocalFile`. */
  readonly readFile?: (url: URL, maxBytes: number) => Promise<Uint8Array | undefined>
  /** Whether URIs may name http servers on loopback; switch it off where strangers give the URIs. Default true. */
  readonly allowLoopbackUris?: boolean
  readonly limits?: Partial<ResolverLimits>
  /** A faster SHA-256 of the host. */
  readonly hash?: Sha256Function
}

/**
 * Resolves `ipfs://<cid>[/path]`, `https:`, `file:` and, on loopback, `http:`. Every block is compared with its CID; a
 * gateway that gives other bytes is reported and the next one asked. Throws ResolverOptionError on options that cannot
 * work; resolving throws nothing but the reason of an aborted signal.
 */
export function createContentResolver(options: ResolverOptions): ContentResolver {
  const limits = { ...DEFAULT_RESOLVER_LIMITS, ...options.limits }
  const gateways = checkGateways(options)
  const hash = options.hash ?? sha256

  const fromStore = async (cid: Cid, maxBytes: number, note: Note): Promise<Uint8Array | undefined> => {
    if (options.store === undefined) return undefined
    try {
      const bytes = await options.store.get(cid, { maxBytes })
      if (bytes !== undefined) note('store', 'ok', cid)
      return bytes
    } catch (cause) {
      const outcome = cause instanceof BlockTooLargeError ? 'too-large' : 'failed'
      note('store', outcome, cause instanceof Error ? cause.message : 'unknown failure')
      return undefined
    }
  }

  const fromGateways = async (cid: Cid, maxBytes: number, note: Note, signal: AbortSignal | undefined) => {
    for (const gateway of gateways) {
      const fetched = await get(`${gateway}/ipfs/${cid}?format=raw`, maxBytes, signal, {
        accept: 'application/vnd.ipld.raw',
        allowLoopback: true,
      })
      if (!fetched.ok) note(gateway, fetched.outcome, fetched.detail)
      else if (hash(fetched.bytes) !== cidDigest(cid)) note(gateway, 'mismatch', `the bytes are not those of ${cid}`)
      else {
        note(gateway, 'ok', cid)
        return fetched.bytes
      }
    }
    return undefined
  }

  const get = (
    url: string,
    maxBytes: number,
    signal: AbortSignal | undefined,
    request: { readonly accept?: string; readonly allowLoopback: boolean },
  ): Promise<FetchedBytes> => {
    if (options.fetch === undefined)
      return Promise.resolve({ ok: false, outcome: 'refused', detail: 'no fetch was given to the resolver' })
    return fetchBytes(options.fetch, url, { ...limits, maxBytes }, { ...request, ...(signal && { signal }) })
  }

  const getBlock = async (cid: Cid, maxBytes: number, note: Note, signal: AbortSignal | undefined) =>
    (await fromStore(cid, maxBytes, note)) ?? (await fromGateways(cid, maxBytes, note, signal))

  const source = (use: { readonly signal?: AbortSignal } = {}): ReportingSource => {
    const { attempts, note } = keepAttempts()
    return {
      attempts,
      get: async (cid, { maxBytes }) => {
        const before = attempts.length
        const bytes = await getBlock(cid, Math.min(maxBytes, limits.maxBytes), note, use.signal)
        const mine = attempts.slice(before)
        if (bytes === undefined && mine.length > 0 && mine.every(({ outcome }) => outcome === 'too-large'))
          throw new BlockTooLargeError(cid, Math.min(maxBytes, limits.maxBytes))
        return bytes
      },
    }
  }

  const resolve = async (uri: string, use: ResolveOptions = {}): Promise<ResolvedBytes> => {
    const { attempts, note } = keepAttempts()
    const maxBytes = Math.min(use.maxBytes ?? limits.maxBytes, limits.maxBytes)
    const fail = (code: Extract<ResolvedBytes, { ok: false }>['code'], message: string): ResolvedBytes => {
      const mismatch = code === 'unavailable' && attempts.some(({ outcome }) => outcome === 'mismatch')
      return { ok: false, code: mismatch ? 'mismatch' : code, message, attempts }
    }
    const done = (bytes: Uint8Array | undefined): ResolvedBytes =>
      bytes === undefined
        ? fail('unavailable', `nothing gave the bytes of ${uri.slice(0, 200)}`)
        : { ok: true, bytes, from: attempts.findLast(({ outcome }) => outcome === 'ok')?.from ?? 'store', attempts }
    const checked = (bytes: Uint8Array | undefined, from: string): Uint8Array | undefined => {
      if (bytes === undefined) return undefined
      if (use.cid !== undefined && hash(bytes) !== cidDigest(use.cid)) {
        note(from, 'mismatch', `the bytes are not those of ${use.cid}`)
        return undefined
      }
      note(from, 'ok', `${bytes.length} bytes`)
      return bytes
    }

    if (!URL.canParse(uri)) return fail('bad-uri', 'not a URI')
    const url = new URL(uri)
    switch (url.protocol) {
      case 'ipfs:': {
        const target = readIpfsUri(uri)
        if (target === undefined) return fail('bad-uri', 'expected ipfs://<cid>[/path]')
        const { path } = target
        if (path === '' && isCid(target.cid)) {
          if (use.cid !== undefined && use.cid !== target.cid)
            return fail('mismatch', `the URI names ${target.cid}, expected ${use.cid}`)
          return done(await getBlock(target.cid, maxBytes, note, use.signal))
        }
        if (isCid(target.cid) && cidCodec(target.cid) === 'dag-cbor') {
          const rootBytes = await getBlock(target.cid, DEFAULT_LIMITS.rootBytes, note, use.signal)
          const link = rootBytes && linkInRoot(rootBytes, path)
          if (rootBytes !== undefined && link === undefined) return fail('bad-uri', `the root has no ${path}`)
          if (use.cid !== undefined && link !== undefined && use.cid !== link)
            return fail('mismatch', `the URI leads to ${link}, expected ${use.cid}`)
          return done(link && (await getBlock(link, maxBytes, note, use.signal)))
        }
        if (use.cid === undefined)
          return fail('unverifiable', 'a path under this CID can be checked only against an expected CID')
        const stored = await fromStore(use.cid, maxBytes, note)
        if (stored !== undefined) return done(stored)
        for (const gateway of gateways) {
          const at = `${gateway}/ipfs/${target.cid}${path === '' ? '' : `/${path.split('/').map(encodeURIComponent).join('/')}`}`
          const fetched = await get(at, maxBytes, use.signal, { allowLoopback: true })
          if (!fetched.ok) note(gateway, fetched.outcome, fetched.detail)
          const bytes = fetched.ok ? checked(fetched.bytes, gateway) : undefined
          if (bytes !== undefined) return done(bytes)
        }
        return done(undefined)
      }
      case 'https:':
      case 'http:': {
        const allowLoopback = options.allowLoopbackUris ?? true
        const fault = findUrlFault(uri, allowLoopback)
        if (fault !== undefined) return fail('bad-uri', fault)
        const fetched = await get(uri, maxBytes, use.signal, { allowLoopback })
        if (!fetched.ok) note(url.origin, fetched.outcome, fetched.detail)
        return done(fetched.ok ? checked(fetched.bytes, url.origin) : undefined)
      }
      case 'file:': {
        if (options.readFile === undefined) return fail('bad-uri', 'no readFile was given to the resolver')
        try {
          const bytes = await options.readFile(url, maxBytes)
          if (bytes === undefined) note('file', 'missing', url.pathname)
          return done(checked(bytes, 'file'))
        } catch (cause) {
          const outcome = cause instanceof BlockTooLargeError ? 'too-large' : 'failed'
          note('file', outcome, cause instanceof Error ? cause.message : 'unknown failure')
          return done(undefined)
        }
      }
      default:
        return fail('bad-uri', `${url.protocol} is refused; expected ipfs:, https:, file:, or http: on loopback`)
    }
  }

  return { resolve, source }
}

type Note = (from: string, outcome: Attempt['outcome'], detail: string) => void

function keepAttempts(): { readonly attempts: Attempt[]; readonly note: Note } {
  const attempts: Attempt[] = []
  const note: Note = (from, outcome, detail) => {
    if (attempts.length < MAX_ATTEMPTS) attempts.push({ from, outcome, detail })
  }
  return { attempts, note }
}

function checkGateways({ gateways = [], fetch }: ResolverOptions): string[] {
  if (gateways.length > MAX_GATEWAYS)
    throw new ResolverOptionError('gateways', `got ${gateways.length}, expected ${MAX_GATEWAYS} or fewer`)
  if (gateways.length > 0 && fetch === undefined) throw new ResolverOptionError('fetch', 'gateways need it')
  return gateways.map((gateway) => {
    const fault = findUrlFault(gateway, true)
    if (fault !== undefined) throw new ResolverOptionError(gateway, fault)
    return gateway.replace(/\/+$/, '')
  })
}

/** The parts of `ipfs://<cid>[/path]`, by hand: URL parsers lower the case of a host, and a CID may have upper case. */
function readIpfsUri(uri: string): { readonly cid: string; readonly path: string } | undefined {
  const match = /^ipfs:\/\/([A-Za-z0-9]{1,128})(?:\/(.{0,4096}))?$/su.exec(uri)
  if (match?.[1] === undefined) return undefined
  try {
    return { cid: match[1], path: decodeURIComponent(match[2] ?? '') }
  } catch {
    return undefined
  }
}

/** The link of a package path in a TaskRoot; undefined when the root is broken or has no such path. */
function linkInRoot(rootBytes: Uint8Array, path: string): Cid | undefined {
  try {
    return linkAt(viewTask(unpackTaskRoot(rootBytes)), path)
  } catch (cause) {
    if (cause instanceof PackageRootError) return undefined
    throw cause
  }
}
