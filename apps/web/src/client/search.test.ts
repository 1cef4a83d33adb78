import { describe, expect, it } from 'vitest'
import { readMarketSearch, readTabSearch } from './search.ts'

describe('the address of a list', () => {
  it('keeps the parameters that a list has, as texts', () => {
    expect(readMarketSearch({ sort: 'reward', order: 'asc', funded: true, cursor: 12 })).toEqual({
      sort: 'reward',
      order: 'asc',
      funded: 'true',
      cursor: '12',
    })
  })

  it('drops everything else of a link that a stranger made', () => {
    expect(
      readMarketSearch({ __proto__: { sort: 'x' }, evil: '<script>', sort: { a: 1 }, cursor: 'x'.repeat(301) }),
    ).toEqual({})
    expect(readTabSearch({ tab: ['books'] })).toEqual({})
  })
})
