import { makeBitcoinRail } from '../../../test/chains/bitcoin/under-test.ts'
import { describeRail } from '../../../test/rails/rail-suite.ts'

describeRail('bitcoin over Bitcoin Core', () => makeBitcoinRail('bitcoin-core'))
describeRail('bitcoin over Esplora', () => makeBitcoinRail('esplora'))
