import { makeSolanaRail } from '../../../test/chains/solana/under-test.ts'
import { describeRail } from '../../../test/rails/rail-suite.ts'

describeRail('solana', makeSolanaRail)
