import { type Asset, getAssetBalance, getBlockMoment, isNativeAsset } from '@oikos/sdk'
import { type Address, erc20Abi, getAddress, isAddressEqual, parseEventLogs } from 'viem'
import { getBalance, getBlock, getLogs, getTransactionReceipt } from 'viem/actions'
import { amount, type Stage } from '../../market/stage.ts'

/** What one account should have gained over a play, or lost where it is negative, in smallest units and without gas. */
export type Movement = { who: string; account: Address; movedAtomic: bigint }

/** One account before and after a play. `movedAtomic` is what it gained by the play; `gasWei` is what it paid beside that. */
export type MoneyLine = Movement & { beforeAtomic: bigint; afterAtomic: bigint; gasWei: bigint }

/** Every account that a play moved money of; the lines add up to zero. */
export type MoneyReport = { asset: Asset; fromBlock: bigint; toBlock: bigint; lines: MoneyLine[] }

/** The money of a play is not where the story says. */
export class MoneyMismatchError extends Error {
  override readonly name = 'MoneyMismatchError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The money does not add up: ${problems.join('; ')}.`)
    this.problems = problems
  }
}

/**
 * Compares what the chain says about every account with what the story says, to the last unit, from the state at
 * `fromBlock` to now. Of native currency, gas is added from the receipts of each account's transactions. Money that came
 * from or went to an account which is not listed is a mismatch: of a token by its Transfer events, of native currency
 * because the lines then do not add up to zero.
 * @throws MoneyMismatchError
 */
export async function accountForMoney(
  stage: Stage,
  { asset, fromBlock, expected }: { asset: Asset; fromBlock: bigint; expected: readonly Movement[] },
): Promise<MoneyReport> {
  const { number: toBlock } = await getBlockMoment(stage.client.stranger)
  const gas = isNativeAsset(asset) ? await readGas(stage, fromBlock, toBlock) : new Map<Address, bigint>()
  const lines = await Promise.all(
    expected.map(async ({ who, account }): Promise<MoneyLine> => {
      const [beforeAtomic, afterAtomic] = await Promise.all([
        balanceAt(stage, asset, account, fromBlock),
        balanceAt(stage, asset, account, toBlock),
      ])
      const gasWei = gas.get(getAddress(account)) ?? 0n
      return { who, account, beforeAtomic, afterAtomic, gasWei, movedAtomic: afterAtomic - beforeAtomic + gasWei }
    }),
  )
  const problems = lines.flatMap(({ who, movedAtomic }, index) => {
    const story = expected[index]?.movedAtomic
    return movedAtomic === story ? [] : [`${who} moved ${movedAtomic}, the story says ${story}`]
  })
  const sum = lines.reduce((total, { movedAtomic }) => total + movedAtomic, 0n)
  if (sum !== 0n) problems.push(`the accounts add up to ${sum}, not to nothing`)
  if (!isNativeAsset(asset)) problems.push(...(await findOutsiders(stage, asset, { fromBlock, toBlock, expected })))
  if (problems.length > 0) throw new MoneyMismatchError(problems)
  for (const { who, movedAtomic } of lines) {
    const sign = movedAtomic < 0n ? '-' : '+'
    stage.say.fact('money', `${who} ${sign}${amount(movedAtomic < 0n ? -movedAtomic : movedAtomic, asset)}`)
  }
  return { asset, fromBlock, toBlock, lines }
}

function balanceAt(stage: Stage, asset: Asset, account: Address, blockNumber: bigint): Promise<bigint> {
  if (isNativeAsset(asset)) return getBalance(stage.client.stranger, { address: account, blockNumber })
  return getAssetBalance(stage.client.stranger, { asset: asset.address, account, blockNumber })
}

/** What each account paid for its transactions in the blocks after `fromBlock`, by checksummed address. */
async function readGas(stage: Stage, fromBlock: bigint, toBlock: bigint): Promise<Map<Address, bigint>> {
  const client = stage.client.stranger
  const paid = new Map<Address, bigint>()
  for (let blockNumber = fromBlock + 1n; blockNumber <= toBlock; blockNumber += 1n) {
    for (const hash of (await getBlock(client, { blockNumber })).transactions) {
      const { from, gasUsed, effectiveGasPrice } = await getTransactionReceipt(client, { hash })
      const payer = getAddress(from)
      paid.set(payer, (paid.get(payer) ?? 0n) + gasUsed * effectiveGasPrice)
    }
  }
  return paid
}

/** Transfers of a token between an account of the play and one that the story does not name. */
async function findOutsiders(
  stage: Stage,
  asset: Asset,
  { fromBlock, toBlock, expected }: { fromBlock: bigint; toBlock: bigint; expected: readonly Movement[] },
): Promise<string[]> {
  const logs = await getLogs(stage.client.stranger, { address: asset.address, fromBlock: fromBlock + 1n, toBlock })
  const isListed = (address: Address) => expected.some(({ account }) => isAddressEqual(account, address))
  return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
    .filter(({ args }) => isListed(args.from) !== isListed(args.to))
    .map(({ args }) => `${args.value} went from ${args.from} to ${args.to}, of whom the story names one only`)
}
