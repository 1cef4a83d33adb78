import type { StreamMessage } from '@oikos/indexer/rest'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** Longest pause before everything on the page is read again, whatever the stream says. */
const GATHER_MS = 250

/** The latest block that the index told, by chain; undefined while there is no stream. */
export type LiveHead = {
  readonly chainId: number
  readonly block: number
  /** How far its clock is ahead of the reader's, in seconds; 0 while they agree within {@link AGREED_SEC}. */
  readonly aheadSec: number
}

/** Clocks that differ by less are taken for the same. */
const AGREED_SEC = 120

/**
 * Follows the index: what is shown is read again when something happened on a chain, and what a reorganisation took
 * back disappears the same way. The browser reconnects by itself.
 */
export function useLive(): LiveHead | undefined {
  const client = useQueryClient()
  const [head, setHead] = useState<LiveHead>()
  useEffect(() => {
    const source = new EventSource('/api/v1/events')
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        void client.invalidateQueries()
      }, GATHER_MS)
    }
    const onHead = (event: MessageEvent<string>): void => {
      const message = JSON.parse(event.data) as StreamMessage
      if (message.type !== 'head') return
      const ahead = message.timeSec - Math.floor(Date.now() / 1000)
      setHead({ chainId: message.chainId, block: message.block, aheadSec: ahead > AGREED_SEC ? ahead : 0 })
    }
    source.addEventListener('head', onHead)
    source.addEventListener('activity', refresh)
    source.addEventListener('removed', refresh)
    source.addEventListener('error', () => setHead(undefined))
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [client])
  return head
}
