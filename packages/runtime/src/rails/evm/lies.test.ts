import { describeLies } from '../../../test/chains/lying-suite.ts'
import { makeEvmRail } from '../../../test/rails/evm-rail.ts'
import { suiteAddress } from '../../../test/rails/evm-wallet.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import { createEvmRail } from './rail.ts'

describeLies(
  'EVM on anvil',
  120,
  () => makeEvmRail(),
  ({ url }) => url,
  (_rail, url, onFailure) =>
    createEvmRail({ endpoints: [url], account: suiteAddress, sent: createMemorySentTransactions(), onFailure }),
)
