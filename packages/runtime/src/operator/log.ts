/** Where an operator says what it does: one event a line, fields apart from the sentence. pino's loggers fit. */
export type OperatorLog = {
  readonly debug: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}

/** Says nothing. */
export const silentLog: OperatorLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** What of an error may be written down: its class and its first line, which carry no key and no URL with a password. */
export function errorFields(error: unknown): { readonly error: string; readonly reason: string } {
  if (!(error instanceof Error)) return { error: typeof error, reason: 'something that is no error was thrown' }
  return { error: error.name, reason: withoutSecrets(error.message.split('\n')[0] ?? '').slice(0, 500) }
}

/** Longest text of somebody else that is kept in a column of its own. */
const MAX_KEPT_CHARACTERS = 2_000

/** A text of somebody else as it can be kept and shown: bounded, on one line, and without what databases refuse. */
export function keepable(text: string): string {
  return text.slice(0, MAX_KEPT_CHARACTERS).replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
}

/** Credentials and query strings of URLs, and anything of the length of a private key. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1***@')
    .replaceAll(/(https?:\/\/[^\s/?#]+)[^\s]*/gi, '$1/***')
    .replaceAll(/\b(?:0x)?[0-9a-fA-F]{64}\b/g, '***')
}
