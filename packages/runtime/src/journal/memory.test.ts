import { describeJournal } from '../../test/journal-suite.ts'
import { createMemoryJournal } from './memory.ts'

describeJournal('memory journal', {
  makeStore: async () => undefined,
  open: async (_store, clockMs) => createMemoryJournal({ clockMs }),
  durable: false,
})
