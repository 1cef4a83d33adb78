import type { GroupSpec } from '../../command.ts'
import { check } from './check.ts'
import { exported } from './export.ts'
import { list } from './list.ts'
import { show } from './show.ts'

/** `oikos journal …`: the durable record of payments. Nothing here writes to it. */
export const journal: GroupSpec = {
  name: 'journal',
  summary: 'read and check the record of payments',
  commands: [list, show, exported, check],
}
