declare const identifierMark: unique symbol

/** 1 to 128 characters of `a-z 0-9 . _ : -`. Source: notes, section 1. */
export type Identifier = string & { readonly [identifierMark]: true }

const IDENTIFIER = /^[a-z0-9._:-]{1,128}$/

/** Whether a text is an {@link Identifier}. */
export function isIdentifier(text: string): text is Identifier {
  return IDENTIFIER.test(text)
}
