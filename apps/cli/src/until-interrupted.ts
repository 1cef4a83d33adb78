import type { Terminal } from './terminal.ts'

/** Resolves on Ctrl-C. */
export function untilInterrupted({ signal }: Pick<Terminal, 'signal'>): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
