import type { GroupSpec } from '../../command.ts'
import { pay as main } from './pay.ts'
import { reconcile } from './reconcile.ts'

/** `oikos pay`: payments on test networks. */
export const pay: GroupSpec = {
  name: 'pay',
  summary: 'pay under a policy on a test network, and look what became of it',
  main,
  commands: [reconcile],
}
