import { planCollection, runCollection } from '@oikos/sdk/node'
import { CHAIN_OPTIONS, type CommandSpec, FETCH_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { readCitations } from '../../content/citations.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseDuration } from '../../input/duration.ts'
import { factLines } from '../../output/layout.ts'

/** CIDs that a report lists; the rest is counted. */
const MAX_LISTED = 1_000

/** `oikos content collect`. */
export const collect: CommandSpec = {
  name: 'collect',
  summary: 'find what nothing cites, and with --yes remove it',
  details:
    'Kept are all CIDs and digests in the events of the task contract and of every Agent of the factory, all that these blocks mention, however deep, what --cited lists, and what is younger than the grace time. Without --yes nothing is removed. A cited package root that nobody gives stops the removal, since its leaves are not known.',
  options: [
    { flags: '--yes', text: 'remove what is found' },
    { flags: '--cited <file>', text: 'more CIDs to keep, one a line' },
    { flags: '--agent <address>', text: 'an Agent that is not of the factory; may be repeated', many: true },
    { flags: '--grace <time>', text: 'keep what was stored in this time (default "1 day")' },
    { flags: '--only-cited', text: 'with --cited: ask no chain' },
    { flags: '--accept-unread', text: 'remove although cited roots cannot be read' },
    ...CHAIN_OPTIONS,
    ...FETCH_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos content collect', 'oikos content collect --grace "7 days" --yes'],
  run: async (context, input) => {
    const { output, terminal } = context
    const { signal } = terminal
    const graceMs = Number(parseDuration(input.text('grace') ?? '1 day', '--grace')) * 1_000
    const citations = await readCitations(context, input)
    const store = await context.store()
    const source = (await context.resolver()).source({ signal })
    const plan = await planCollection(store, {
      cited: citations.cids,
      citedDigests: citations.digests,
      source,
      graceMs,
      nowMs: Date.now(),
      signal,
    })
    const isRun = input.flag('yes')
    const done = isRun
      ? await runCollection(store, plan, { acceptUnread: input.flag('accept-unread'), signal })
      : undefined
    const sizeBytes = plan.remove.reduce((sum, { sizeBytes: size }) => sum + size, 0)
    output.result(
      {
        ok: true,
        dryRun: !isRun,
        cited: { cids: citations.cids.size, digests: citations.digests.size, sources: citations.sources },
        kept: plan.kept,
        young: plan.young,
        removable: { blocks: plan.remove.length, sizeBytes, hasMore: plan.hasMore },
        cids: plan.remove.slice(0, MAX_LISTED).map(({ cid }) => cid),
        unread: plan.unread.slice(0, MAX_LISTED),
        ...(done === undefined ? {} : { done }),
      },
      factLines(
        [
          ['kept', `${plan.kept.blocks} blocks, ${plan.kept.sizeBytes} bytes`],
          ['too young', `${plan.young.blocks} blocks, ${plan.young.sizeBytes} bytes`],
          ['uncited', `${plan.remove.length}${plan.hasMore ? ' and more' : ''} blocks, ${sizeBytes} bytes`],
          ...(plan.unread.length === 0 ? [] : [['roots unread', String(plan.unread.length)] as const]),
          ...(done === undefined
            ? []
            : [['removed', `${done.removed} blocks, ${done.freedBytes} bytes; ${done.spared} came back`] as const]),
        ],
        output.paint,
      ),
    )
    if (!isRun && plan.remove.length > 0) output.next('content collect --yes')
    return EXIT.done
  },
}
