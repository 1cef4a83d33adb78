import { and, desc, eq, gt, ne, or, sql } from 'ponder'
import type { Account, AccountRole, DeskItem, Holding, Token } from '../rest/types.ts'
import { showPosition, valueAtRate } from './agent-view.ts'
import { type Clocks, readClocks } from './clock.ts'
import { orderDesk } from './desk.ts'
import { readTokens } from './lookups.ts'
import type { PathOf } from './query.ts'
import {
  type AgentRow,
  type PositionRow,
  type Sources,
  type SubmissionRow,
  type TenderRow,
  tables,
  tokenOf,
  whole,
} from './rows.ts'
import { chainKey, readTenderChecks, showSubmission } from './tender-view.ts'

/** Rows of each part, at most. */
const MAX_PART = 200

/** Seconds after which an announced change lapses. Source: Scope.sol, GRACE_SEC. */
const PROPOSAL_GRACE_SEC = 14n * 86_400n

const { agent, tender, submission, position, holder, executor, funder, credit, judge, scopeProposal } = tables

type Joined = { readonly submission: SubmissionRow; readonly tender: TenderRow }

async function readRows({ db }: Sources, account: `0x${string}`) {
  const ofSubmission = and(
    ...[eq(tender.chainId, submission.chainId), eq(tender.contract, submission.contract)],
    eq(tender.tokenId, submission.tokenId),
  )
  const sameTender = (table: typeof funder | typeof credit) =>
    and(eq(tender.chainId, table.chainId), eq(tender.contract, table.contract), eq(tender.tokenId, table.tokenId))
  const sameAgent = (table: typeof position | typeof holder | typeof executor | typeof scopeProposal) =>
    and(eq(agent.chainId, table.chainId), eq(agent.address, table.agent))
  const isPending = eq(submission.status, 'pending')
  const sitsInJury = sql`exists (select 1 from ${judge} where ${judge.chainId} = ${tender.chainId}
    and ${judge.address} = ${tender.acceptanceAuthority} and ${account} = any(${judge.jurors}))`
  return Promise.all([
    db
      .select()
      .from(position)
      .innerJoin(agent, sameAgent(position))
      .where(eq(position.account, account))
      .limit(MAX_PART),
    db
      .select()
      .from(holder)
      .innerJoin(agent, sameAgent(holder))
      .where(and(eq(holder.account, account), gt(holder.shares, 0n)))
      .orderBy(desc(holder.shares))
      .limit(MAX_PART),
    db
      .select()
      .from(submission)
      .innerJoin(tender, ofSubmission)
      .where(eq(submission.fulfiller, account))
      .orderBy(desc(submission.timeSec))
      .limit(MAX_PART),
    db
      .select()
      .from(submission)
      .innerJoin(tender, ofSubmission)
      .where(and(isPending, eq(tender.acceptanceAuthority, account)))
      .orderBy(submission.deadlineSec)
      .limit(MAX_PART),
    db
      .select()
      .from(submission)
      .innerJoin(tender, ofSubmission)
      .where(and(isPending, sitsInJury))
      .orderBy(submission.deadlineSec)
      .limit(MAX_PART),
    db
      .select()
      .from(credit)
      .innerJoin(tender, sameTender(credit))
      .where(and(eq(credit.account, account), gt(credit.amount, 0n)))
      .limit(MAX_PART),
    db.select().from(funder).innerJoin(tender, sameTender(funder)).where(eq(funder.account, account)).limit(MAX_PART),
    db
      .select()
      .from(tender)
      .where(
        or(eq(tender.owner, account), eq(tender.updateAuthority, account), eq(tender.acceptanceAuthority, account)),
      )
      .orderBy(desc(tender.timeSec))
      .limit(MAX_PART),
    db
      .select()
      .from(agent)
      .where(
        or(
          eq(agent.owner, account),
          eq(agent.pendingOwner, account),
          eq(agent.guardian, account),
          eq(agent.address, account),
        ),
      )
      .limit(MAX_PART),
    db
      .select()
      .from(executor)
      .innerJoin(agent, sameAgent(executor))
      .where(and(eq(executor.account, account), eq(executor.isEnabled, true)))
      .limit(MAX_PART),
    db
      .select()
      .from(position)
      .innerJoin(agent, sameAgent(position))
      .innerJoin(
        executor,
        and(eq(executor.chainId, position.chainId), eq(executor.agent, position.agent), eq(executor.isEnabled, true)),
      )
      .where(and(eq(executor.account, account), gt(position.pending, 0n), ne(position.account, account)))
      .limit(MAX_PART),
    db
      .select()
      .from(scopeProposal)
      .innerJoin(agent, sameAgent(scopeProposal))
      .where(eq(agent.owner, account))
      .limit(MAX_PART),
    db
      .select({ chainId: tender.chainId, contract: tender.contract, tokenId: tender.tokenId })
      .from(tender)
      .where(sitsInJury)
      .limit(MAX_PART),
  ])
}

/** What is an account's, what it may do, and what waits for it, ordered by what is lost by waiting. */
export async function getAccount(sources: Sources, { address: account }: PathOf<'account'>): Promise<Account> {
  const clocks = await readClocks(sources.db)
  const rows = await readRows(sources, account)
  const [
    positions,
    holdings,
    mine,
    judged,
    voted,
    credits,
    funded,
    tenders,
    agents,
    executed,
    waiting,
    proposals,
    juries,
  ] = rows
  const owned = tenders.filter((row) => row.owner === account)
  const [{ giftsOf }, tokens] = await Promise.all([
    readTenderChecks(sources.checks, owned),
    readTokens(sources, [
      ...[...mine, ...judged, ...voted, ...credits, ...funded].map(({ tender: t }) => ({
        chainId: t.chainId,
        address: t.asset,
      })),
      ...tenders.map((t) => ({ chainId: t.chainId, address: t.asset })),
      ...[...positions, ...holdings, ...waiting].map(({ agent: a }) => ({
        chainId: a.chainId,
        address: a.acceptToken,
      })),
    ]),
  ])
  const assetOf = (t: TenderRow): Token | null => tokenOf(t.asset, tokens.get(chainKey(t.chainId, t.asset ?? '')))
  const acceptedOf = (a: AgentRow): Token | null =>
    tokenOf(a.acceptToken, tokens.get(chainKey(a.chainId, a.acceptToken ?? '')))
  const desk = [
    ...positions.flatMap((row) => deskOfPosition(row.position, row.agent, acceptedOf(row.agent))),
    ...judged.filter(isJudged).map((row) => toJudge(row, 'judge-submission', assetOf(row.tender))),
    ...voted.filter(isJudged).map((row) => toJudge(row, 'vote-submission', assetOf(row.tender))),
    ...mine.flatMap((row) => deskOfDelivery(row, assetOf(row.tender))),
    ...credits.map(({ credit: one, tender: t }) => ({
      ...blank('withdraw-credit', t.chainId, t.contract),
      ...{ tokenId: whole(t.tokenId), amount: whole(one.amount), asset: assetOf(t) },
    })),
    ...funded.flatMap(({ funder: one, tender: t }) => {
      const opens = one.hasReclaimed || one.contributed === 0n ? undefined : overAt(t, clocks)
      // what comes back depends on what was spent by then, so no amount is promised
      const item = { ...blank('reclaim-escrow', t.chainId, t.contract), tokenId: whole(t.tokenId), asset: assetOf(t) }
      return opens === undefined ? [] : [{ ...item, opensAtSec: opens }]
    }),
    ...owned.flatMap((t) => {
      const gifts = giftsOf(t) ?? 0n
      const opens = gifts > 0n ? overAt(t, clocks) : undefined
      const item = { ...blank('reclaim-residual', t.chainId, t.contract), tokenId: whole(t.tokenId), asset: assetOf(t) }
      return opens === undefined ? [] : [{ ...item, opensAtSec: opens }]
    }),
    ...waiting.map(({ position: one, agent: a }) => toSettle(one, a, acceptedOf(a))),
    ...proposals.map(({ scope_proposal: one }) => ({
      ...blank('apply-policy', one.chainId, one.agent),
      ...{ opensAtSec: whole(one.readyAtSec), deadlineSec: whole(one.readyAtSec + PROPOSAL_GRACE_SEC) },
      loss: 'proposal-lapses' as const,
    })),
    ...agents
      .filter(({ pendingOwner }) => pendingOwner === account)
      .map((row) => blank('accept-ownership', row.chainId, row.address)),
  ]
  const asOf = sources.plan.chains.map(({ chainId }) => clocks.of(chainId)).reduce(later, 0n)
  return {
    account,
    isAgentOn: agents.filter(({ address }) => address === account).map(({ chainId }) => chainId),
    desk: orderDesk(desk, asOf),
    holdings: holdings.map((row) => showHolding(row.holder.shares, row.agent, acceptedOf(row.agent))),
    positions: positions.map((row) => showPosition(row.position, row.agent.reclaimHorizonSec)),
    roles: rolesOf(account, {
      tenders,
      agents,
      executed: executed.map((row) => row.agent),
      funded: funded.map((row) => row.tender),
      juries,
    }),
    submissions: mine.map((row) => showSubmission(row.submission)),
    isTruncated: rows.some((part) => part.length >= MAX_PART),
    asOfSec: Number(asOf),
  }
}

function later(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}

function blank(kind: DeskItem['kind'], chainId: number, contract: string): DeskItem {
  return {
    ...{ kind, chainId, contract, tokenId: null, submissionId: null, counterparty: null, amount: null, asset: null },
    ...{ opensAtSec: null, deadlineSec: null, loss: 'nothing' },
  }
}

const isJudged = ({ submission: one }: Joined): boolean => one.machineSettled !== true

/** From when money comes back: null for now, undefined for never or not while deliveries wait. */
function overAt(t: TenderRow, clocks: Clocks): string | null | undefined {
  if (t.pending > 0n) return undefined
  const end = t.settleBy ?? 0n
  if (t.isCancelled) return null
  if (end === 0n) return undefined
  return clocks.of(t.chainId) > end ? null : whole(end + 1n)
}

function deskOfPosition(row: PositionRow, a: AgentRow, asset: Token | null): DeskItem[] {
  const shown = showPosition(row, a.reclaimHorizonSec)
  const isMint = row.side === 'mint'
  const items: DeskItem[] = []
  if (row.claimable > 0n) {
    const kind = isMint ? 'claim-shares' : 'claim-tokens'
    items.push({ ...blank(kind, a.chainId, a.address), amount: shown.claimable, asset: isMint ? null : asset })
  }
  if (row.pending > 0n && shown.reclaimableAtSec !== null) {
    const item = blank('reclaim-request', a.chainId, a.address)
    items.push({ ...item, amount: shown.pending, asset: isMint ? asset : null, opensAtSec: shown.reclaimableAtSec })
  }
  return items
}

function ofDelivery(kind: DeskItem['kind'], { submission: one, tender: t }: Joined, asset: Token | null): DeskItem {
  return {
    ...blank(kind, t.chainId, t.contract),
    ...{ tokenId: whole(t.tokenId), submissionId: whole(one.submissionId), asset },
    amount: t.rewardPerCompletion === null ? null : whole(t.rewardPerCompletion),
  }
}

function toJudge(row: Joined, kind: 'judge-submission' | 'vote-submission', asset: Token | null): DeskItem {
  const deadline = row.submission.deadlineSec
  return {
    ...{ ...ofDelivery(kind, row, asset), counterparty: row.submission.fulfiller },
    ...{ deadlineSec: deadline === null ? null : whole(deadline), loss: 'silence-pays-fulfiller' },
  }
}

function deskOfDelivery(row: Joined, asset: Token | null): DeskItem[] {
  const { status, machineSettled, deadlineSec } = row.submission
  if (status !== 'pending' || deadlineSec === null || machineSettled === null) return []
  if (!machineSettled) return [{ ...ofDelivery('claim-unjudged', row, asset), opensAtSec: whole(deadlineSec + 1n) }]
  return [
    { ...ofDelivery('release-expired', row, asset), deadlineSec: whole(deadlineSec), loss: 'slot-released-unpaid' },
  ]
}

function toSettle(row: PositionRow, a: AgentRow, asset: Token | null): DeskItem {
  const age = a.minRequestAgeSec ?? 0
  return {
    ...{ ...blank('settle-request', a.chainId, a.address), counterparty: row.account, amount: whole(row.pending) },
    asset: row.side === 'mint' ? asset : null,
    opensAtSec: age === 0 || row.requestedAtSec === null ? null : String(row.requestedAtSec + age),
  }
}

function showHolding(shares: bigint, row: AgentRow, acceptToken: Token | null): Holding {
  return {
    ...{ chainId: row.chainId, agent: row.address, name: row.name, symbol: row.symbol, shares: whole(shares) },
    ...{ rate: row.rate === null ? null : whole(row.rate), valueAtRate: valueAtRate(shares, row.rate), acceptToken },
  }
}

type TenderAt = Pick<TenderRow, 'chainId' | 'contract' | 'tokenId'>

function rolesOf(
  account: string,
  rows: {
    readonly tenders: readonly TenderRow[]
    readonly agents: readonly AgentRow[]
    readonly executed: readonly AgentRow[]
    readonly funded: readonly TenderAt[]
    readonly juries: readonly TenderAt[]
  },
): AccountRole[] {
  const ofTender = (row: TenderAt, role: AccountRole['role']): AccountRole => ({
    ...{ chainId: row.chainId, contract: row.contract, tokenId: whole(row.tokenId), role },
  })
  const ofAgent = (row: AgentRow, role: AccountRole['role']): AccountRole => ({
    ...{ chainId: row.chainId, contract: row.address, tokenId: null, role },
  })
  return [
    ...rows.agents.filter((row) => row.owner === account).map((row) => ofAgent(row, 'agent-owner')),
    ...rows.agents.filter((row) => row.guardian === account).map((row) => ofAgent(row, 'agent-guardian')),
    ...rows.executed.map((row) => ofAgent(row, 'executor')),
    ...rows.tenders.filter((row) => row.owner === account).map((row) => ofTender(row, 'tender-owner')),
    ...rows.tenders.filter((row) => row.updateAuthority === account).map((row) => ofTender(row, 'update-authority')),
    ...rows.tenders
      .filter((row) => row.acceptanceAuthority === account)
      .map((row) => ofTender(row, 'acceptance-authority')),
    ...rows.juries.map((row) => ofTender(row, 'juror')),
    ...rows.funded.map((row) => ofTender(row, 'funder')),
  ]
}
