import { describeLies } from '../../../test/chains/lying-suite.ts'
import { makeSolanaRail } from '../../../test/chains/solana/under-test.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import { createSolanaRail } from './rail.ts'

describeLies(
  'solana',
  120,
  () => makeSolanaRail(),
  ({ url }) => url,
  ({ wallet }, url, onFailure) =>
    createSolanaRail({
      ...{ endpoints: [url], account: wallet.address, finality: 'confirmed', onFailure },
      sent: createMemorySentTransactions(),
    }),
)
