/** Longest host name, RFC 1035 section 2.3.4. */
const MAX_HOST_LENGTH = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A last label that no URL parser reads as a part of an IPv4 address, and that is not a single letter. */
const LAST_LABEL = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/
/** Names that resolve inside a host or a private network: RFC 6761, RFC 8375, ICANN's private-use `internal`, habits. */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'arpa',
])

/**
 * Whether a text is an origin that a policy may list: `https://` and a public host name of two labels or more, without
 * port, user, path, trailing dot or IP address in any spelling. Stricter than the reference (notes, section 6, and D20).
 */
export function isX402Origin(text: string): boolean {
  const scheme = 'https://'
  if (!text.startsWith(scheme)) return false
  const host = text.slice(scheme.length)
  if (host.length > MAX_HOST_LENGTH) return false
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    LAST_LABEL.test(last) &&
    !PRIVATE_SUFFIXES.has(last)
  )
}

/** One segment of a path: `pchar` of RFC 3986, section 3.3. */
const SEGMENT = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/
const ESCAPED_BYTE = /%([0-9A-Fa-f]{2})/g

/**
 * Whether a text is a path that a policy may list: absolute, no query or fragment, no empty segment except a final one, no
 * `.` or `..` (also before a `;` parameter), and no escape of a control byte, `.`, `/`, `\` or `%`. A URL parser leaves such
 * a path as it is. Stricter than the reference (notes, section 6, and D20).
 */
export function isX402Resource(text: string): boolean {
  if (text === '/') return true
  if (!text.startsWith('/')) return false
  const segments = text.slice(1).split('/')
  if (segments.at(-1) === '') segments.pop()
  return segments.every(isSegment)
}

function isSegment(segment: string): boolean {
  if (!SEGMENT.test(segment)) return false
  const name = segment.split(';')[0]
  if (name === '.' || name === '..') return false
  for (const [, digits] of segment.matchAll(ESCAPED_BYTE)) {
    const byte = Number.parseInt(digits ?? '', 16)
    if (byte < 0x20 || byte === 0x7f || '%./\\'.includes(String.fromCharCode(byte))) return false
  }
  return true
}
