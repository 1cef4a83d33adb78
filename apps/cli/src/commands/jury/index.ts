import type { GroupSpec } from '../../command.ts'
import { withdrawCommand } from '../companion/withdraw.ts'
import { deploy } from './deploy.ts'
import { fee } from './fee.ts'
import { show } from './show.ts'
import { execute, finalise, handOver, vote } from './vote.ts'

/** `oikos jury`: K of N jurors judge deliveries. */
export const jury: GroupSpec = {
  name: 'jury',
  summary: 'juries: deploy, vote, finalise, pay jurors',
  commands: [deploy, show, vote, finalise, execute, handOver, fee, withdrawCommand('jury', 'jury-panel')],
}
