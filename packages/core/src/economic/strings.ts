/** Every string value of a document except its `schema`, in order: what the builder models count. */
export function documentTexts(document: { readonly schema: string }): readonly string[] {
  const { schema: _, ...fields } = document
  return textsIn(fields)
}

/** Every string value inside a value, in order. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
