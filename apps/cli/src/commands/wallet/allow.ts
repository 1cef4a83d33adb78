import { isRailAddress, type Rail, type RailAddress } from '@oikos/core/economic'
import { CustodyError, openAllowList } from '@oikos/runtime/custody'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { nativeAmount, parseNativeAmount } from '../../economic/amount.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { CUSTODY_OPTIONS, custodyFolder, RAIL_OPTION, railOption, walletsOf } from './folder.ts'

/** `oikos wallet allow`: custody's own list, which no policy can widen. */
export const allow: CommandSpec = {
  name: 'allow',
  summary: 'let a wallet pay an address, up to an amount and a fee',
  details:
    'Custody signs nothing that is not on this list, whatever a policy or an approver says. A second row for the same address replaces the first; --remove takes it away.',
  args: [
    ['<wallet>', 'wallet id'],
    ['<address>', 'who may be paid'],
  ],
  options: [
    RAIL_OPTION,
    { flags: '--max-amount <amount>', text: 'the most that one payment may transfer: "0.05 ETH", "17 atomic"' },
    { flags: '--max-fee <amount>', text: 'the most that the transfer itself may cost' },
    { flags: '--remove', text: 'take the address off the list' },
    ...CUSTODY_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'oikos wallet allow buyer 0x1111111111111111111111111111111111111111 --max-amount "0.05 ETH" --max-fee "0.001 ETH"',
    'oikos wallet allow buyer 0x1111111111111111111111111111111111111111 --remove',
  ],
  run: async (context, input) => {
    const { output } = context
    const [walletId, rail] = [input.argument(0), railOption(input)]
    const destination = addressOf(rail, input.argument(1))
    if ((await walletsOf(context, input).find(walletId, rail)) === undefined)
      throw new CustodyError('wallet_unknown', `${walletId.slice(0, 128)} on ${rail}`)
    const allowList = openAllowList(custodyFolder(context, input))
    const named = { walletId, rail, destination }
    if (input.flag('remove')) {
      const isListed = (await allowList.list()).some(
        (row) => row.walletId === walletId && row.rail === rail && row.destination === destination,
      )
      if (!isListed) throw new NotFoundError(`${walletId} may not pay ${destination} anyway.`, 'See wallet show.')
      await allowList.remove(named)
      output.result({ ok: true, removed: named }, [`${walletId} may no longer pay ${destination}.`])
      return EXIT.done
    }
    const row = {
      ...named,
      maxAmountAtomic: amountOption(input, 'max-amount', rail),
      maxFeeAtomic: amountOption(input, 'max-fee', rail),
    }
    await allowList.put(row)
    output.result({ ok: true, allowed: row }, [
      `${walletId} may pay ${destination} at most ${nativeAmount(row.maxAmountAtomic, rail)} at once, for a fee of at most ${nativeAmount(row.maxFeeAtomic, rail)}.`,
    ])
    output.next(`wallet show ${walletId}`)
    return EXIT.done
  },
}

/** An address as custody writes it: EVM addresses in lower case. */
function addressOf(rail: Rail, text: string): RailAddress {
  const address = rail === 'evm' ? text.toLowerCase() : text
  if (isRailAddress(rail, address)) return address
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 80))} is no address on ${rail}.`,
    'Check --rail and the address; only addresses of test networks are taken.',
  )
}

function amountOption(input: Input, name: 'max-amount' | 'max-fee', rail: Rail): bigint {
  const text = input.text(name)
  if (text !== undefined) return parseNativeAmount(text, rail)
  throw new UsageError(`A row of the list has a limit, and --${name} is missing.`, `Add --${name} "0.01 ETH".`)
}
