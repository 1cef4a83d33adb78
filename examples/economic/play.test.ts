import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createNarrator } from '../market/narrator.ts'
import { playPayments } from './play.ts'

test('payments: two are made once each, also by a killed process; a stranger, a full window and an approver stop three', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oikos-payments-'))
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    const { statuses, broadcasts, journal } = await playPayments({ folder, say: createNarrator(silence) })
    expect(statuses).toEqual(['confirmed', 'SPX-G212', 'confirmed', 'rejected', 'approval_failed'])
    expect(new Set(broadcasts).size).toBe(2)
    expect(broadcasts).toHaveLength(2)
    expect(journal).toMatchObject({ ok: true, keys: 3 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
