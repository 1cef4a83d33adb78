import { ponder } from 'ponder:registry'
import schema from 'ponder:schema'
import type { Hex } from 'viem'
import { toDetails } from '../../src/ledger/index.ts'
import { type Indexing, ignore, keepActivity, type Logged, low, placeOf } from './kept.ts'

type Statement = {
  readonly taskContract: Hex
  readonly tokenId: bigint
  readonly submissionId?: bigint
  readonly account?: Hex
  readonly amount?: bigint
}

/**
 * Keeps what a companion said about a tender that is known. Anybody may say such things: whether the emitter sits in the
 * judgment slot is judged when it is shown.
 */
async function keepStatement(
  context: Indexing,
  event: Logged,
  name: string,
  args: Readonly<Record<string, unknown>>,
  statement: Statement,
): Promise<void> {
  const { db, chain } = context
  const { taskContract, tokenId, submissionId, account, amount } = statement
  const contract = low(taskContract)
  const known = await db.find(schema.tender, { chainId: chain.id, contract, tokenId })
  if (known === null) return ignore(context, 'companion-of-unknown-tender')
  await db.insert(schema.companionEvent).values({
    ...{ id: event.id, chainId: chain.id, ...placeOf(event), contract, tokenId },
    ...{ emitter: low(event.log.address), event: name, submissionId: submissionId ?? null },
    ...{ account: account === undefined ? null : low(account), amount: amount ?? null },
    details: toDetails(args, ['taskContract', 'tokenId', 'submissionId']),
  })
  await keepActivity(context, event, {
    ...{ subject: 'companion', event: name, contract, tokenId },
    ...(account === undefined ? {} : { account }),
    ...(amount === undefined ? {} : { amount }),
  })
}

ponder.on('Companion:AnswerCommitted', ({ event, context }) =>
  keepStatement(context, event, 'AnswerCommitted', event.args, event.args),
)
ponder.on('Companion:BatchRootCommitted', ({ event, context }) =>
  keepStatement(context, event, 'BatchRootCommitted', event.args, event.args),
)
ponder.on('Companion:SecretsCommitted', ({ event, context }) =>
  keepStatement(context, event, 'SecretsCommitted', event.args, event.args),
)
ponder.on('Companion:SecretSpent', ({ event, context }) =>
  keepStatement(context, event, 'SecretSpent', event.args, event.args),
)
ponder.on('Companion:AttestorsCommitted', ({ event, context }) =>
  keepStatement(context, event, 'AttestorsCommitted', event.args, event.args),
)
ponder.on('Companion:StreakCommitted', ({ event, context }) =>
  keepStatement(context, event, 'StreakCommitted', event.args, event.args),
)
ponder.on('Companion:SeatTaken', ({ event, context }) =>
  keepStatement(context, event, 'SeatTaken', event.args, { ...event.args, account: event.args.provider }),
)
ponder.on('Companion:SeatForfeited', ({ event, context }) =>
  keepStatement(context, event, 'SeatForfeited', event.args, { ...event.args, account: event.args.provider }),
)
ponder.on('Companion:CaseOpened', ({ event, context }) =>
  keepStatement(context, event, 'CaseOpened', event.args, event.args),
)
ponder.on('Companion:Voted', ({ event, context }) =>
  keepStatement(context, event, 'Voted', event.args, { ...event.args, account: event.args.juror }),
)
ponder.on('Companion:VerdictReached', ({ event, context }) =>
  keepStatement(context, event, 'VerdictReached', event.args, event.args),
)
ponder.on('Companion:VerdictExecuted', ({ event, context }) =>
  keepStatement(context, event, 'VerdictExecuted', event.args, event.args),
)
ponder.on('Companion:VerdictKept', ({ event, context }) =>
  keepStatement(context, event, 'VerdictKept', event.args, event.args),
)
ponder.on('Companion:HandOverVoted', ({ event, context }) =>
  keepStatement(context, event, 'HandOverVoted', event.args, { ...event.args, account: event.args.juror }),
)
ponder.on('Companion:FeePromised', ({ event, context }) =>
  keepStatement(context, event, 'FeePromised', event.args, {
    ...event.args,
    account: event.args.sponsor,
    amount: event.args.fee,
  }),
)
ponder.on('Companion:FeeFunded', ({ event, context }) =>
  keepStatement(context, event, 'FeeFunded', event.args, { ...event.args, account: event.args.from }),
)
ponder.on('Companion:FeePaid', ({ event, context }) =>
  keepStatement(context, event, 'FeePaid', event.args, { ...event.args, amount: event.args.share }),
)
ponder.on('Companion:FeeReturned', ({ event, context }) =>
  keepStatement(context, event, 'FeeReturned', event.args, { ...event.args, account: event.args.sponsor }),
)
ponder.on('Companion:Funded', ({ event, context }) =>
  keepStatement(context, event, 'Funded', event.args, {
    ...event.args,
    account: event.args.funder,
    amount: event.args.net,
  }),
)
ponder.on('Companion:Refunded', ({ event, context }) =>
  keepStatement(context, event, 'Refunded', event.args, { ...event.args, account: event.args.funder }),
)
ponder.on('Companion:RefundCollected', ({ event, context }) =>
  keepStatement(context, event, 'RefundCollected', event.args, event.args),
)
ponder.on('Companion:Delivered', ({ event, context }) =>
  keepStatement(context, event, 'Delivered', event.args, { ...event.args, account: event.args.member }),
)
