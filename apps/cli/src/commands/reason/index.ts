import type { GroupSpec } from '../../command.ts'
import { show } from './show.ts'
import { verify } from './verify.ts'

/** `oikos reason`: why an Agent acted, and whether that checks out. */
export const reason: GroupSpec = {
  name: 'reason',
  summary: 'records of why an Agent acted (ERC-8406, §6.2)',
  commands: [show, verify],
}
