/**
 * A piece of HTML that is safe to stand where markup may stand. Only {@link html} and {@link join} make one, so that text which
 * nobody escaped is a type error.
 */
export type Html = { readonly html: string }

/** Controls, direction marks, invisible formatting, private use and lone surrogates: shown as their code points. */
const HOSTILE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for an element or an attribute in quotes. */
function escapeHtml(text: string): string {
  return text
    .replace(HOSTILE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** A template whose values are escaped, unless they are {@link Html}. */
export function html(parts: TemplateStringsArray, ...values: readonly (Html | string | number | bigint)[]): Html {
  const texts = parts.map((part, index) => {
    const value = values[index]
    if (value === undefined) return part
    return `${part}${typeof value === 'object' ? value.html : escapeHtml(String(value))}`
  })
  return { html: texts.join('') }
}

/** Pieces one after another. */
export function join(pieces: readonly Html[]): Html {
  return { html: pieces.map((piece) => piece.html).join('\n') }
}
