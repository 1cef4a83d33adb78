import fc from 'fast-check'
import { sql } from 'ponder'
import { describe, expect, test } from 'vitest'
import type { DeskItem } from '../rest/types.ts'
import { toCsv } from './csv.ts'
import { orderDesk } from './desk.ts'
import { RestFailure } from './failure.ts'
import { behind, type OrderKey, pageOf } from './keyset.ts'
import { openApiDocument } from './openapi.ts'
import { querySchemas, readPath, readQuery } from './query.ts'
import { routes } from './routes.ts'
import { tenderState } from './tender-state.ts'

const urlOf = (query: string): URL => new URL(`http://index/v1/market${query}`)
const refusal = (run: () => unknown): RestFailure => {
  try {
    run()
  } catch (error) {
    if (error instanceof RestFailure) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('query parameters', () => {
  test('have defaults, and an empty one counts as absent', () => {
    expect(readQuery(urlOf('?state='), 'market')).toEqual({ limit: 50, format: 'json', order: 'desc', sort: 'created' })
  })

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=201', 'limit'],
    ['?limit=1e2', 'limit'],
    ['?limit=-1', 'limit'],
    ['?sort=name', 'sort'],
    ['?stat=open', 'stat'],
    ['?state=open&state=over', 'state'],
    ['?minReward=1.5', 'minReward'],
    ['?owner=0x12', 'owner'],
    [`?cursor=${'a'.repeat(2_000)}`, 'cursor'],
    ['?cursor=%00', 'cursor'],
    ['?__proto__=1', '__proto__'],
  ])('%s is refused by name', (query, parameter) => {
    expect(refusal(() => readQuery(urlOf(query), 'market'))).toMatchObject({ code: 'bad_request', parameter })
  })

  test('any query is read or refused, never anything else', () => {
    const names = fc.oneof(fc.constantFrom(...Object.keys(querySchemas.market.shape)), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 30 }), (pairs) => {
        const url = urlOf('')
        for (const [name, value] of pairs) url.searchParams.append(name, value)
        try {
          const { limit } = readQuery(url, 'market')
          expect(limit).toBeLessThanOrEqual(200)
        } catch (error) {
          expect(error).toBeInstanceOf(RestFailure)
          expect((error as RestFailure).status).toBe(400)
        }
      }),
    )
  })

  test('a path is read in lower case or refused', () => {
    const contract = `0x${'Ab'.repeat(20)}`
    expect(readPath({ chainId: '1', contract, tokenId: '7' }, 'tender')).toEqual({
      ...{ chainId: 1, contract: contract.toLowerCase(), tokenId: 7n },
    })
    expect(refusal(() => readPath({ chainId: '1', contract, tokenId: '-1' }, 'tender')).parameter).toBe('tokenId')
    expect(refusal(() => readPath({ chainId: '0x1', contract, tokenId: '1' }, 'tender')).parameter).toBe('chainId')
  })
})

describe('pages', () => {
  type Row = { readonly a: bigint; readonly b: string }
  const keys: OrderKey<Row>[] = [
    { column: sql`a`, kind: 'numeric', descending: true, of: ({ a }) => String(a) },
    { column: sql`b`, kind: 'text', descending: false, of: ({ b }) => b },
  ]
  const rows: Row[] = [5n, 4n, 3n].map((a) => ({ a, b: 'x' }))

  test('continue with a cursor that only the same list takes', () => {
    const page = pageOf(rows, 2, 'list/desc', keys)
    expect(page.rows).toEqual(rows.slice(0, 2))
    const cursor = page.nextCursor ?? ''
    expect(behind(cursor, 'list/desc', keys)).toBeDefined()
    expect(refusal(() => behind(cursor, 'list/asc', keys)).parameter).toBe('cursor')
    expect(pageOf(rows.slice(0, 2), 2, 'list/desc', keys).nextCursor).toBeNull()
    expect(behind(undefined, 'list/desc', keys)).toBeUndefined()
  })

  test('a feed goes on behind its last row, and an empty page does not', () => {
    expect(pageOf(rows, 3, 'feed', keys, true).nextCursor).not.toBeNull()
    expect(pageOf([], 3, 'feed', keys, true).nextCursor).toBeNull()
  })

  test('any other text as a cursor is refused', () => {
    const forged = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const value of [
      ['list', '1'],
      ['list', 1, 'x'],
      ['list', '1; drop', 'x'],
      ['list', '1', 'x\n'],
      {},
      null,
      'x',
    ]) {
      expect(refusal(() => behind(forged(value), 'list', keys)).code).toBe('bad_request')
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(refusal(() => behind(text, 'list', keys)).code).toBe('bad_request')
      }),
    )
  })
})

describe('CSV', () => {
  test('flattens, quotes, and disarms formulas of strangers', () => {
    const items = [{ a: '=1+1', b: { c: 'x,"y"' }, d: [1, 2], e: null, f: '-12', g: '-cmd' }]
    expect(toCsv(items)).toBe(`a,b.c,d,e,f,g\r\n'=1+1,"x,""y""","[1,2]",,-12,'-cmd\r\n`)
  })

  test('of nothing is one empty line', () => {
    expect(toCsv([])).toBe('\r\n')
  })
})

describe('a desk', () => {
  const item = (part: Partial<DeskItem>): DeskItem => ({
    ...{ kind: 'claim-tokens', chainId: 1, contract: '0x', tokenId: null, submissionId: null, counterparty: null },
    ...{ amount: null, asset: null, opensAtSec: null, deadlineSec: null, loss: 'nothing', ...part },
  })
  test('is ordered by what is lost by waiting', () => {
    const soon = item({ kind: 'judge-submission', deadlineSec: '110', loss: 'silence-pays-fulfiller' })
    const later = item({ kind: 'judge-submission', deadlineSec: '200', loss: 'silence-pays-fulfiller' })
    const much = item({ amount: '9' })
    const little = item({ amount: '1' })
    const opens = item({ kind: 'reclaim-request', opensAtSec: '150' })
    const opensLate = item({ kind: 'claim-unjudged', opensAtSec: '300' })
    const missed = item({ kind: 'judge-submission', deadlineSec: '90', loss: 'silence-pays-fulfiller', amount: '5' })
    const shuffled = [opensLate, little, opens, missed, later, much, soon]
    expect(orderDesk(shuffled, 100n)).toEqual([soon, later, much, missed, little, opens, opensLate])
  })
})

describe('the state of a tender', () => {
  const row = {
    ...{ isCancelled: false, settleBy: 0n, submitBy: 0n, maxCompletions: 0n, completions: 0n, pending: 0n },
    ...{ rewardPerCompletion: 10n, escrow: 10n },
  }
  test.each([
    ['open', {}],
    ['unfunded', { escrow: 9n }],
    ['unfunded', { pending: 1n, escrow: 19n }],
    ['unfunded', { rewardPerCompletion: null }],
    ['closed', { submitBy: 99n }],
    ['open', { submitBy: 100n }],
    ['closed', { maxCompletions: 2n, completions: 1n, pending: 1n, escrow: 100n }],
    ['over', { settleBy: 99n, submitBy: 99n }],
    ['cancelled', { isCancelled: true, settleBy: 99n }],
  ] as const)('is %s with %o', (state, change) => {
    expect(tenderState({ ...row, ...change }, 100n)).toBe(state)
  })
})

describe('the OpenAPI document', () => {
  const document = openApiDocument() as {
    openapi: string
    paths: Record<string, { get: { parameters?: { name: string; in: string }[]; operationId: string } }>
  }
  test('names every route with its parameters', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toHaveLength(routes.length + 1)
    const tender = document.paths['/v1/tenders/{chainId}/{contract}/{tokenId}']?.get
    expect(tender?.parameters?.map(({ name }) => name)).toEqual(['chainId', 'contract', 'tokenId'])
    const market = document.paths['/v1/market']?.get.parameters ?? []
    expect(market.map(({ name }) => name).sort()).toEqual(Object.keys(querySchemas.market.shape).sort())
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })
})
