import { describe } from 'vitest'
import { hasBcoin } from '../../../test/chains/bitcoin/bcoin.ts'
import { makeBitcoinRail } from '../../../test/chains/bitcoin/under-test.ts'
import { describeLies } from '../../../test/chains/lying-suite.ts'
import { createMemorySentTransactions } from '../sent/sent-transactions.ts'
import { createBitcoinRail } from './rail.ts'

describe.runIf(hasBcoin)('on regtest', () => {
  for (const speaks of ['bitcoin-core', 'esplora'] as const)
    describeLies(
      `bitcoin over ${speaks}`,
      120,
      () => makeBitcoinRail(speaks),
      ({ nodeUrl }) => nodeUrl,
      ({ wallet, endpointAt }, url, onFailure) =>
        createBitcoinRail({
          ...{ speaks, endpoints: [endpointAt(url)], account: wallet.address, onFailure },
          sent: createMemorySentTransactions(),
        }),
    )
})
