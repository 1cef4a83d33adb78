import type { AgentView } from '../../chain/open-agent.ts'
import { standingWarnings } from '../../chain/open-agent.ts'
import type { Context } from '../../context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import type { Signer } from '../../keys/signer.ts'
import { type Performed, performWrite, prepareSigner, type Sent, type Write } from '../../transaction/perform.ts'
import { type ReportExtras, reportWrite } from '../../transaction/report.ts'

/** A write to an Agent, as its command describes it; contract and units are filled in. */
export type AgentWrite = Omit<Write, 'contract' | 'asset' | 'agent'> & { readonly contract?: Write['contract'] }

/** Performs one write to an Agent. */
export function performAgentWrite(
  context: Context,
  input: Input,
  view: AgentView,
  signer: Signer,
  write: AgentWrite,
  options: { readonly confirmed?: boolean } = {},
): Promise<Performed> {
  const { agent, asset, connection } = view
  const warnings = [...standingWarnings(view), ...(write.warnings ?? [])]
  return performWrite(
    context,
    input,
    connection,
    signer,
    { contract: agent, asset, agent, ...write, warnings },
    options,
  )
}

/** Reports a write to an Agent. */
export function reportAgentWrite(
  context: Context,
  { ref }: AgentView,
  performed: Performed,
  extras: ReportExtras | ((sent: Sent) => ReportExtras) = {},
): Promise<ExitCode> {
  const { sent } = performed
  const more = typeof extras === 'function' ? (sent === undefined ? {} : extras(sent)) : extras
  return reportWrite(context, performed, { ...more, document: { agentRef: ref, ...more.document } })
}

/** A write to one Agent from signer to report, for commands that do nothing else. */
export async function runAgentWrite(
  context: Context,
  input: Input,
  view: AgentView,
  write: AgentWrite,
  extras: ReportExtras | ((sent: Sent) => ReportExtras) = {},
): Promise<ExitCode> {
  const signer = await prepareSigner(context, input)
  return reportAgentWrite(context, view, await performAgentWrite(context, input, view, signer, write), extras)
}
