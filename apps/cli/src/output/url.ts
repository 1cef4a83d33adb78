/** Scheme and host of a URL: its path or query may hold the user's access key, which is not to be printed. */
export function toPlainUrl(text: string): string {
  return URL.canParse(text) ? new URL(text).origin : text.slice(0, 80)
}
