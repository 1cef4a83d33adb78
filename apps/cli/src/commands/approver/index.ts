import type { GroupSpec } from '../../command.ts'
import { create } from './create.ts'
import { serve } from './serve.ts'

/** `oikos approver`: somebody who decides about payments in another place. */
export const approver: GroupSpec = {
  name: 'approver',
  summary: 'approve payments on a page of this machine, with a key of your own',
  commands: [create, serve],
}
