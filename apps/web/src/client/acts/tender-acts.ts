import type { Submission, Tender } from '@oikos/indexer/rest'
import {
  acceptFulfillmentAndWait,
  claimUnjudgedAndWait,
  fundTaskAndWait,
  getAssetBalance,
  reclaimEscrowAndWait,
  reclaimResidualAndWait,
  rejectFulfillmentAndWait,
  releaseExpiredAndWait,
  settleFulfillmentAndWait,
  simulateAcceptFulfillment,
  simulateClaimUnjudged,
  simulateFundTask,
  simulateReclaimEscrow,
  simulateReclaimResidual,
  simulateRejectFulfillment,
  simulateReleaseExpired,
  simulateSettleFulfillment,
  simulateSubmitFulfillment,
  simulateWithdrawCredit,
  submitFulfillmentAndWait,
  withdrawCreditAndWait,
} from '@oikos/sdk'
import { type Address, getAddress, type Hash, isHex } from 'viem'
import { planAllowance } from './allowance.ts'
import { assetOf, inWords, readAmount } from './amounts.ts'
import { type Done, FieldError, type Plan } from './plan.ts'

type Sent = { readonly hash: Hash; readonly receipt: { readonly blockNumber: bigint } }

const done = ({ hash, receipt }: Sent, happened: string): Done => ({ hash, block: receipt.blockNumber, happened })

/** The tender an action is about, as the SDK takes it. */
function targetOf(tender: Tender): { task: Address; tokenId: bigint; chainId: number } {
  return { task: getAddress(tender.contract), tokenId: BigInt(tender.tokenId), chainId: tender.chainId }
}

function assetOfTender(tender: Tender) {
  return assetOf(
    tender.asset ?? { address: tender.terms?.asset ?? `0x${'0'.repeat(40)}`, symbol: null, name: null, decimals: null },
  )
}

const rewardOf = (tender: Tender): string =>
  inWords(BigInt(tender.terms?.rewardPerCompletion ?? '0'), assetOfTender(tender))

/** Puts money into the vault. */
export function planFunding(tender: Tender): Plan {
  return async (client, values) => {
    const target = targetOf(tender)
    const asset = assetOfTender(tender)
    const amountAtomic = readAmount(values['amount'], asset)
    const balance = await getAssetBalance(client, { asset: asset.address, account: client.account.address })
    if (balance < amountAtomic)
      throw new FieldError(`You have ${inWords(balance, asset)}; that is less than ${inWords(amountAtomic, asset)}.`)
    const allowance = await planAllowance(client, { asset, spender: target.task, amountAtomic })
    if (allowance === undefined) await simulateFundTask(client, { ...target, asset, amountAtomic })
    return {
      sentences: [
        `${inWords(amountAtomic, asset)} go from your account into the vault of tender ${tender.tokenId}.`,
        'Accepted deliveries are paid from it. What is left when the tender is over is yours again in proportion to what you put in, and only then.',
        ...(tender.isFrozen ? [] : ['The description is not frozen: its author can still change what is asked for.']),
        ...(allowance?.sentences ?? []),
      ],
      send: async (onSent) => {
        await allowance?.approve(onSent)
        return done(
          await fundTaskAndWait(client, { ...target, asset, amountAtomic, onSent }),
          `The vault has ${inWords(amountAtomic, asset)} more.`,
        )
      },
    }
  }
}

/** Delivers: a commitment to a result, and where it may be found. */
export function planDelivery(tender: Tender): Plan {
  return async (client, values) => {
    const target = targetOf(tender)
    const resultHash = values['resultHash'] ?? ''
    if (!isHex(resultHash) || resultHash.length !== 66 || BigInt(resultHash) === 0n)
      throw new FieldError('Choose the file that you deliver, or write its SHA-256 as 0x and 64 hexadecimal digits.')
    const parameters = { ...target, resultHash, resultURI: values['resultUri'] ?? '' }
    const { result } = await simulateSubmitFulfillment(client, parameters)
    return {
      sentences: [
        `You deliver to tender ${tender.tokenId} as submission ${result}, for version ${tender.version} of the description.`,
        `If it is accepted, ${rewardOf(tender)} are paid to the account that delivers: yours.`,
        `The commitment ${resultHash} is public and cannot be changed or taken back.`,
      ],
      send: async (onSent) => {
        const sent = await submitFulfillmentAndWait(client, { ...parameters, onSent })
        return done(sent, `Delivered as submission ${sent.event.args.submissionId}. The clock for a judgment runs.`)
      },
    }
  }
}

type SubmissionStep = 'accept' | 'reject' | 'claim' | 'release'

const steps = {
  accept: { simulate: simulateAcceptFulfillment, send: acceptFulfillmentAndWait },
  reject: { simulate: simulateRejectFulfillment, send: rejectFulfillmentAndWait },
  claim: { simulate: simulateClaimUnjudged, send: claimUnjudgedAndWait },
  release: { simulate: simulateReleaseExpired, send: releaseExpiredAndWait },
} as const

/** Decides a delivery, or lets the clock decide it. */
export function planSubmissionStep(tender: Tender, submission: Submission, step: SubmissionStep): Plan {
  return async (client) => {
    const parameters = {
      ...targetOf(tender),
      asset: assetOfTender(tender),
      submissionId: BigInt(submission.submissionId),
    }
    await steps[step].simulate(client, parameters)
    const { fulfiller, submissionId } = submission
    const sentences: Record<SubmissionStep, readonly string[]> = {
      accept: [
        `The vault pays ${rewardOf(tender)} to ${fulfiller}, who delivered submission ${submissionId}.`,
        'This decision is final: nobody can take it back.',
      ],
      reject: [
        `Submission ${submissionId} of ${fulfiller} is refused and paid nothing. Its slot is free again.`,
        'This decision is final: nobody can take it back.',
      ],
      claim: [
        `The judge was silent until the end of the window, so the vault pays ${rewardOf(tender)} to ${fulfiller}.`,
      ],
      release: [`No proof came in time: submission ${submissionId} is released unpaid, and its slot is free again.`],
    }
    const happened: Record<SubmissionStep, string> = {
      accept: `Submission ${submissionId} is accepted and paid.`,
      reject: `Submission ${submissionId} is refused.`,
      claim: `Submission ${submissionId} is accepted by silence and paid.`,
      release: `Submission ${submissionId} is released.`,
    }
    return {
      sentences: sentences[step],
      send: async (onSent) => done(await steps[step].send(client, { ...parameters, onSent }), happened[step]),
    }
  }
}

/** Settles a delivery with a proof that the verifier checks. */
export function planProof(tender: Tender, submission: Submission): Plan {
  return async (client, values) => {
    const proof = values['proof'] ?? ''
    if (!isHex(proof)) throw new FieldError('Paste the proof as 0x and hexadecimal digits.')
    const parameters = {
      ...targetOf(tender),
      asset: assetOfTender(tender),
      submissionId: BigInt(submission.submissionId),
      proof,
    }
    await simulateSettleFulfillment(client, parameters)
    return {
      sentences: [`The verifier accepts this proof: the vault pays ${rewardOf(tender)} to ${submission.fulfiller}.`],
      send: async (onSent) =>
        done(
          await settleFulfillmentAndWait(client, { ...parameters, onSent }),
          `Submission ${submission.submissionId} is settled by proof and paid.`,
        ),
    }
  }
}

/** Takes back what a funder put in, or what is left when everybody has. */
export function planReclaim(tender: Tender, what: 'escrow' | 'residual'): Plan {
  return async (client) => {
    const parameters = { ...targetOf(tender), asset: assetOfTender(tender) }
    const asset = assetOfTender(tender)
    if (what === 'residual') {
      await simulateReclaimResidual(client, parameters)
      return {
        sentences: ['Everybody else has theirs: what is left in the vault goes to the owner of the tender.'],
        send: async (onSent) =>
          done(await reclaimResidualAndWait(client, { ...parameters, onSent }), 'The vault is empty.'),
      }
    }
    await simulateReclaimEscrow(client, parameters)
    return {
      sentences: [
        `Your part of what is left in the vault of tender ${tender.tokenId} comes back to your account. You can do this once.`,
      ],
      send: async (onSent) => {
        const sent = await reclaimEscrowAndWait(client, { ...parameters, onSent })
        return done(sent, `${inWords(sent.event.args.amount, asset)} came back to you.`)
      },
    }
  }
}

/** Fetches a reward that could not be delivered when it was paid. */
export function planCredit(tender: Tender, creditor: string): Plan {
  return async (client) => {
    const parameters = { ...targetOf(tender), asset: assetOfTender(tender), creditor: getAddress(creditor) }
    await simulateWithdrawCredit(client, parameters)
    return {
      sentences: [`What is owed to ${creditor} is paid to that account, whoever sends this transaction.`],
      send: async (onSent) =>
        done(await withdrawCreditAndWait(client, { ...parameters, onSent }), 'The credit is paid out.'),
    }
  }
}
