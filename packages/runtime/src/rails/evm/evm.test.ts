import { makeEvmRail } from '../../../test/rails/evm-rail.ts'
import { describeRail } from '../../../test/rails/rail-suite.ts'

describeRail('EVM on anvil', () => makeEvmRail())
