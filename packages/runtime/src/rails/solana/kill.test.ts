import { describeKills } from '../../../test/chains/kill-suite.ts'
import { makeSolanaRail } from '../../../test/chains/solana/under-test.ts'

describeKills('solana', () => makeSolanaRail())
