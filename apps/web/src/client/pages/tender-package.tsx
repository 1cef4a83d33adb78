import type { TenderDetail } from '@oikos/indexer/rest'
import { useQuery } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { FileView } from '../parts/file-view.tsx'
import { plainLine } from '../parts/plain.ts'
import { Loaded } from '../parts/states.tsx'
import { VerdictMark } from '../parts/verdict.tsx'
import type { PackageCheck } from '../verify/tender-package.ts'
import { useWallet } from '../wallet/wallet.tsx'

/** What is asked for: our service's verdict with its age, and on demand the check of this very browser with the files. */
export function PackagePanel({ tender }: { tender: TenderDetail }): ReactElement {
  const { tender: words, verdict: verdictWords } = useMessages()
  const { reader } = useWallet()
  const [isWanted, setWanted] = useState(false)
  const asked = useQuery({
    queryKey: ['package', tender.chainId, tender.contract, tender.tokenId, tender.taskHash],
    queryFn: async ({ signal }) => {
      const { checkPackage } = await import('../verify/tender-package.ts')
      const fromBlock = BigInt(tender.createdAt.block)
      return checkPackage(await reader(tender.chainId), { tender, fromBlock, signal })
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <section className="panel stack">
      <h2>{words.asked}</h2>
      <p>
        {words.service} <VerdictMark verdict={tender.package} />
      </p>
      {isWanted ? (
        <Loaded asked={asked}>{(check) => <Checked check={check} />}</Loaded>
      ) : (
        <button type="button" onClick={() => setWanted(true)}>
          {verdictWords.checkHere}
        </button>
      )}
    </section>
  )
}

function Checked({ check }: { check: PackageCheck }): ReactElement {
  const { tender: words } = useMessages()
  const verdict = {
    state: check.ok ? ('verified' as const) : ('refused' as const),
    codes: check.findings.map(({ code }) => code),
    checkedAtSec: check.checkedAtSec,
  }
  return (
    <div className="stack">
      <p>
        {words.browser(check.version)} <VerdictMark verdict={verdict} />
      </p>
      {check.findings.length === 0 ? null : (
        <ul>
          {check.findings.map(({ code, where, message }) => (
            <li key={`${code} ${where}`}>
              <code>{code}</code> {plainLine(where)}: {plainLine(message)}
            </li>
          ))}
        </ul>
      )}
      {check.files.map(({ path, bytes }) => (
        <details key={path}>
          <summary>
            <code>{plainLine(path)}</code>
          </summary>
          <FileView path={path} bytes={bytes} />
        </details>
      ))}
    </div>
  )
}
