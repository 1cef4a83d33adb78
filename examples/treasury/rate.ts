import { getExchangeRate } from '@oikos/sdk'
import type { Address } from 'viem'
import { amount, type Stage } from '../market/stage.ts'

/** Tells what a share is worth now. */
export async function tellRate(stage: Stage, agent: Address): Promise<bigint> {
  const rate = await getExchangeRate(stage.client.stranger, { agent })
  stage.say.fact('rate', `${amount(rate, stage.dollar)} a share`)
  return rate
}
