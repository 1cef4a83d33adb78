import type { GroupSpec } from '../../../command.ts'
import { accept, confirm, poke, propose } from './attest.ts'
import { add, remove } from './change.ts'
import { create } from './create.ts'
import { list } from './list.ts'

/** `oikos agent valuation`: what the books count beside the balance. */
export const valuation: GroupSpec = {
  name: 'valuation',
  summary: 'what the books of an Agent count beside its balance',
  commands: [list, create, add, remove, poke, propose, accept, confirm],
}
