import { createHash } from 'node:crypto'
import type { WaitingRequest } from './desk.ts'
import { describeRequest } from './request-view.ts'

/** The style of the page. Its hash stands in the content security policy, so that no other style counts. */
const STYLE = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:46rem;margin:2rem auto;padding:0 1rem}
section{border:1px solid;border-radius:.5rem;padding:1rem;margin:1rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:0 0 1rem}
dt{font-weight:600}dd{margin:0;overflow-wrap:anywhere}
.claimed{font-style:italic}
button{font:inherit;padding:.5rem 1.5rem;margin-right:1rem}
`

/**
 * What the page may do: show itself with its one style and send its forms to where it came from. No script, no frame, no
 * image, no request to anywhere.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** How often the page looks for requests while none waits, seconds. */
const REFRESH_SEC = 5

/** The page of what waits. `tokenOf` gives the token that makes a form count for one request. */
export function renderDesk(
  waiting: readonly WaitingRequest[],
  nowMs: number,
  tokenOf: (nonce: string) => string,
): string {
  const body =
    waiting.length === 0
      ? '<p>No payment waits for your approval.</p>'
      : `${waiting.map((request) => renderWaiting(request, nowMs, tokenOf(request.nonce))).join('')}<p><a href="/">Look for others</a></p>`
  // Once something waits, nothing may move under the hand of whoever decides.
  return renderPage(`Payments that wait: ${waiting.length}`, body, waiting.length === 0 ? REFRESH_SEC : undefined)
}

/** The page that the link of the person opens: it goes on to the desk by itself. */
export function renderWelcome(): string {
  return renderPage('Approvals', '<p>This browser decides now. <a href="/">Go on</a></p>', 0)
}

/** A page of one sentence. */
export function renderMessage(sentence: string): string {
  return renderPage('Approvals', `<p>${escapeHtml(sentence)}</p><p><a href="/">Back</a></p>`, undefined)
}

function renderPage(title: string, body: string, refreshSec: number | undefined): string {
  const refresh = refreshSec === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSec}; url=/">`
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">${refresh}` +
    `<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  )
}

function renderWaiting({ nonce, view }: WaitingRequest, nowMs: number, token: string): string {
  const lines = describeRequest(view, nowMs).map(({ label, text, origin }) => {
    const shown = origin === 'claimed' ? `<span class="claimed">says: ${escapeHtml(text)}</span>` : escapeHtml(text)
    return `<dt>${escapeHtml(label)}</dt><dd>${shown}</dd>`
  })
  const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`
  return (
    `<section><dl>${lines.join('')}</dl><form method="post" action="/decisions">` +
    `${hidden('nonce', nonce)}${hidden('token', token)}` +
    `<button name="decision" value="approved">Approve</button>` +
    `<button name="decision" value="rejected">Refuse</button></form></section>`
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML, in elements and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
