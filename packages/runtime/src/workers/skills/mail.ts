/** What is read of an e-mail: who sent it, and its text, the plain part before the HTML one. */
export type Mail = { readonly sender: string | undefined; readonly body: string; readonly isHtml: boolean }

/** Parts within parts that are looked into. */
const MAX_NESTING = 4

type Part = { readonly head: ReadonlyMap<string, string>; readonly body: string }

/** Reads an e-mail of RFC 5322 with MIME parts in UTF-8. Attachments are left out; never throws. */
export function readMail(text: string): Mail {
  const message = splitPart(text.replace(/\r\n/g, '\n'))
  const texts = textParts(message, 0)
  const best = texts.find(({ isHtml, body }) => !isHtml && body.trim() !== '') ?? texts[0]
  return { sender: senderOf(message.head.get('from')), body: best?.body ?? '', isHtml: best?.isHtml ?? false }
}

function splitPart(text: string): Part {
  const end = text.indexOf('\n\n')
  const headText = end === -1 ? text : text.slice(0, end)
  const head = new Map<string, string>()
  for (const line of headText.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) head.set(line.slice(0, at).toLowerCase(), line.slice(at + 1).trim())
  }
  return { head, body: end === -1 ? '' : text.slice(end + 2) }
}

function textParts(
  { head, body }: Part,
  depth: number,
): readonly { readonly body: string; readonly isHtml: boolean }[] {
  const type = head.get('content-type') ?? 'text/plain'
  if (/^multipart\//i.test(type)) {
    const boundary = /boundary="?([^";]{1,200})"?/i.exec(type)?.[1]
    if (boundary === undefined || depth >= MAX_NESTING) return []
    const parts = `\n${body}`.split(`\n--${boundary}`).slice(1)
    return parts.flatMap((part) =>
      part.startsWith('--') ? [] : textParts(splitPart(part.replace(/^\n/, '')), depth + 1),
    )
  }
  const isAttachment = /^attachment/i.test(head.get('content-disposition') ?? '')
  if (isAttachment || !/^text\/(?:plain|html)/i.test(type)) return []
  return [{ body: decodeBody(body, head.get('content-transfer-encoding') ?? ''), isHtml: /^text\/html/i.test(type) }]
}

function decodeBody(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  const joined = body.replace(/=\n/g, '')
  const bytes = Buffer.concat(
    joined
      .split(/(=[0-9A-F]{2})/i)
      .map((part) => (/^=[0-9A-F]{2}$/i.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part, 'utf8'))),
  )
  return bytes.toString('utf8')
}

/** The name before the address, without quotes. */
function senderOf(from: string | undefined): string | undefined {
  const name = /^"?([^"<]*)"?\s*</.exec(from ?? '')?.[1]?.trim()
  return name === undefined || name === '' ? undefined : name
}
