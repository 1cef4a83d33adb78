import type { GroupSpec } from '../../../command.ts'
import { apply } from './apply.ts'
import { check } from './check.ts'
import { close, enact, withdraw } from './govern.ts'
import { plan } from './plan.ts'
import { show } from './show.ts'

/** `oikos agent scope`: what an Agent may do. */
export const scope: GroupSpec = {
  name: 'scope',
  summary: 'the boundary of an Agent: show, check a call, plan and apply a policy',
  commands: [show, check, plan, apply, enact, withdraw, close],
}
