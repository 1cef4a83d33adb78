import { parseSha256Digest, type Sha256Digest } from '@oikos/core'
import {
  hashlockAnswerHash,
  simulateCommitAnswer,
  simulateCommitAttestors,
  simulateCommitBatchRoot,
  simulateCommitSecrets,
  simulateCommitStreak,
  sortAttestors,
} from '@oikos/sdk'
import type { Address } from 'viem'
import { judgmentText, type KnownVerifier, readJudgment } from '../../chain/authority.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { parseDuration } from '../../input/duration.ts'
import type { Input } from '../../input/input.ts'
import { parseWhole } from '../../input/number.ts'
import { readAnswer, readTree } from '../../input/receipts.ts'
import { readSecretTree } from '../../input/secrets.ts'
import { exactDuration } from '../../output/speech.ts'
import { runTaskWrite } from '../../transaction/report.ts'

const TASK = ['<task>', 'its number, or chain:contract:number'] as const

const hashlock: CommandSpec = {
  name: 'hashlock',
  summary: 'commit to the answer of a hash lock, once, as the update authority',
  args: [TASK],
  options: [
    { flags: '--answer <file>', text: 'the answer; every byte counts, a line end as well' },
    { flags: '--answer-hash <hash>', text: 'its SHA-256 instead' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit hashlock 7 --answer answer.txt'],
  run: async (context, input) => {
    const answerHash = await readAnswerHash(context, input)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'hashlock')
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to an answer`,
        contract: verifier,
        functionName: 'commitAnswer',
        effects: [
          `Whoever shows bytes with SHA-256 ${answerHash} is paid.`,
          'The commitment can never be changed or taken back.',
        ],
        simulate: (account) =>
          simulateCommitAnswer(view.connection.client, { ...view.target, verifier, answerHash, account }),
        event: 'AnswerCommitted',
      },
      { document: { answerHash }, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

const batch: CommandSpec = {
  name: 'batch',
  summary: 'commit to the root of a batch of receipts, once, as the update authority',
  args: [TASK],
  options: [
    { flags: '--tree <file>', text: 'what "task receipt tree" wrote' },
    { flags: '--root <hash>', text: 'the root instead' },
    { flags: '--min-age <time>', text: 'how old a delivery must be before it settles: "10m"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit batch 7 --tree tree.json --min-age 10m'],
  run: async (context, input) => {
    const minAgeSec = readMinAge(input)
    const root = await readRoot(context, input, async (cwd, file) => (await readTree(cwd, file)).root)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'batch')
    const { judgmentWindowSec } = view.tender.terms
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to a batch of receipts`,
        contract: verifier,
        functionName: 'commitBatchRoot',
        effects: [
          `Whoever shows a receipt under root ${root}, made out to them, is paid, ${exactDuration(minAgeSec)} after delivering at the earliest.`,
          'The commitment can never be changed or taken back.',
        ],
        warnings:
          minAgeSec <= judgmentWindowSec
            ? []
            : [
                'A delivery can be released before it is old enough to settle: the window is shorter than the minimum age.',
              ],
        simulate: (account) =>
          simulateCommitBatchRoot(view.connection.client, { ...view.target, verifier, root, minAgeSec, account }),
        event: 'BatchRootCommitted',
      },
      { document: { root, minAgeSec }, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

const secrets: CommandSpec = {
  name: 'secrets',
  summary: 'commit to the root of a tree of secrets, once, as the update authority',
  args: [TASK],
  options: [
    { flags: '--tree <file>', text: 'what "task secret tree" wrote' },
    { flags: '--root <hash>', text: 'the root instead' },
    { flags: '--min-age <time>', text: 'how old a delivery must be before it settles: "10m"' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit secrets 7 --tree secrets-tree.json --min-age 10m'],
  run: async (context, input) => {
    const minAgeSec = readMinAge(input)
    const root = await readRoot(context, input, async (cwd, file) => (await readSecretTree(cwd, file)).root)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'secrets')
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to a tree of secrets`,
        contract: verifier,
        functionName: 'commitSecrets',
        effects: [
          `Whoever shows a secret under root ${root} is paid, once a secret, ${exactDuration(minAgeSec)} after delivering at the earliest.`,
          'The commitment can never be changed or taken back.',
        ],
        simulate: (account) =>
          simulateCommitSecrets(view.connection.client, { ...view.target, verifier, root, minAgeSec, account }),
        event: 'SecretsCommitted',
      },
      { document: { root, minAgeSec }, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

const ATTESTOR_OPTIONS = [
  { flags: '--attestor <account>', text: 'who signs outcomes: an address or key name; may be repeated', many: true },
  { flags: '--threshold <number>', text: 'how many of them have to sign (default: all)' },
] as const

const attestors: CommandSpec = {
  name: 'attestors',
  summary: 'name who signs the outcomes of deliveries, once, as the update authority',
  args: [TASK],
  options: [...ATTESTOR_OPTIONS, ...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos task commit attestors 7 --attestor judge --attestor auditor --threshold 1'],
  run: async (context, input) => {
    const named = await readAttestors(context, input)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'signed-outcome')
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Name the attestors of task ${view.target.tokenId}`,
        contract: verifier,
        functionName: 'commitAttestors',
        effects: [attestorText(named), 'The commitment can never be changed or taken back.'],
        simulate: (account) =>
          simulateCommitAttestors(view.connection.client, { ...view.target, verifier, ...named, account }),
        event: 'AttestorsCommitted',
      },
      { document: named, next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`] },
    )
  },
}

const streak: CommandSpec = {
  name: 'streak',
  summary: 'name attestors and grace of a standing tender, once, as the update authority',
  args: [TASK],
  options: [
    ...ATTESTOR_OPTIONS,
    { flags: '--grace <time>', text: 'how long after an epoch its deliveries still settle' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: ['oikos task commit streak 7 --attestor judge --grace 1d'],
  run: async (context, input) => {
    const grace = input.text('grace')
    if (grace === undefined) throw new UsageError('A streak needs its grace.', 'Give it with --grace, such as 1d.')
    const graceSec = parseDuration(grace, '--grace')
    const named = await readAttestors(context, input)
    const view = await openTask(context, input.argument(0))
    const verifier = await stockVerifier(view, 'streak')
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Commit task ${view.target.tokenId} to a streak`,
        contract: verifier,
        functionName: 'commitStreak',
        effects: [
          attestorText(named),
          `The first who is attested takes the seat, and loses it by missing an epoch; deliveries settle until ${exactDuration(graceSec)} after theirs.`,
          'The commitment can never be changed or taken back.',
        ],
        simulate: (account) =>
          simulateCommitStreak(view.connection.client, { ...view.target, verifier, ...named, graceSec, account }),
        event: 'StreakCommitted',
      },
      {
        document: { ...named, graceSec },
        next: [`task freeze ${view.named}`, `task fund ${view.named} "<amount>"`],
      },
    )
  },
}

type Attestors = { readonly attestors: readonly Address[]; readonly threshold: bigint }

async function readAttestors(context: Context, input: Input): Promise<Attestors> {
  const texts = input.list('attestor')
  if (texts.length === 0) throw new UsageError('Nobody would attest.', 'Name attestors with --attestor.')
  const accounts: Address[] = []
  for (const text of texts) accounts.push(await parseAddress(context, text, '--attestor'))
  const max = BigInt(accounts.length)
  const threshold = parseWhole(input.text('threshold') ?? String(max), '--threshold', { min: 1n, max })
  return { attestors: sortAttestors(accounts), threshold }
}

function attestorText({ attestors, threshold }: Attestors): string {
  return `A delivery is paid that ${threshold} of ${attestors.length} attestors have signed: ${attestors.join(', ')}.`
}

function readMinAge(input: Input): bigint {
  const minAge = input.text('min-age')
  if (minAge !== undefined) return parseDuration(minAge, '--min-age')
  throw new UsageError(
    'A minimum age keeps others from using what a settlement shows.',
    'Give it with --min-age, such as 10m.',
  )
}

async function readRoot(
  context: Context,
  input: Input,
  read: (cwd: string, file: string) => Promise<Sha256Digest>,
): Promise<Sha256Digest> {
  const [file, named] = [input.text('tree'), input.text('root')]
  if ((file === undefined) === (named === undefined)) {
    throw new UsageError('The commitment needs one root.', 'Give --tree <file> or --root <hash>.')
  }
  return file === undefined ? parseSha256Digest(named ?? '') : read(context.terminal.cwd, file)
}

async function readAnswerHash(context: Context, input: Input) {
  const [file, named] = [input.text('answer'), input.text('answer-hash')]
  if ((file === undefined) === (named === undefined)) {
    throw new UsageError('The commitment needs one answer.', 'Give --answer <file> or --answer-hash <hash>.')
  }
  return file === undefined
    ? parseSha256Digest(named ?? '')
    : hashlockAnswerHash(await readAnswer(context.terminal.cwd, file))
}

async function stockVerifier({ connection, target, tender }: TaskView, kind: KnownVerifier['kind']): Promise<Address> {
  const deployment = await connection.knownDeployment()
  const judgment = await readJudgment(connection, target, tender.acceptanceAuthority, deployment)
  if (judgment.kind === kind) return judgment.address
  throw new UsageError(
    `Task ${target.tokenId} is decided by the ${judgmentText(judgment)} ${judgment.address}, so this commitment would mean nothing.`,
    'Check the number of the task.',
  )
}

/** `oikos task commit`: what a stock verifier will check. */
export const commit: GroupSpec = {
  name: 'commit',
  summary: 'commit a stock verifier to what it will check',
  commands: [hashlock, batch, secrets, attestors, streak],
}
