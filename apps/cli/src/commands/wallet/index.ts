import type { GroupSpec } from '../../command.ts'
import { allow } from './allow.ts'
import { create } from './create.ts'
import { bring } from './import.ts'
import { serve } from './serve.ts'
import { show } from './show.ts'

/** `oikos wallet`: keys that pay on test networks, and what they may pay. */
export const wallet: GroupSpec = {
  name: 'wallet',
  summary: 'wallets that pay on test networks, and whom they may pay',
  commands: [create, bring, show, allow, serve],
}
