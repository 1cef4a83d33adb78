import { getBlockMoment } from '@oikos/sdk'
import type { Stage } from '../../market/stage.ts'

export const minuteSec = 60n
export const hourSec = 3_600n
export const daySec = 86_400n

/** The clock that decides in contracts: time of the latest block, in unix seconds. */
export async function nowSec(stage: Stage): Promise<bigint> {
  return (await getBlockMoment(stage.client.stranger)).timestampSec
}

/** Moves the clock to a time of a later day, counted from today; days begin at midnight UTC, like epochs of a day. */
export async function moveToDay(stage: Stage, daysAhead: bigint, hour: bigint): Promise<void> {
  const now = await nowSec(stage)
  await stage.passTime((now / daySec + daysAhead) * daySec + hour * hourSec - now)
}
