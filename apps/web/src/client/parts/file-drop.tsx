import { type ReactElement, useState } from 'react'

/** Takes files by choosing or by dropping them; they stay in the browser. */
export function FileDrop({
  label,
  onFiles,
}: {
  label: string
  onFiles: (files: readonly File[]) => void
}): ReactElement {
  const [isOver, setOver] = useState(false)
  return (
    <label
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      }}
    >
      <span>{label}</span>
      <input type="file" multiple onChange={({ target }) => onFiles([...(target.files ?? [])])} />
    </label>
  )
}
