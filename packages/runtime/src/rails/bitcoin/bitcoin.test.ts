import { describe } from 'vitest'
import { hasBcoin } from '../../../test/chains/bitcoin/bcoin.ts'
import { makeBitcoinRail } from '../../../test/chains/bitcoin/under-test.ts'
import { describeRail } from '../../../test/rails/rail-suite.ts'

describe.runIf(hasBcoin)('on regtest', () => {
  describeRail('bitcoin over Bitcoin Core', () => makeBitcoinRail('bitcoin-core'))
  describeRail('bitcoin over Esplora', () => makeBitcoinRail('esplora'))
})
