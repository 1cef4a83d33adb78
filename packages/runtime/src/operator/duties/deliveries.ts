import { taskTokenAbi } from '@oikos/core/abi'
import {
  getAcceptanceAuthority,
  getCredit,
  getSubmission,
  getTenderTerms,
  type Submission,
  type TaskTarget,
} from '@oikos/sdk'
import { encodeFunctionData, getAddress, type Hash } from 'viem'
import type { Intent } from '../act/intent.ts'
import { errorFields } from '../log.ts'
import type { Pass } from '../pass.ts'

/** Deliveries that one pass looks at. */
const MAX_DELIVERIES = 200

/**
 * Sees every delivery of the Agent to its end: settles it with a proof where there is one, claims it when the judge has said
 * nothing for the whole window, and takes out what could not be paid. None of this needs a record: it can pay nobody but the Agent.
 */
export async function* followDeliveries(pass: Pass): AsyncGenerator<Intent, void, void> {
  const { store, identity, telemetry } = pass.context
  const subjects = await store.notes.listSubjects(identity.agent, 'delivery', { limit: MAX_DELIVERIES })
  telemetry.setOpen('delivery', subjects.length)
  for (const { id } of subjects) {
    const target = parseDelivery(id)
    const submission = await getSubmission(pass.context.client, { ...target, blockNumber: pass.head.number })
    const intent =
      submission.status === 'pending'
        ? await settlePending(pass, target, submission)
        : await collectCredit(pass, target, id)
    if (intent !== undefined) yield intent
  }
}

type DeliveryTarget = TaskTarget & { readonly submissionId: bigint }

function parseDelivery(id: string): DeliveryTarget {
  const [task = '', tokenId = '', submissionId = ''] = id.split('/')
  return { task: getAddress(task), tokenId: BigInt(tokenId), submissionId: BigInt(submissionId) }
}

function nameOf({ task, tokenId, submissionId }: DeliveryTarget): string {
  return `${task}/${tokenId}/${submissionId}`
}

async function settlePending(pass: Pass, target: DeliveryTarget, submission: Submission): Promise<Intent | undefined> {
  const { head } = pass
  const { client } = pass.context
  const { tokenId, submissionId } = target
  if (submission.machineSettled) return settleWithProof(pass, target, submission)
  const { judgmentWindowSec } = await getTenderTerms(client, { ...target, blockNumber: head.number })
  const deadlineSec = submission.submittedAtSec + judgmentWindowSec
  if (head.timestampSec <= deadlineSec) {
    pass.wait(`Delivery ${submissionId} of task ${tokenId} waits for its judge, until ${toDate(deadlineSec)}.`)
    return undefined
  }
  return {
    kind: 'claim-unjudged',
    subject: nameOf(target),
    title: `Claim delivery ${submissionId} of task ${tokenId}, on which nobody ruled in time.`,
    once: `claim-unjudged ${nameOf(target)}`,
    spendAtomic: 0n,
    call: {
      form: 'plain',
      to: target.task,
      data: encodeFunctionData({ abi: taskTokenAbi, functionName: 'claimUnjudged', args: [tokenId, submissionId] }),
    },
  }
}

async function settleWithProof(
  pass: Pass,
  target: DeliveryTarget,
  submission: Submission,
): Promise<Intent | undefined> {
  const { client, prover, agent, log } = pass.context
  const { tokenId, submissionId, task } = target
  const name = `Delivery ${submissionId} of task ${tokenId}`
  if (prover === undefined) {
    pass.wait(`${name} waits for a proof, and nothing here gives proofs.`)
    return undefined
  }
  const verifier = await getAcceptanceAuthority(client, { ...target, blockNumber: pass.head.number })
  const delivery = { task, tokenId, submissionId, verifier, agent, resultHash: submission.resultHash as Hash }
  let proof: Awaited<ReturnType<typeof prover.prove>>
  try {
    proof = await prover.prove(delivery, pass.signal)
  } catch (cause) {
    log.warn({ prover: prover.name, ...errorFields(cause) }, 'the prover failed')
  }
  if (proof === undefined) {
    pass.wait(`${name} waits for a proof.`)
    return undefined
  }
  return {
    kind: 'settle-delivery',
    subject: nameOf(target),
    title: `Settle delivery ${submissionId} of task ${tokenId} with a proof.`,
    once: `settle-delivery ${nameOf(target)}`,
    spendAtomic: 0n,
    call: {
      form: 'plain',
      to: task,
      data: encodeFunctionData({
        abi: taskTokenAbi,
        functionName: 'settleFulfillment',
        args: [tokenId, submissionId, proof],
      }),
    },
  }
}

/** A reward that could not be pushed waits as a credit. Without one the delivery is over. */
async function collectCredit(pass: Pass, target: DeliveryTarget, id: string): Promise<Intent | undefined> {
  const { context, fence, head } = pass
  const { client, agent, store } = context
  const { task, tokenId } = target
  const credit = await getCredit(client, { task, tokenId, creditor: agent, blockNumber: head.number })
  if (credit === 0n) {
    await store.notes.dropSubject(fence, 'delivery', id)
    return undefined
  }
  return {
    kind: 'withdraw-credit',
    subject: `${task}/${tokenId}`,
    title: `Take out ${credit} that task ${tokenId} owes to the Agent.`,
    spendAtomic: 0n,
    call: {
      form: 'plain',
      to: task,
      data: encodeFunctionData({ abi: taskTokenAbi, functionName: 'withdrawCredit', args: [tokenId, agent] }),
    },
  }
}

function toDate(atSec: bigint): string {
  return new Date(Number(atSec) * 1_000).toISOString()
}
