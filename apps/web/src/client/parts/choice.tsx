import type { ReactElement } from 'react'
import { useMessages } from '../messages/use-messages.ts'

/** A filter of a list: one of some values, or any. */
export function Choice<Value extends string>(props: {
  label: string
  value: string | undefined
  options: readonly Value[]
  names: Readonly<Record<Value, string>>
  onChange: (value: Value | undefined) => void
}): ReactElement {
  const { label, value, options, names, onChange } = props
  const { any } = useMessages().market
  return (
    <label className="stack field">
      <span>{label}</span>
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(options.find((option) => option === target.value))}
      >
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {names[option]}
          </option>
        ))}
      </select>
    </label>
  )
}
