import {
  encodeOutcomeProof,
  formatAmount,
  getSubmission,
  isAttestor,
  MAX_ATTESTORS,
  outcomeDigest,
  recoverOutcomeSigner,
  SIGNED_OUTCOME_PROFILE,
  STREAK_PROFILE,
  type Submission,
  simulateSettleFulfillment,
} from '@oikos/sdk'
import { type Address, bytesToHex, type Hex, isHex } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { judgmentText, readJudgment } from '../../chain/authority.ts'
import { openTask, type TaskView } from '../../chain/open-task.ts'
import { type CommandSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import type { Input } from '../../input/input.ts'
import { parseSubmissionId } from '../../input/number.ts'
import { readAnswer, readTree } from '../../input/receipts.ts'
import {
  findSecretProof,
  isSecretTree,
  readSecretTree,
  readSignature,
  type SignatureFile,
} from '../../input/secrets.ts'
import { runTaskWrite } from '../../transaction/report.ts'

/** `oikos task settle`: a proof pays a delivery. */
export const settle: CommandSpec = {
  name: 'settle',
  summary: 'settle a delivery with a proof; anyone may',
  args: [
    ['<task>', 'its number, or chain:contract:number'],
    ['<submission>', 'number of the delivery'],
  ],
  options: [
    {
      flags: '--tree <file>',
      text: 'for receipts or secrets: what "task receipt tree" or "task secret tree" wrote; the proof is found by the result hash',
    },
    { flags: '--answer <file>', text: 'for a hash lock: the answer' },
    {
      flags: '--signature <file>',
      text: 'for signed outcomes: what "outcome sign" wrote; may be repeated',
      many: true,
    },
    { flags: '--proof <hex>', text: 'for any verifier: the bytes of the proof' },
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: [
    'oikos task settle 7 1 --tree tree.json',
    'oikos task settle 7 1 --answer answer.txt --dry-run',
    'oikos task settle 7 1 --signature anna.json --signature ben.json',
  ],
  run: async (context, input) => {
    const submissionId = parseSubmissionId(input.argument(1))
    const view = await openTask(context, input.argument(0))
    const { target, tender, asset, named, connection } = view
    const submission = await getSubmission(connection.client, { ...target, submissionId })
    const proof = await readProof(context, input, view, submission)
    const book = await createAddressBook(context)
    return runTaskWrite(
      context,
      input,
      view,
      {
        title: `Settle submission ${submissionId} of task ${target.tokenId}`,
        functionName: 'settleFulfillment',
        effects: [
          `${formatAmount(tender.terms.rewardPerCompletionAtomic, asset)} leave the vault for ${book(submission.fulfiller)}.`,
          'The proof becomes public.',
        ],
        simulate: (account) =>
          simulateSettleFulfillment(connection.client, { ...target, submissionId, proof, account, asset }),
        event: 'FulfillmentAccepted',
      },
      { next: [`task show ${named}`] },
    )
  },
}

async function readProof(context: Context, input: Input, view: TaskView, submission: Submission): Promise<Hex> {
  const { cwd } = context.terminal
  const [tree, answer, proof] = [input.text('tree'), input.text('answer'), input.text('proof')]
  const signatures = input.list('signature')
  const given = [tree, answer, proof, signatures[0]].filter((way) => way !== undefined)
  if (given.length !== 1) {
    throw new UsageError(
      'A settlement needs one proof.',
      'Give --tree <file>, --answer <file>, --signature <file> or --proof <hex>.',
    )
  }
  if (tree !== undefined) return readTreeProof(cwd, tree, submission)
  if (answer !== undefined) return bytesToHex(await readAnswer(cwd, answer))
  if (proof === undefined) return collectSignatures(view, submission, await readSignatures(cwd, signatures))
  if (isHex(proof) && proof.length % 2 === 0) return proof
  throw new UsageError('--proof: expected whole bytes in hexadecimal with 0x.', 'Check its digits.')
}

async function readTreeProof(cwd: string, file: string, { fulfiller, resultHash }: Submission): Promise<Hex> {
  const proof = (await isSecretTree(cwd, file))
    ? findSecretProof(await readSecretTree(cwd, file), fulfiller, resultHash)
    : (await readTree(cwd, file)).receipts.find(({ leaf }) => leaf === resultHash)?.proof
  if (proof !== undefined) return proof
  throw new NotFoundError(
    `${file} has nothing for the delivery of ${fulfiller} with result hash ${resultHash}.`,
    'Check the number of the submission, and which tree it belongs to.',
  )
}

function readSignatures(cwd: string, files: readonly string[]): Promise<readonly SignatureFile[]> {
  if (files.length <= MAX_ATTESTORS) return Promise.all(files.map((file) => readSignature(cwd, file)))
  throw new UsageError(`--signature: at most ${MAX_ATTESTORS} are read.`, 'Leave some out.')
}

/** The proof of as many signatures as the verifier asks for, by those that it names. */
async function collectSignatures(
  { connection, target, tender }: TaskView,
  submission: Submission,
  files: readonly SignatureFile[],
): Promise<Hex> {
  const { client, chainId } = connection
  const verifier = tender.acceptanceAuthority
  const judgment = await readJudgment(connection, target, verifier, undefined)
  if (judgment.kind !== 'signed-outcome' && judgment.kind !== 'streak') {
    throw new UsageError(
      `Task ${target.tokenId} is decided by the ${judgmentText(judgment)} ${verifier}, which takes no signatures.`,
      'Look at the task, and give the proof that its verifier checks.',
    )
  }
  const profile = judgment.kind === 'streak' ? STREAK_PROFILE : SIGNED_OUTCOME_PROFILE
  const { tokenId, task: taskContract } = target
  const { submissionId, fulfiller, resultHash } = submission
  const digest = outcomeDigest(
    { profile, chainId, verifier },
    { taskContract, tokenId, submissionId, fulfiller, resultHash },
  )
  const signatures = files.filter((file) => file.digest === digest).map(({ signature }) => signature)
  const signers = signatures.map((signature) => recoverOutcomeSigner(digest, signature))
  const attestors: Address[] = []
  for (const account of signers) {
    const at = { ...target, verifier }
    if (account !== undefined && (await isAttestor(client, { ...at, account }))) attestors.push(account)
  }
  const counted = new Set(attestors).size
  if (BigInt(counted) < judgment.threshold || judgment.threshold === 0n) {
    throw new UsageError(
      `${counted} of the signatures are by attestors and about this delivery; the verifier asks for ${judgment.threshold}.`,
      'Have more attestors sign this delivery with "outcome sign".',
    )
  }
  return encodeOutcomeProof({ digest, signatures, threshold: Number(judgment.threshold), attestors })
}
