import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DEFAULT_TENDER_LIMITS } from '@oikos/runtime/operator'
import { createWorkshop, labelsWorker } from '@oikos/runtime/workers'
import {
  buildReceiptTree,
  cancelTaskAndWait,
  commitBatchRootAndWait,
  freezeTaskAndWait,
  getEscrowBalance,
  getVault,
  listSubmissions,
  mintTaskAndWait,
  reclaimEscrowAndWait,
  releaseExpiredAndWait,
  simulateSettleFulfillment,
  submitFulfillmentAndWait,
  type TaskTarget,
  toOikosError,
} from '@oikos/sdk'
import { type Address, erc20Abi, sha256, stringToHex } from 'viem'
import { waitForTransactionReceipt, writeContract } from 'viem/actions'
import type { HiredOperator } from '../market/operators.ts'
import {
  addressOf,
  amount,
  balanceOf,
  fundTender,
  publishPackage,
  type Stage,
  tellTransaction,
  verifyAgainstChain,
} from '../market/stage.ts'
import { type BatchReceipt, type CheckingDesk, openCheckingDesk } from './checking-desk.ts'

const folder = import.meta.dirname
// in the smallest units of the dollar
const reward = 250_000_000n
const contribution = 750_000_000n
const gift = 100_000_000n
const minAgeSec = 60n
const windowSec = 86_400n

/** Where the money of the labelling tender went, in smallest units of the dollar. */
export type LabellingOutcome = {
  target: TaskTarget
  paid: bigint
  refunded: bigint
  vaultLeft: bigint
  checked: CheckingDesk['checked']
}

/**
 * A tender that no person judges: three batches of labels, each paid against a receipt that the demander's checking
 * process gives for labels that pass. The operator of an Agent finds it, lets a worker label in a sandbox, and delivers.
 */
export async function playLabelling(stage: Stage, operator: HiredOperator): Promise<LabellingOutcome> {
  const { client, say, deployment, dollar } = stage
  const { agent, name } = operator
  say.chapter('Labels for support messages: settled by a machine, batch by batch')

  say.step('The demander', 'packs the task and publishes its objects.')
  const published = await publishPackage(stage, join(folder, 'task'), {
    spec: 'spec/intents.yaml',
    specProfile: 'x-intent-labels-v1',
    acceptance: 'acceptance/batch-receipts.md',
    acceptanceProfile: 'x-batch-receipt-merkle-minage-v1',
    maxCompletions: 3n,
  })
  say.fact('taskHash', published.taskHash)
  say.fact('files', published.uri)

  say.step('The demander', 'mints the tender with the receipt verifier in the judgment slot, and freezes it.')
  const minted = await mintTaskAndWait(client.demander, {
    task: deployment.taskToken,
    to: addressOf(stage, 'demander'),
    updateAuthority: addressOf(stage, 'demander'),
    acceptanceAuthority: deployment.batchReceiptVerifier,
    tdHash: published.tdHash,
    taskHash: published.taskHash,
    taskURI: published.uri,
    terms: {
      asset: stage.dollar.address,
      rewardPerCompletionAtomic: reward,
      maxCompletions: 3n,
      submitBySec: 0n,
      settleBySec: 0n,
      epochLengthSec: 0n,
      maxCompletionsPerEpoch: 0n,
      judgmentWindowSec: windowSec,
    },
  })
  const target: TaskTarget = { task: deployment.taskToken, tokenId: minted.event.args.tokenId }
  tellTransaction(stage, minted)
  await freezeTaskAndWait(client.demander, target)
  say.check(`npm run oikos -- task verify ${target.tokenId}`)

  const desk = openCheckingDesk(folder, await commitReceipts(stage, target, agent))
  await fund(stage, target)
  say.step('A stranger', 'verifies package and money, as the operator will do by itself before any work.')
  await verifyAgainstChain(stage, target)
  say.fact('in the vault', amount(await getEscrowBalance(client.stranger, target), dollar))
  say.check(`npm run oikos -- task show ${target.tokenId}`)

  const workshop = await createWorkshop({ workers: [labelsWorker] })
  const look = (maxDeliveriesPerTender: bigint): void =>
    operator.retrain({
      ...{ workshop, prover: desk },
      settings: {
        tenders: {
          ...DEFAULT_TENDER_LIMITS,
          markets: [{ task: deployment.taskToken, fromBlock: deployment.deployedAtBlock }],
          rewards: [{ asset: dollar.address, minRewardAtomic: 100_000_000n }],
          ...{ judged: false, verifiers: [deployment.batchReceiptVerifier] },
          ...{ maxDeliveriesPerTender, maxAttemptsPerTender: maxDeliveriesPerTender },
        },
      },
    })
  const before = await balanceOf(stage, agent)
  say.step(
    `${name}’s operator`,
    'finds the tender, verifies it, labels in a sandbox, and delivers what passes the check.',
  )
  say.fact('sandbox', workshop.isolation.level)
  look(2n)
  await operator.act()
  tellChecks(stage, desk)
  await showRefusal(stage, target, desk)

  say.step(`${name}’s operator`, `settles both with the proofs, ${minAgeSec} seconds later.`)
  await stage.passTime(minAgeSec)
  await operator.act()

  await releaseJunk(stage, target)
  say.step(`${name}’s operator`, 'delivers the last batch into the slot that is free again, and settles it.')
  look(3n)
  await operator.act()
  await stage.passTime(minAgeSec)
  await operator.act()
  const paid = (await balanceOf(stage, agent)) - before
  say.fact('paid', `${amount(paid, dollar)} to ${name}, so to its holders`)

  say.step('The demander', 'closes the tender, and the patron takes back what was not spent.')
  await cancelTaskAndWait(client.demander, target)
  const refund = await reclaimEscrowAndWait(client.patron, target)
  tellTransaction(stage, refund)
  say.fact('refund', `${amount(refund.event.args.amount, dollar)}: rewards had spent the gift first`)
  const vaultLeft = await getEscrowBalance(client.stranger, target)
  say.fact('in the vault', amount(vaultLeft, dollar))
  return { target, paid, refunded: refund.event.args.amount, vaultLeft, checked: desk.checked }
}

function tellChecks({ say }: Stage, { checked }: CheckingDesk): void {
  for (const { number, agreed, checked: labels, passed } of checked)
    say.fact(
      'check',
      `batch ${number}: ${agreed} of ${labels} secret labels agree: ${passed ? 'the receipt is handed over' : 'no receipt'}`,
    )
}

async function commitReceipts(stage: Stage, target: TaskTarget, fulfiller: Address): Promise<BatchReceipt[]> {
  stage.say.step('The demander', 'draws a secret receipt for each batch and commits to all of them by one root.')
  const receipts = [1, 2, 3].map(() => ({ receipt: new Uint8Array(randomBytes(32)), fulfiller }))
  const tree = buildReceiptTree(receipts)
  const committed = await commitBatchRootAndWait(stage.client.demander, {
    ...target,
    verifier: stage.deployment.batchReceiptVerifier,
    root: tree.root,
    minAgeSec,
  })
  tellTransaction(stage, committed)
  stage.say.fact('root', tree.root)
  return receipts.map((_, index) => {
    const [resultHash, proof] = [tree.leaves[index], tree.proofs[index]]
    if (resultHash === undefined || proof === undefined) throw new Error(`the tree has no leaf ${index}`)
    return { number: index + 1, resultHash, proof }
  })
}

async function fund(stage: Stage, target: TaskTarget): Promise<void> {
  const { client, dollar, say } = stage
  say.step(
    'A patron',
    `funds the tender with ${amount(contribution, dollar)}, and a stranger gives ${amount(gift, dollar)} by plain transfer.`,
  )
  await fundTender(stage, 'patron', target, { asset: dollar, amountAtomic: contribution })
  const vault = await getVault(client.stranger, target)
  const transfer = { abi: erc20Abi, address: dollar.address, functionName: 'transfer', args: [vault, gift] } as const
  const hash = await writeContract(client.stranger, transfer)
  tellTransaction(stage, { hash, receipt: await waitForTransactionReceipt(client.stranger, { hash }) })
  say.fact('vault', vault)
}

/** A proof that is shown too early settles nothing; the simulation says so before a transaction is paid for. */
async function showRefusal(stage: Stage, target: TaskTarget, desk: CheckingDesk): Promise<void> {
  const { client, deployment, say } = stage
  const { submissions } = await listSubmissions(client.stranger, { ...target, order: 'oldest' })
  const [first] = submissions
  const proof =
    first === undefined
      ? undefined
      : await desk.prove(
          {
            ...{
              task: target.task,
              tokenId: target.tokenId,
              submissionId: 1n,
              verifier: deployment.batchReceiptVerifier,
            },
            ...{ agent: first.fulfiller, resultHash: first.resultHash },
          },
          new AbortController().signal,
        )
  if (proof === undefined) throw new Error('there is no delivery to prove')
  try {
    await simulateSettleFulfillment(client.stranger, { ...target, submissionId: 1n, proof })
  } catch (error) {
    say.note(`Settling at once is refused: ${toOikosError(error).shortMessage}`)
    return
  }
  throw new Error('a proof settled before its minimum age')
}

async function releaseJunk(stage: Stage, target: TaskTarget): Promise<void> {
  const { client, say } = stage
  say.step('A stranger', 'squats the last slot with junk that no proof will ever open.')
  const junk = { ...target, resultHash: sha256(stringToHex('junk')), resultURI: '' }
  const submitted = await submitFulfillmentAndWait(client.stranger, junk)
  tellTransaction(stage, submitted)
  await stage.passTime(windowSec + 1n)
  say.step('Anyone', 'releases the slot when the window has passed.')
  const { submissionId } = submitted.event.args
  tellTransaction(stage, await releaseExpiredAndWait(client.operator, { ...target, submissionId }))
}
