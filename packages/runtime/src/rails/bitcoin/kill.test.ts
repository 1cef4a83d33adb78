import { describe } from 'vitest'
import { hasBcoin } from '../../../test/chains/bitcoin/bcoin.ts'
import { makeBitcoinRail } from '../../../test/chains/bitcoin/under-test.ts'
import { describeKills } from '../../../test/chains/kill-suite.ts'

describe.runIf(hasBcoin)('on regtest', () => {
  for (const speaks of ['bitcoin-core', 'esplora'] as const) describeKills(speaks, () => makeBitcoinRail(speaks))
})
