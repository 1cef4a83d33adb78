import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { decompilePolicy } from '@oikos/core/scope-policy'
import { openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import { UsageError } from '../../../errors.ts'
import { EXIT } from '../../../exit-codes.ts'
import { factLines } from '../../../output/layout.ts'
import { exactDuration } from '../../../output/speech.ts'
import { AGENT, READ_AGENT } from '../options.ts'
import { namesFor, pendingText, policySentences, readBoundary } from './boundary-text.ts'

/** `oikos agent scope show`: what the Agent may do. */
export const show: CommandSpec = {
  name: 'show',
  summary: 'say in sentences what an Agent may do, and which changes are announced',
  args: [AGENT],
  options: [
    { flags: '--out <file>', text: 'write it as a policy document to edit; must not exist' },
    ...OUTPUT_OPTIONS,
    ...READ_AGENT,
  ],
  examples: ['oikos agent scope show treasury', 'oikos agent scope show treasury --out policy.json'],
  run: async (context, input) => {
    const { output, terminal } = context
    const view = await openAgent(context, input, input.argument(0))
    const boundary = await readBoundary(view)
    const { state, pending, revision, isComplete, blockNumber, blockTimestampSec: nowSec } = boundary
    const names = namesFor(view)
    const document = decompilePolicy(state, names)
    const out = input.text('out')
    if (out !== undefined) await writeNew(resolve(terminal.cwd, out), `${JSON.stringify(document, null, 2)}\n`, out)
    const sentences = policySentences(state, names)
    output.result(
      {
        ok: true,
        ...{ agentRef: view.ref, scope: boundary.scope, blockNumber, revision, isComplete, delaySec: state.delaySec },
        ...{ sentences, document, rules: state.rules, caps: state.caps, members: state.members, pending, file: out },
      },
      [
        output.paint('bold', `What ${view.agent} may do, read from the chain at block ${blockNumber}`),
        ...sentences.map((sentence) => `  ${sentence}`),
        ...factLines(
          [
            ['delay of changes', exactDuration(BigInt(state.delaySec))],
            ['history', `${revision}${isComplete ? '' : ', not read as a whole: caps and sets may be missing here'}`],
            ['announced', pending.map((change) => pendingText(change, nowSec))],
            ...pending.map(
              ({ changeId, change }) => [`in ${changeId.slice(0, 10)}…`, policySentences(change, names)] as const,
            ),
            ...(out === undefined ? [] : ([['written to', out]] as const)),
          ],
          output.paint,
          '  ',
        ),
      ],
    )
    const ready = pending.find((change) => change.state === 'ready')
    output.next(
      ...(ready === undefined ? [] : [`agent scope enact ${view.named} ${ready.changeId}`]),
      `agent scope plan ${view.named} ${out ?? '<policy file>'}`,
    )
    return EXIT.done
  },
}

async function writeNew(file: string, text: string, named: string): Promise<void> {
  const handle = await open(file, 'wx').catch((cause: NodeJS.ErrnoException) => {
    const advice = cause.code === 'EEXIST' ? 'Name a file that does not exist.' : 'Check the folder.'
    throw new UsageError(`${JSON.stringify(named)} cannot be written (${cause.code}).`, advice, { cause })
  })
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}
