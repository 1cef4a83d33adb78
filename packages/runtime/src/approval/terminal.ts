import { isIdentifier } from '@oikos/core/economic'
import { type Decider, decided } from './approver.ts'
import { ApprovalError } from './errors.ts'
import { describeRequest } from './request-view.ts'

/** A terminal with a person at it. */
export type ApproverTerminal = {
  /** Whether a person reads and types there: both ends are terminals. */
  readonly interactive: boolean
  readonly write: (text: string) => void
  /** Asks with echo and gives the line that was typed. Rejects when the person goes away or `signal` is aborted. */
  readonly ask: (question: string, signal: AbortSignal) => Promise<string>
}

/** How a person at a terminal is asked. */
export type TerminalDeciderOptions = {
  readonly terminal: ApproverTerminal
  /** Who sits there: recorded in every Approval. */
  readonly approverId: string
  /** Milliseconds since 1970. */
  readonly clockMs: () => number
}

/** Digits of the request that must be typed to approve it. */
const CODE_LENGTH = 6

/**
 * A person at a terminal. To approve, the first six digits of the request's digest must be typed, so that no prepared
 * input (a pipe, a habit, a line typed ahead) approves what was not read. Everything else refuses. Throws
 * {@link ApprovalError} `no_terminal` and `no_answer`.
 */
export function createTerminalDecider({ terminal, approverId, clockMs }: TerminalDeciderOptions): Decider {
  if (!isIdentifier(approverId)) throw new ApprovalError('setting_malformed', `${approverId} is no identifier`)
  return {
    consider: async (view) => {
      if (!terminal.interactive)
        throw new ApprovalError('no_terminal', 'a person approves at a terminal, and there is none')
      const nowMs = clockMs()
      const lines = describeRequest(view, nowMs)
      const width = Math.max(...lines.map(({ label }) => label.length))
      const shown = lines.map(
        ({ label, text, origin }) => `  ${label.padEnd(width)}  ${origin === 'claimed' ? `says: ${text}` : text}\n`,
      )
      terminal.write(`\nA payment waits for your approval.\n\n${shown.join('')}\n`)
      const code = view.request.digest.slice('sha256:'.length, 'sha256:'.length + CODE_LENGTH)
      const answer = await typed(
        terminal,
        `Type ${code} to approve, anything else to refuse: `,
        view.request.document.expires_at_ms,
        nowMs,
      )
      if (answer.trim() === code) return decided('approved', approverId, 'typed at the terminal')
      return decided('rejected', approverId, 'refused at the terminal')
    },
  }
}

/** The longest that timers can wait. Source: Node.js, `setTimeout`. */
const MAX_WAIT_MS = 2_147_483_647

async function typed(terminal: ApproverTerminal, question: string, endMs: bigint, nowMs: number): Promise<string> {
  const leftMs = Math.min(Math.max(Number(endMs) - nowMs, 0), MAX_WAIT_MS)
  try {
    return await terminal.ask(question, AbortSignal.timeout(leftMs))
  } catch (cause) {
    throw new ApprovalError('no_answer', 'nobody answered at the terminal before the request ended', { cause })
  }
}
