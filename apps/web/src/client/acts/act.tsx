import { ContractRevertedError, OikosError } from '@oikos/sdk'
import { type ReactElement, useId, useRef, useState } from 'react'
import { useMessages } from '../messages/use-messages.ts'
import { shortHex } from '../parts/address.tsx'
import { Copy } from '../parts/copy.tsx'
import { useWallet } from '../wallet/wallet.tsx'
import { type Done, FieldError, type Plan, type Planned, type Values } from './plan.ts'

/** A field of an action's form. A `file` is hashed in the browser; nothing is uploaded. */
export type Field = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'file'
}

type Stage =
  | { readonly at: 'form' }
  | { readonly at: 'simulating' }
  | { readonly at: 'planned'; readonly planned: Planned }
  | { readonly at: 'sending'; readonly planned: Planned; readonly hashes: readonly string[] }
  | { readonly at: 'done'; readonly done: Done }
  | { readonly at: 'refused'; readonly error: unknown }

/** A button that opens an action: fill in, see what will happen by a simulation of this very call, sign, see what did. */
export function Act(props: {
  label: string
  chainId: number
  fields?: readonly Field[]
  plan: () => Promise<Plan>
  next?: string
}): ReactElement {
  const { label, chainId, fields = [], plan, next } = props
  const { act: words, wallet: walletWords } = useMessages()
  const { actor, signer } = useWallet()
  const dialog = useRef<HTMLDialogElement>(null)
  const [values, setValues] = useState<Values>({})
  const [stage, setStage] = useState<Stage>({ at: 'form' })

  const open = (): void => {
    setStage({ at: 'form' })
    dialog.current?.showModal()
  }
  const simulate = async (): Promise<void> => {
    setStage({ at: 'simulating' })
    try {
      const client = await signer(chainId)
      setStage({ at: 'planned', planned: await (await plan())(client, values) })
    } catch (error) {
      setStage({ at: 'refused', error })
    }
  }
  const send = async (planned: Planned): Promise<void> => {
    const hashes: string[] = []
    setStage({ at: 'sending', planned, hashes: [] })
    try {
      const done = await planned.send((hash) => {
        hashes.push(hash)
        setStage({ at: 'sending', planned, hashes: [...hashes] })
      })
      setStage({ at: 'done', done })
    } catch (error) {
      setStage({ at: 'refused', error })
    }
  }
  const isBusy = stage.at === 'simulating' || stage.at === 'sending'
  return (
    <>
      <button
        type="button"
        onClick={open}
        disabled={actor.kind === 'none'}
        title={actor.kind === 'none' ? walletWords.choose : undefined}
      >
        {label}
      </button>
      <dialog ref={dialog} aria-label={label} onCancel={(event) => isBusy && event.preventDefault()}>
        <form
          method="dialog"
          className="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void simulate()
          }}
        >
          <h2>{label}</h2>
          {stage.at === 'done'
            ? null
            : fields.map((field) => (
                <FormField
                  key={field.name}
                  field={field}
                  value={values[field.name] ?? ''}
                  isDisabled={isBusy}
                  onChange={(value) => {
                    setValues((before) => ({ ...before, [field.name]: value }))
                    setStage({ at: 'form' })
                  }}
                />
              ))}
          <div role="status" aria-live="polite" className="stack told">
            <StageText stage={stage} next={next} />
          </div>
          <div className="row">
            {stage.at === 'planned' ? (
              <button type="button" className="main" onClick={() => void send(stage.planned)}>
                {words.sign}
              </button>
            ) : stage.at === 'done' ? null : (
              <button type="submit" className="main" disabled={isBusy}>
                {words.simulate}
              </button>
            )}
            <button type="button" onClick={() => dialog.current?.close()} disabled={isBusy}>
              {stage.at === 'done' ? words.close : words.leave}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

function FormField(props: {
  field: Field
  value: string
  isDisabled: boolean
  onChange: (value: string) => void
}): ReactElement {
  const { field, value, isDisabled, onChange } = props
  const { act: words } = useMessages()
  const id = useId()
  const hashFile = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return onChange('')
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
    onChange(`0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)
  }
  return (
    <div className="stack field">
      <label htmlFor={id}>{field.label}</label>
      {field.kind === 'file' ? (
        <>
          <input
            id={id}
            type="file"
            disabled={isDisabled}
            onChange={({ target }) => void hashFile(target.files?.[0])}
          />
          {value === '' ? null : (
            <small>
              {words.hashOf} <code>{value}</code>
            </small>
          )}
        </>
      ) : (
        <input
          id={id}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={value}
          disabled={isDisabled}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      {field.hint === undefined ? null : <small className="soft">{field.hint}</small>}
    </div>
  )
}

function StageText({ stage, next }: { stage: Stage; next: string | undefined }): ReactElement | null {
  const { act: words } = useMessages()
  switch (stage.at) {
    case 'form':
      return null
    case 'simulating':
      return <p className="soft">{words.simulating}</p>
    case 'planned':
      return (
        <div>
          <h3>{words.will}</h3>
          <Sentences sentences={stage.planned.sentences} />
        </div>
      )
    case 'sending':
      return (
        <div>
          <p>{words.sending}</p>
          {stage.hashes.map((hash) => (
            <p key={hash}>
              {words.sent} <code title={hash}>{shortHex(hash)}</code>
              <Copy value={hash} what={words.transaction} />
            </p>
          ))}
        </div>
      )
    case 'done':
      return (
        <div>
          <p>
            <strong>{stage.done.happened}</strong>
          </p>
          <p>
            {words.transaction} <code title={stage.done.hash}>{shortHex(stage.done.hash)}</code>
            <Copy value={stage.done.hash} what={words.transaction} /> {words.inBlock(stage.done.block)}
          </p>
          {next === undefined ? null : <p>{next}</p>}
        </div>
      )
    case 'refused':
      return <Refused error={stage.error} />
    default:
      return stage satisfies never
  }
}

function Sentences({ sentences }: { sentences: readonly string[] }): ReactElement {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}

/** Why something is refused, in a sentence with a remedy; the raw answer is one click away. */
function Refused({ error }: { error: unknown }): ReactElement {
  const { act: words } = useMessages()
  if (error instanceof FieldError) return <p className="notice">{error.message}</p>
  const known = error instanceof OikosError ? error : undefined
  const raw = error instanceof ContractRevertedError ? `${error.errorName} ${error.data ?? ''}` : undefined
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>
          {known?.shortMessage ?? (error instanceof Error ? error.message.split('\n')[0] : String(error))}
        </strong>
      </p>
      {known === undefined || known.advice === '' ? null : <p>{known.advice}</p>}
      {raw === undefined ? null : (
        <details>
          <summary>{words.raw}</summary>
          <code>{raw}</code>
        </details>
      )}
    </div>
  )
}
