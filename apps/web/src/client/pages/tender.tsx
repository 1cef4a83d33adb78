import type { Submission, TenderDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Act } from '../acts/act.tsx'
import { api } from '../api/client.ts'
import { useMessages } from '../messages/use-messages.ts'
import { AddressText, shortHex } from '../parts/address.tsx'
import { ClockBar } from '../parts/clock-bar.tsx'
import { Copy } from '../parts/copy.tsx'
import { Differences } from '../parts/differences.tsx'
import { Moment, useChainNowSec } from '../parts/moment.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { symbolOf, TokenAmount } from '../parts/token-amount.tsx'
import { VerdictMark } from '../parts/verdict.tsx'
import { WarningSentences } from '../parts/warnings.tsx'
import { MoneyFlow } from './tender-money.tsx'
import { PackagePanel } from './tender-package.tsx'

const route = getRouteApi('/tender/$chainId/$contract/$tokenId')

/** One tender: is the money there, what is asked, who decides, until when. */
export function TenderPage(): ReactElement {
  const key = route.useParams()
  const asked = useQuery({ queryKey: ['tender', key], queryFn: ({ signal }) => api.tender(key, signal) })
  return (
    <Loaded asked={asked}>
      {(tender) => (
        <>
          <Head tender={tender} />
          <Money tender={tender} />
          <Submissions tender={tender} />
          <PackagePanel tender={tender} />
          <Powers tender={tender} />
          <MoneyFlow tender={tender} />
          <Differences differences={tender.differences} reconciledAtSec={tender.reconciledAtSec} token={tender.asset} />
        </>
      )}
    </Loaded>
  )
}

function Head({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words, market } = useMessages()
  const { terms } = tender
  return (
    <section className="panel stack">
      <h1>{tender.title === null ? market.untitled(tender.tokenId) : plainLine(tender.title, 120)}</h1>
      <p>
        <span className="mark unknown">{market.states[tender.state]}</span> #{tender.tokenId}{' '}
        <AddressText address={tender.contract} role={words.contract} />
      </p>
      <WarningSentences warnings={tender.warnings} />
      {terms === null ? null : (
        <p>
          {words.terms.pays} <TokenAmount value={terms.rewardPerCompletion} token={tender.asset} /> {words.terms.each},{' '}
          {terms.maxCompletions === '0' ? words.terms.unbounded : words.terms.atMost(terms.maxCompletions)}
          {terms.submitBy === '0' ? null : (
            <>
              , {words.terms.until} <Moment atSec={terms.submitBy} />
            </>
          )}
          {terms.epochLength === '0' ? null : (
            <>, {words.terms.epochs(terms.maxCompletionsPerEpoch, duration(terms.epochLength))}</>
          )}
          . {words.terms.window(duration(terms.judgmentWindow))}
        </p>
      )}
      <div className="row">
        <Act
          label={words.fund}
          chainId={tender.chainId}
          fields={[{ name: 'amount', label: words.amount(symbolOf(tender.asset)) }]}
          plan={async () => (await import('../acts/tender-acts.ts')).planFunding(tender)}
        />
        <Act
          label={words.submit}
          chainId={tender.chainId}
          fields={[
            { name: 'resultHash', label: words.resultFile, kind: 'file', hint: words.resultHint },
            { name: 'resultUri', label: words.resultUri, hint: words.uriHint },
          ]}
          plan={async () => (await import('../acts/tender-acts.ts')).planDelivery(tender)}
          next={words.afterDelivery}
        />
        <Act
          label={words.takeBack}
          chainId={tender.chainId}
          plan={async () => (await import('../acts/tender-acts.ts')).planReclaim(tender, 'escrow')}
        />
      </div>
    </section>
  )
}

/** A length of time in the largest unit that says it exactly enough. */
function duration(seconds: string): string {
  const length = Number(seconds)
  const [unit, size] =
    length >= 172_800
      ? (['day', 86_400] as const)
      : length >= 7_200
        ? (['hour', 3_600] as const)
        : (['minute', 60] as const)
  const value = Math.round((length / size) * 10) / 10
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

function Money({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words } = useMessages()
  const escrow = BigInt(tender.escrow)
  const reserved = BigInt(tender.reserved)
  const free = escrow > reserved ? escrow - reserved : 0n
  const { asset } = tender
  return (
    <section className="panel stack">
      <h2>{words.vault}</h2>
      <progress max={100} value={escrow === 0n ? 0 : Number((free * 100n) / escrow)} aria-label={words.freeShare} />
      <dl className="facts">
        <dt>{words.inVault}</dt>
        <dd>
          <TokenAmount value={tender.escrow} token={asset} />
        </dd>
        <dt>{words.reserved}</dt>
        <dd>
          <TokenAmount value={tender.reserved} token={asset} /> ({words.pending(tender.pending)})
        </dd>
        <dt>{words.free}</dt>
        <dd>
          <TokenAmount value={free.toString()} token={asset} /> {words.paysFor(tender.fundedCompletions)}
        </dd>
        <dt>{words.owed}</dt>
        <dd>
          <TokenAmount value={tender.credited} token={asset} />
        </dd>
        <dt>{words.gifts}</dt>
        <dd>
          <TokenAmount value={tender.gifts} token={asset} />
        </dd>
        {tender.vault === null ? null : (
          <>
            <dt>{words.vaultAddress}</dt>
            <dd>
              <AddressText address={tender.vault} />
            </dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Submissions({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words } = useMessages()
  const key = route.useParams()
  const asked = useQuery({
    queryKey: ['submissions', key],
    queryFn: ({ signal }) => api.submissions(key, { limit: 100 }, signal),
  })
  return (
    <section className="panel stack">
      <h2>{words.deliveries}</h2>
      <Loaded asked={asked}>
        {({ items }) => (
          <Table
            caption={words.deliveriesCaption}
            rows={items}
            keyOf={({ submissionId }) => submissionId}
            nothing={words.noDeliveries}
            columns={[
              { name: 'id', title: '#', cell: ({ submissionId }) => submissionId },
              { name: 'by', title: words.by, cell: ({ fulfiller }) => <AddressText address={fulfiller} /> },
              {
                name: 'result',
                title: words.result,
                cell: ({ resultHash, resultUri }) => (
                  <>
                    <code title={resultHash}>{shortHex(resultHash)}</code>
                    <Copy value={resultHash} what={words.result} />
                    {resultUri === '' ? null : <small className="soft"> {plainLine(resultUri, 60)}</small>}
                  </>
                ),
              },
              {
                name: 'status',
                title: words.status,
                cell: (submission) => <Status submission={submission} tender={tender} />,
              },
              {
                name: 'act',
                title: words.act,
                cell: (submission) => <SubmissionActs submission={submission} tender={tender} />,
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

function Status({ submission, tender }: { submission: Submission; tender: TenderDetail }): ReactElement {
  const { tender: words } = useMessages()
  if (submission.status !== 'pending')
    return (
      <>
        {words.decided[submission.status](submission.decidedBy ?? 'judge')}{' '}
        {submission.decidedAt === null ? null : <Moment atSec={submission.decidedAt.timeSec} />}
        {submission.reward === null ? null : (
          <>
            {' '}
            <TokenAmount value={submission.reward} token={tender.asset} />
          </>
        )}
      </>
    )
  if (submission.deadlineSec === null) return <>{words.pendingWord}</>
  return (
    <ClockBar
      fromSec={Number(submission.submittedAtSec)}
      untilSec={Number(submission.deadlineSec)}
      start={words.delivered}
      end={submission.silence === 'releases' ? words.silenceReleases : words.silencePays}
    />
  )
}

function SubmissionActs({ submission, tender }: { submission: Submission; tender: TenderDetail }): ReactElement | null {
  const { tender: words } = useMessages()
  const nowSec = useChainNowSec()
  if (submission.status !== 'pending') {
    if (submission.credited === null || submission.credited === '0') return null
    return (
      <Act
        label={words.credit}
        chainId={tender.chainId}
        plan={async () => (await import('../acts/tender-acts.ts')).planCredit(tender, submission.fulfiller)}
      />
    )
  }
  const step = (label: string, name: 'accept' | 'reject' | 'claim' | 'release'): ReactElement => (
    <Act
      label={label}
      chainId={tender.chainId}
      plan={async () => (await import('../acts/tender-acts.ts')).planSubmissionStep(tender, submission, name)}
    />
  )
  const isOver = submission.deadlineSec !== null && nowSec > Number(submission.deadlineSec)
  if (submission.machineSettled === true)
    return (
      <div className="row">
        <Act
          label={words.settle}
          chainId={tender.chainId}
          fields={[{ name: 'proof', label: words.proof }]}
          plan={async () => (await import('../acts/tender-acts.ts')).planProof(tender, submission)}
        />
        {isOver ? step(words.release, 'release') : null}
      </div>
    )
  return (
    <div className="row">
      {step(words.accept, 'accept')}
      {step(words.reject, 'reject')}
      {isOver ? step(words.claim, 'claim') : null}
    </div>
  )
}

function Powers({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words, market } = useMessages()
  const { judge } = tender
  return (
    <section className="panel stack">
      <h2>{words.powers}</h2>
      <dl className="facts">
        <dt>{words.owner}</dt>
        <dd>{tender.owner === null ? '–' : <AddressText address={tender.owner} />}</dd>
        <dt>{words.updates}</dt>
        <dd>
          {tender.isFrozen ? (
            words.frozen
          ) : tender.updateAuthority === null ? (
            '–'
          ) : (
            <AddressText address={tender.updateAuthority} />
          )}
        </dd>
        <dt>{words.judge}</dt>
        <dd>
          {judge === null ? (
            '–'
          ) : (
            <>
              {market.judges[judge.kind]} <AddressText address={judge.address} />
              {judge.profile === null ? null : <code> {plainLine(judge.profile, 80)}</code>}
              {judge.quorum === null ? null : <span> {words.quorum(judge.quorum, judge.jurors.length)}</span>}
            </>
          )}
        </dd>
      </dl>
      <Table
        caption={words.versions}
        rows={tender.bindings}
        keyOf={({ version }) => version}
        columns={[
          { name: 'version', title: words.version, cell: ({ version }) => version },
          {
            name: 'hash',
            title: 'taskHash',
            cell: ({ taskHash }) => (
              <>
                <code title={taskHash}>{shortHex(taskHash)}</code>
                <Copy value={taskHash} what="taskHash" />
              </>
            ),
          },
          { name: 'verdict', title: words.files, cell: (binding) => <VerdictMark verdict={binding.package} /> },
          { name: 'at', title: words.since, cell: ({ place }) => <Moment atSec={place.timeSec} /> },
        ]}
      />
    </section>
  )
}
