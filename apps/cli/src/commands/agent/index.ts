import type { GroupSpec } from '../../command.ts'
import { claim } from './claim.ts'
import { create } from './create.ts'
import { decline } from './decline.ts'
import { execute } from './execute.ts'
import { executor } from './executor.ts'
import { fees } from './fees.ts'
import { guard, guardian } from './guard.ts'
import { limit } from './limit.ts'
import { list } from './list.ts'
import { own } from './own.ts'
import { pause, unpause } from './pause.ts'
import { reclaim } from './reclaim.ts'
import { requestMint, requestRedeem } from './request.ts'
import { runOperator } from './run.ts'
import { halt } from './run-halt.ts'
import { scope } from './scope/index.ts'
import { setUri } from './set-uri.ts'
import { settle } from './settle.ts'
import { show } from './show.ts'
import { status } from './status.ts'
import { valuation } from './valuation/index.ts'

/** `oikos agent`: Agents that issue equity, in the order in which one lives. */
export const agent: GroupSpec = {
  name: 'agent',
  summary: 'Agents that issue equity (ERC-8406): create, buy in, settle, act, get out',
  commands: [
    ...[create, list, show, requestMint, requestRedeem, limit, settle, decline, claim, reclaim, execute],
    ...[scope, executor, guard, guardian, pause, unpause, own, fees, valuation, setUri],
    ...[runOperator, status, halt],
  ],
}
