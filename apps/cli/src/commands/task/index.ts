import type { GroupSpec } from '../../command.ts'
import { accept } from './accept.ts'
import { authority } from './authority.ts'
import { cancel } from './cancel.ts'
import { claim } from './claim.ts'
import { commit } from './commit.ts'
import { examine } from './examine.ts'
import { freeze } from './freeze.ts'
import { fund } from './fund.ts'
import { init } from './init.ts'
import { list } from './list.ts'
import { mint } from './mint.ts'
import { pack } from './pack.ts'
import { publish } from './publish.ts'
import { receipt } from './receipt.ts'
import { reclaim } from './reclaim.ts'
import { reject } from './reject.ts'
import { release } from './release.ts'
import { secret } from './secret.ts'
import { settle } from './settle.ts'
import { show } from './show.ts'
import { submit } from './submit.ts'
import { update } from './update.ts'
import { uri } from './uri.ts'
import { verify } from './verify.ts'
import { withdraw } from './withdraw.ts'

/** `oikos task`: the whole life of a task, in the order in which it is lived. */
export const task: GroupSpec = {
  name: 'task',
  summary: 'tasks: pack, post, fund, deliver, judge, settle, close',
  commands: [
    ...[init, pack, verify, mint, commit, freeze, fund, show, list],
    ...[submit, examine, accept, reject, settle, claim, release, withdraw],
    ...[update, publish, uri, authority, cancel, reclaim, receipt, secret],
  ],
}
