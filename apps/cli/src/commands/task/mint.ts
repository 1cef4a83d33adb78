import { formatAmount, formatTaskRef, getVault, simulateMintTask } from '@oikos/sdk'
import type { Address } from 'viem'
import { getBlock } from 'viem/actions'
import { createAddressBook } from '../../chain/address-book.ts'
import {
  commitSteps,
  isKnownVerifier,
  type Judgment,
  judgmentText,
  PROFILES,
  readJudgment,
} from '../../chain/authority.ts'
import type { Connection } from '../../chain/connect.ts'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { takePackage } from '../../content/pack.ts'
import { ROLE_OPTIONS, SEAL_OPTIONS } from '../../content/package-options.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import type { Input } from '../../input/input.ts'
import { readTerms, TERM_OPTIONS } from '../../input/terms.ts'
import { plain } from '../../output/plain.ts'
import { assetText, exactDuration, limitText } from '../../output/speech.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'

/** `oikos task mint`: a package and terms become a token with a vault. */
export const mint: CommandSpec = {
  name: 'mint',
  summary: 'make a tender of a package: a token with its terms and its vault',
  details: 'The terms never change. Money comes with "task fund". The package is a folder, or the hashes of one.',
  args: [['[folder]', 'a packed folder, or one to be packed']],
  options: [
    ...TERM_OPTIONS,
    { flags: '--judge <account>', text: 'who accepts and rejects: an address or key name' },
    { flags: '--verifier <kind>', text: 'contract that settles by proof: hashlock, batch, or an address' },
    { flags: '--to <account>', text: 'owner of the token (default: the sender)' },
    { flags: '--update-authority <account>', text: 'who publishes, freezes and cancels (default: the sender)' },
    { flags: '--td-hash <hash>', text: 'without a folder: SHA-256 of the primary document' },
    { flags: '--task-hash <hash>', text: 'without a folder: SHA-256 of the root' },
    { flags: '--uri <uri>', text: 'where the package can be found (default: ipfs: and the root CID)' },
    ...ROLE_OPTIONS,
    ...SEAL_OPTIONS,
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...WRITE_OPTIONS,
  ],
  examples: [
    'oikos task mint my-task --reward "0.25 ETH" --completions 3 --judge judge --window 3d',
    'oikos task mint my-task --reward "250 USDC" --verifier batch --window 7d --submit-by 2030-12-31T00:00Z --dry-run',
  ],
  run: async (context, input) => {
    const connection = await context.connection()
    const { timestamp: nowSec } = await getBlock(connection.client)
    const { terms, asset } = await readTerms(context, connection, input, nowSec)
    const task = await connection.contract()
    const acceptanceAuthority = await readAcceptanceAuthority(context, connection, input)
    const signer = await prepareSigner(context, input)
    const owner = await accountOrSender(context, input, 'to', signer.address)
    const updateAuthority = await accountOrSender(context, input, 'update-authority', signer.address)
    const bound = await takePackage(context, input, input.optionalArgument(0), { maxCompletions: terms.maxCompletions })
    const taskURI = bound.uri
    if (taskURI === undefined) {
      throw new UsageError('The token needs a URI, so that others find the package.', 'Give it with --uri.')
    }
    const deployment = await connection.knownDeployment()
    const judgment = await readJudgment(connection, { task, tokenId: 0n }, acceptanceAuthority, deployment)
    const book = await createAddressBook(context)
    const { tdHash, taskHash } = bound
    const performed = await performWrite(context, input, connection, signer, {
      title: 'Mint a task',
      contract: task,
      asset,
      functionName: 'mintTask',
      effects: [
        `${formatAmount(terms.rewardPerCompletionAtomic, asset)} for each of ${terms.maxCompletions === 0n ? 'unlimited' : terms.maxCompletions} completions, ${assetText(asset)}.`,
        `Decided by the ${judgmentText(judgment)} ${book(acceptanceAuthority)}, within ${exactDuration(terms.judgmentWindowSec)} of a delivery.`,
        `Deliveries until: ${limitText(terms.submitBySec, nowSec)}. Rulings until: ${limitText(terms.settleBySec, nowSec)}.`,
        ...(terms.epochLengthSec === 0n
          ? []
          : [`At most ${terms.maxCompletionsPerEpoch} completions in each ${exactDuration(terms.epochLengthSec)}.`]),
        `Owner ${book(owner)}; published by ${book(updateAuthority)}.`,
        `Package ${taskHash} at ${plain(taskURI)}.`,
        'These terms never change. No money moves yet.',
      ],
      warnings: mintWarnings(judgment, bound.acceptanceProfile, terms.maxCompletions, signer.address),
      simulate: (account) =>
        simulateMintTask(connection.client, {
          ...{ task, to: owner, updateAuthority, acceptanceAuthority, tdHash, taskHash, taskURI, terms },
          ...{ account, asset },
        }),
      event: 'TaskUpdated',
    })
    const tokenId = performed.sent?.event?.args['tokenId']
    if (typeof tokenId !== 'bigint') {
      return reportWrite(context, performed)
    }
    const vault = await getVault(connection.client, { task, tokenId })
    const taskRef = formatTaskRef({ chainId: connection.chainId, task, tokenId })
    const named = input.text('contract') === undefined ? String(tokenId) : taskRef
    return reportWrite(context, performed, {
      document: {
        tokenId,
        vault,
        taskRef,
        tdHash,
        taskHash,
        taskURI,
        acceptanceAuthority,
        owner,
        updateAuthority,
        terms,
      },
      facts: [
        ['task', String(tokenId)],
        ['task reference', taskRef],
        ['vault', vault],
      ],
      next: [...commitSteps(judgment, named), `task freeze ${named}`, `task fund ${named} "<amount>"`],
    })
  },
}

async function accountOrSender(context: Context, input: Input, option: string, sender: Address): Promise<Address> {
  const text = input.text(option)
  return text === undefined ? sender : parseAddress(context, text, `--${option}`)
}

async function readAcceptanceAuthority(context: Context, connection: Connection, input: Input): Promise<Address> {
  const [judge, verifier] = [input.text('judge'), input.text('verifier')]
  if ((judge === undefined) === (verifier === undefined)) {
    throw new UsageError(
      judge === undefined ? 'Nobody would decide about deliveries.' : 'Both a judge and a verifier are named.',
      'Name one: --judge <account>, or --verifier hashlock, batch or an address.',
    )
  }
  if (judge !== undefined) return parseAddress(context, judge, '--judge')
  switch (verifier) {
    case 'hashlock':
      return (await connection.deployment()).hashlockVerifier
    case 'batch':
      return (await connection.deployment()).batchReceiptVerifier
    default:
      if (verifier !== undefined && /^0x/i.test(verifier)) return parseAddress(context, verifier, '--verifier')
      throw new UsageError(
        `--verifier: ${JSON.stringify(String(verifier).slice(0, 80))} is none.`,
        'Name hashlock, batch, or the address of a verifier contract.',
      )
  }
}

function mintWarnings(
  judgment: Judgment,
  acceptanceProfile: string | undefined,
  maxCompletions: bigint,
  sender: Address,
): string[] {
  const warnings: string[] = []
  if (judgment.kind === 'unknown-verifier')
    warnings.push('This verifier is of unknown kind: nothing here knows what it checks.')
  if (judgment.kind === 'person' && judgment.address === sender) {
    warnings.push('You judge work that you ask for yourself; a careful fulfiller may stay away.')
  }
  if (judgment.kind === 'hashlock' && maxCompletions !== 1n) {
    warnings.push('Settling shows the answer to everyone: with more than one completion others can copy it.')
  }
  const expected = isKnownVerifier(judgment) ? PROFILES[judgment.kind] : undefined
  if (expected !== undefined && acceptanceProfile !== undefined && acceptanceProfile !== expected) {
    warnings.push(
      `The package says that it is judged by ${plain(acceptanceProfile)}, but this verifier is ${expected}.`,
    )
  }
  return warnings
}
