import { sha256 } from '@oikos/core'
import { encodePolicyDocument, KEEP_DELAY } from '@oikos/core/scope-policy'
import {
  type AgentDescription,
  type AgentPlan,
  type Asset,
  assertBorn,
  formatDecimal,
  initialRateOf,
  planAgent,
  simulateCreateFromBirth,
} from '@oikos/sdk'
import { type Address, isHash } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import type { Connection } from '../../chain/connect.ts'
import { findFactory } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS, STORE_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { parseAddress } from '../../input/address.ts'
import { findAsset, parseAssetAmount } from '../../input/asset.ts'
import { parseDuration } from '../../input/duration.ts'
import type { Input } from '../../input/input.ts'
import { parseWhole } from '../../input/number.ts'
import { bpsText, priceText } from '../../output/equity.ts'
import { plain } from '../../output/plain.ts'
import { type AddressBook, assetText, exactDuration } from '../../output/speech.ts'
import { performWrite, prepareSigner } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'
import { WRITE_AGENT } from './options.ts'
import { type PolicyFile, readPolicyFile } from './policy-file.ts'
import { publishBytes, publishMetadata } from './publish.ts'
import { policySentences } from './scope/boundary-text.ts'

/** Default of --horizon and of --scope-delay. */
const DEFAULT_HORIZON = '7 days'
const DEFAULT_SCOPE_DELAY = '2 days'

/** `oikos agent create`: an Agent is born. */
export const create: CommandSpec = {
  name: 'create',
  summary: 'create an Agent with its shares, fees, horizon, metadata, Executors and boundary',
  details:
    'Its address is known before and commits to all of this. Price, fees, horizon, name and symbol never change for the worse or not at all.',
  args: [
    ['<name>', 'of the Agent and its shares, up to 64 bytes'],
    ['<symbol>', 'of the shares, up to 16 bytes'],
  ],
  options: [
    { flags: '--price <amount>', text: 'of one share at birth, exact: "1.00 USDC"' },
    { flags: '--accept <token>', text: 'Accept Token: address or configured symbol, where the price does not say it' },
    { flags: '--fixed-price', text: 'that price for ever, instead of what the books say' },
    { flags: '--horizon <time>', text: `after a request, until it can be taken back (default "${DEFAULT_HORIZON}")` },
    { flags: '--owner <account>', text: 'sets boundary and Executors (default: the sender)' },
    { flags: '--guardian <account>', text: 'can only brake: pause, tighten, revoke, confirm a rate' },
    { flags: '--executor <account>', text: 'acts and settles; may be repeated', many: true },
    { flags: '--mint-fee <bps>', text: 'basis points of a deposit, at most 500; never rises' },
    { flags: '--redeem-fee <bps>', text: 'basis points of a payout, at most 500; never rises' },
    { flags: '--fee-recipient <account>', text: 'who gets the fees (default: the Owner)' },
    { flags: '--corridor <bps>', text: 'most that the rate of a settlement may move a day, in basis points' },
    { flags: '--min-age <time>', text: 'least age of a request when it is settled' },
    { flags: '--policy <file>', text: 'first boundary, in effect at once (default: no call is allowed)' },
    {
      flags: '--scope-delay <time>',
      text: `delay of later loosening (default: the policy's, else "${DEFAULT_SCOPE_DELAY}")`,
    },
    { flags: '--metadata <file>', text: 'description, image and more; completed from the options, stored, and named' },
    { flags: '--uri <uri>', text: 'instead of --metadata: where the metadata is' },
    { flags: '--salt <hash>', text: 'tells two Agents apart that are otherwise the same' },
    { flags: '--factory <address>', text: 'factory, instead of that of the deployments' },
    ...STORE_OPTIONS,
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: [
    'oikos agent create "Atlas Treasury" ATLAS --price "1.00 USDC" --executor operator --guardian safe --policy policy.json --metadata about.json',
    'oikos agent create "Fixed" FIX --price "0.25 USDC" --fixed-price --executor operator --dry-run',
  ],
  run: async (context, input) => {
    const connection = await context.connection()
    const factory = await findFactory(connection, input)
    const price = required(input, 'price', 'what a share costs', '--price "1.00 USDC"')
    const asset = await findAsset(context, connection, input.text('accept'), price)
    const initialPrice = formatDecimal(parseAssetAmount(context, price, asset), asset.decimals)
    const policy = input.text('policy')
    const file = policy === undefined ? undefined : await readPolicyFile(context, policy)
    const signer = await prepareSigner(context, input)
    const described = await readDescription(context, input, asset, initialPrice, file, signer.address)
    const agentURI = await readURI(context, input, connection, described, asset, file)
    const uri = agentURI === undefined ? {} : { agentURI }
    const plan = await planAgent(connection.client, { ...described, factory, ...uri })
    const book = await createAddressBook(context)
    const { birth, salt, agent } = plan
    const performed = await performWrite(context, input, connection, signer, {
      title: `Create the Agent ${plain(birth.name)} (${plain(birth.symbol)})`,
      contract: factory,
      asset,
      agent,
      functionName: 'create',
      effects: birthEffects(plan, file, book),
      warnings: birthWarnings(plan, file),
      simulate: (account) => simulateCreateFromBirth(connection.client, { factory, birth, salt, account, asset }),
      event: 'AgentCreated',
    })
    const { sent } = performed
    if (sent !== undefined) await assertBorn(connection.client, plan, agent, sent.blockNumber)
    return reportWrite(context, performed, {
      document: { agent, agentRef: `${connection.chainId}:${agent}`, factory, salt, birth, agentURI },
      facts: [
        ['agent', agent],
        ['agent reference', `${connection.chainId}:${agent}`],
        ['code and arguments', 'read back and as planned'],
      ],
      next: [`agent show ${agent}`, `agent request-mint ${agent} "<amount>"`],
    })
  },
}

async function readDescription(
  context: Context,
  input: Input,
  asset: Asset,
  initialPrice: string,
  file: PolicyFile | undefined,
  sender: Address,
): Promise<AgentDescription> {
  const account = async (option: string): Promise<Address | undefined> => {
    const text = input.text(option)
    return text === undefined ? undefined : parseAddress(context, text, `--${option}`)
  }
  const owner = (await account('owner')) ?? sender
  const guardian = await account('guardian')
  const executors = await Promise.all(input.list('executor').map((text) => parseAddress(context, text, '--executor')))
  const [mintFeeBps, redeemFeeBps] = [readBps(input, 'mint-fee', 500n), readBps(input, 'redeem-fee', 500n)]
  const hasFees = mintFeeBps !== undefined || redeemFeeBps !== undefined
  const recipient = await account('fee-recipient')
  if (recipient !== undefined && !hasFees) {
    throw new UsageError('There is a fee recipient and no fee.', 'Add --mint-fee or --redeem-fee.')
  }
  const fees = { mintFeeBps: mintFeeBps ?? 0, redeemFeeBps: redeemFeeBps ?? 0, recipient: recipient ?? owner }
  const salt = input.text('salt')
  if (salt !== undefined && !isHash(salt)) throw new UsageError('--salt is no hash.', 'Give 0x and 64 digits.')
  const minAge = input.text('min-age')
  return {
    ...{ acceptToken: asset.address, initialPrice, isFixedPrice: input.flag('fixed-price') },
    reclaimHorizonSec: seconds(input.text('horizon') ?? DEFAULT_HORIZON, '--horizon'),
    ...{ name: input.argument(0), symbol: input.argument(1), owner, executors },
    ...(guardian === undefined ? {} : { guardian }),
    ...(hasFees ? { fees } : {}),
    corridorBpsPerDay: readBps(input, 'corridor', 1_000_000n) ?? 0,
    minRequestAgeSec: minAge === undefined ? 0 : seconds(minAge, '--min-age'),
    ...(file === undefined ? {} : { scope: file.policy }),
    scopeDelaySec: readScopeDelay(input, file),
    ...(salt === undefined ? {} : { salt }),
  }
}

/** Reads basis points. Throws UsageError. */
function readBps(input: Input, option: string, max: bigint): number | undefined {
  const text = input.text(option)
  return text === undefined ? undefined : Number(parseWhole(text, `--${option}`, { min: 0n, max }))
}

function seconds(text: string, option: string): number {
  return Number(parseDuration(text, option))
}

function readScopeDelay(input: Input, file: PolicyFile | undefined): number {
  const text = input.text('scope-delay')
  if (text !== undefined) return seconds(text, '--scope-delay')
  const own = file?.policy.delaySec
  if (own === KEEP_DELAY) {
    throw new UsageError(
      'The policy keeps a delay that is not set yet.',
      'Give --scope-delay, or a delay in the policy.',
    )
  }
  return own ?? seconds(DEFAULT_SCOPE_DELAY, '--scope-delay')
}

/** The agentURI: what --uri says, or the document of --metadata, which is stored; with it the policy that it names. */
async function readURI(
  context: Context,
  input: Input,
  connection: Connection,
  described: AgentDescription,
  asset: Asset,
  file: PolicyFile | undefined,
): Promise<string | undefined> {
  const [uri, metadata] = [input.text('uri'), input.text('metadata')]
  if (uri !== undefined && metadata !== undefined) {
    throw new UsageError('Both --uri and --metadata are given.', 'Give one.')
  }
  if (metadata === undefined) return uri
  const policyBytes = file === undefined ? undefined : encodePolicyDocument(file.document)
  const policyCid = policyBytes === undefined ? undefined : await publishBytes(context, input, policyBytes)
  return publishMetadata(context, input, metadata, {
    name: described.name,
    reclaimHorizonSec: described.reclaimHorizonSec,
    oikos: {
      chainId: BigInt(connection.chainId),
      acceptToken: asset.address,
      initialRate: initialRateOf(described.initialPrice, asset),
      fixedPrice: described.isFixedPrice ?? false,
      ...(policyBytes === undefined
        ? {}
        : { scopePolicy: { sha256: sha256(policyBytes), uri: `ipfs://${policyCid}` } }),
    },
  })
}

function birthEffects({ birth, agent, asset }: AgentPlan, file: PolicyFile | undefined, book: AddressBook): string[] {
  const { constitution } = birth
  const list = (accounts: readonly Address[]): string =>
    accounts.length === 0 ? 'nobody' : accounts.map(book).join(', ')
  const hasGuardian = !/^0x0+$/.test(constitution.guardian)
  return [
    `It is born at ${agent}, whoever sends this.`,
    `A share costs ${priceText(birth.initialRate, asset).replace(' a share', '')} ${birth.fixedPrice ? 'for ever' : 'at birth; later its books decide'}, ${assetText(asset)}.`,
    `Owner ${book(constitution.owner)}; guardian ${hasGuardian ? book(constitution.guardian) : 'nobody'}; Executors ${list(constitution.executors)}.`,
    constitution.mintFeeBps + constitution.redeemFeeBps === 0
      ? 'There are no fees, and there never will be.'
      : `Fees: ${bpsText(constitution.mintFeeBps)} of a deposit, ${bpsText(constitution.redeemFeeBps)} of a payout, to ${book(constitution.feeRecipient)}; they never rise.`,
    `What is not settled can be taken back ${exactDuration(BigInt(birth.reclaimHorizonSec))} after the request.`,
    ...(constitution.corridorBpsPerDay === 0
      ? []
      : [
          `A rate that moves by more than ${bpsText(constitution.corridorBpsPerDay)} a day stops settlement until it is confirmed.`,
        ]),
    ...(constitution.minRequestAgeSec === 0
      ? []
      : [`A request is settled after ${exactDuration(BigInt(constitution.minRequestAgeSec))} at the earliest.`]),
    ...(file === undefined
      ? ['Executors can make no call.']
      : policySentences(birth.policy, documentNames(file, asset)).slice(0, -1)),
    `What the Owner loosens later waits ${exactDuration(BigInt(birth.policy.delaySec))}.`,
    constitution.agentURI === '' ? 'It has no metadata yet.' : `Its metadata are at ${plain(constitution.agentURI)}.`,
  ]
}

function documentNames({ document }: PolicyFile, asset: Asset) {
  const { symbol, decimals, address } = asset
  return {
    acceptToken: { symbol, decimals, address },
    contracts: (document.contracts ?? {}) as Readonly<Record<string, Address>>,
    sets: Object.fromEntries(Object.entries(document.sets ?? {}).map(([name, { id }]) => [name, BigInt(id)])),
    signatures: document.rules.map(({ call }) => call).filter((call) => call.includes('(')),
  }
}

function birthWarnings({ birth, asset }: AgentPlan, file: PolicyFile | undefined): readonly string[] {
  const { constitution, initialRate } = birth
  const { owner, executors, corridorBpsPerDay, guardian } = constitution
  return [
    ...asset.warnings.map((warning) => `The Accept Token ${asset.address} is not what it seems: ${warning}.`),
    ...(executors.length === 0 ? ['Without an Executor nobody can settle; the Owner can name one later.'] : []),
    ...(executors.includes(owner)
      ? ['The Owner is an Executor too: one key sets the boundary and acts inside it.']
      : []),
    ...(executors.includes(guardian) ? ['The guardian is an Executor too, and would have to brake itself.'] : []),
    ...(corridorBpsPerDay !== 0 && initialRate < 1_000_000n
      ? [
          'A unit of this rate is coarse against the corridor; a token with more decimals or a higher price suits one better.',
        ]
      : []),
    ...(file?.warnings ?? []).map(({ where, message }) => plain(`Policy, ${where}: ${message}`)),
  ]
}

function required(input: Input, option: string, what: string, example: string): string {
  const text = input.text(option)
  if (text !== undefined) return text
  throw new UsageError(`The command does not say ${what}.`, `Add ${example}.`)
}
