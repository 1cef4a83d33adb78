import {
  type Asset,
  approveAssetAndWait,
  freezeTaskAndWait,
  fundTaskAndWait,
  isNativeAsset,
  mintTaskAndWait,
  submitFulfillmentAndWait,
  type TaskTarget,
  type TenderTerms,
} from '@oikos/sdk'
import { type Address, erc20Abi, type Hex } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import { amount, type PartyClient, type PublishedPackage, type Stage, tellTransaction } from '../../market/stage.ts'

/** Terms that every market here states; what it leaves out has no limit. */
export type Terms = Pick<TenderTerms, 'rewardPerCompletionAtomic' | 'maxCompletions' | 'judgmentWindowSec'> &
  Partial<TenderTerms>

/** Mints a tender. Whoever publishes it owns it, may change its content until it is frozen, and may cancel it. */
export async function mintTender(
  stage: Stage,
  publisher: PartyClient,
  { published, judge, asset, terms }: { published: PublishedPackage; judge: Address; asset: Asset; terms: Terms },
): Promise<TaskTarget> {
  const task = stage.deployment.taskToken
  const minted = await mintTaskAndWait(publisher, {
    task,
    to: publisher.account.address,
    updateAuthority: publisher.account.address,
    acceptanceAuthority: judge,
    tdHash: published.tdHash,
    taskHash: published.taskHash,
    taskURI: published.uri,
    terms: {
      asset: asset.address,
      submitBySec: 0n,
      settleBySec: 0n,
      epochLengthSec: 0n,
      maxCompletionsPerEpoch: 0n,
      ...terms,
    },
  })
  tellTransaction(stage, minted)
  stage.say.fact('taskHash', published.taskHash)
  return { task, tokenId: minted.event.args.tokenId }
}

/** Makes the content of a tender final, so that nobody works for words that may change. */
export async function freezeTender(stage: Stage, publisher: PartyClient, target: TaskTarget): Promise<void> {
  tellTransaction(stage, await freezeTaskAndWait(publisher, target))
  stage.say.check(`npm run oikos -- task verify ${target.tokenId}`)
}

/** Puts money into the vault of a tender, by whoever wants to; of a token, it approves exactly that much first. */
export async function fundAs(
  stage: Stage,
  funder: PartyClient,
  target: TaskTarget,
  { asset, amountAtomic }: { asset: Asset; amountAtomic: bigint },
): Promise<void> {
  if (!isNativeAsset(asset)) {
    await approveAssetAndWait(funder, { token: asset.address, spender: target.task, amountAtomic })
  }
  tellTransaction(stage, await fundTaskAndWait(funder, { ...target, amountAtomic }))
  stage.say.fact('paid in', amount(amountAtomic, asset))
}

/** Sends a token to a vault by a plain transfer: a gift, which no funder can take back. */
export async function giveAs(
  stage: Stage,
  giver: PartyClient,
  vault: Address,
  { asset, amountAtomic }: { asset: Asset; amountAtomic: bigint },
): Promise<void> {
  const transfer = {
    abi: erc20Abi,
    address: asset.address,
    functionName: 'transfer',
    args: [vault, amountAtomic],
  } as const
  const hash = await writeContract(giver, transfer)
  tellTransaction(stage, { hash, receipt: await waitForTransactionReceipt(giver, { hash }) })
  stage.say.fact('given', amount(amountAtomic, asset))
}

/** Delivers, and returns the number of the delivery. */
export async function deliverAs(
  stage: Stage,
  fulfiller: PartyClient,
  target: TaskTarget,
  { resultHash, resultURI }: { resultHash: Hex; resultURI: string },
): Promise<bigint> {
  const submitted = await submitFulfillmentAndWait(fulfiller, { ...target, resultHash, resultURI })
  tellTransaction(stage, submitted)
  return submitted.event.args.submissionId
}
