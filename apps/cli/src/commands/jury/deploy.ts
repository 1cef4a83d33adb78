import type { Address } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseDuration } from '../../input/duration.ts'
import { parseWhole } from '../../input/number.ts'
import { requiredText } from '../../input/required.ts'
import { exactDuration } from '../../output/speech.ts'
import { runDeployment } from '../companion/deploy.ts'

/** Most jurors of one jury. Source: JuryPanel.sol, MAX_JURORS. */
const MAX_JURORS = 32

/** `oikos jury deploy`: a new jury. */
export const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a jury; it serves any number of tasks',
  details: 'Jurors, quorum and voting window never change. Name the jury with --judge when a task is minted.',
  options: [
    { flags: '--juror <account>', text: 'who votes: an address or key name; may be repeated', many: true },
    { flags: '--quorum <number>', text: 'how many have to vouch for a delivery' },
    { flags: '--vote-window <time>', text: 'how long votes are taken after the first one: "2d"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos jury deploy --juror anna --juror ben --juror cleo --quorum 2 --vote-window 2d'],
  run: async (context, input) => {
    const texts = input.list('juror')
    if (texts.length === 0 || texts.length > MAX_JURORS) {
      throw new UsageError(`A jury has from 1 to ${MAX_JURORS} jurors.`, 'Name each with --juror.')
    }
    const jurors: Address[] = []
    for (const text of texts) jurors.push(await parseAddress(context, text, '--juror'))
    const quorum = parseWhole(requiredText(input, 'quorum'), '--quorum', { min: 1n, max: BigInt(jurors.length) })
    const voteWindowSec = parseDuration(requiredText(input, 'vote-window'), '--vote-window')
    const book = await createAddressBook(context)
    return runDeployment(context, input, {
      ...{ kind: 'jury-panel', terms: { jurors, quorum, voteWindowSec }, contractName: 'JuryPanel' },
      title: 'Deploy a jury',
      effects: [
        `A delivery is accepted when ${quorum} of ${jurors.length} vouch for it: ${jurors.map((juror) => book(juror)).join(', ')}.`,
        `Votes are taken for ${exactDuration(voteWindowSec)} after the first one; without a quorum the delivery is refused.`,
        'These rules never change.',
      ],
      next: (address) => [`task mint <folder> --reward "<amount>" --judge ${address} --window <time>`],
    })
  },
}
