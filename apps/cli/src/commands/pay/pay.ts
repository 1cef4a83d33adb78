import { parseIntent, utf8 } from '@oikos/core/economic'
import { intentOfQuote, quoteResource } from '@oikos/runtime/x402'
import type { CommandSpec } from '../../command.ts'
import type { Context } from '../../context.ts'
import { parseNativeAmount } from '../../economic/amount.ts'
import { readDocument } from '../../economic/document-file.ts'
import { paymentFacts } from '../../economic/payment-text.ts'
import { attempt, isRefused, type Refusal, refusalLines } from '../../economic/refusal.ts'
import { UsageError } from '../../errors.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { factLines } from '../../output/layout.ts'
import { RAIL_OPTION, railOption } from '../wallet/folder.ts'
import { APPROVAL_OPTIONS, decidersOf } from './approval.ts'
import { readyToSign } from './custody.ts'
import { assertOutFree } from './delivery.ts'
import { isKept, type KeptPayment, keepPayment, readKept } from './kept-payment.ts'
import { PAYMENT_OPTIONS } from './options.ts'
import { runPayment } from './run-payment.ts'
import { admitPayment, httpOf } from './session.ts'

/** `oikos pay`: one payment under a policy, at most once. */
export const pay: CommandSpec = {
  name: 'pay',
  summary: 'pay what an intent proposes, or an x402 resource, under a policy and at most once',
  details:
    'Nothing is paid that the policy does not admit, an approver does not approve, or custody does not allow. This program never approves: a person at the terminal does, a rule, or an approver that is served elsewhere. Run again, it looks what became of the payment and pays nothing.',
  options: [
    { flags: '--policy <file>', text: 'policy that it must keep (required)' },
    { flags: '--intent <file>', text: 'the payment intent; or --x402' },
    { flags: '--x402 <url>', text: 'https address of a resource that is sold over x402' },
    { flags: '--wallet <wallet>', text: 'with --x402: wallet that pays' },
    { flags: '--max-fee <amount>', text: 'with --x402: the most that the transfer may cost' },
    {
      flags: '--max-amount <amount>',
      text: 'with --x402: the most that it may cost (default: what the policy admits)',
    },
    { flags: '--key <key>', text: 'with --x402: idempotency key (default: a random one)' },
    { flags: '--method <method>', text: 'with --x402: GET (default) or POST' },
    { flags: '--memo <text>', text: 'with --x402: what it is for; the approver sees it' },
    RAIL_OPTION,
    ...APPROVAL_OPTIONS,
    ...PAYMENT_OPTIONS,
  ],
  examples: [
    'oikos pay --policy policy.json --intent intent.json',
    'oikos pay --policy policy.json --x402 https://market.example.org/data --wallet buyer --max-fee "0.001 ETH"',
    'oikos pay --policy policy.json --intent intent.json --approve-rule rule.json --json',
  ],
  endsInOrder: true,
  run: async (context, input) => {
    const { terminal, output } = context
    const policyPath = input.text('policy')
    if (policyPath === undefined)
      throw new UsageError('A payment is made under a policy, and none is named.', 'Add --policy <file>.')
    await assertOutFree(context, input)
    const policy = textOf(await readDocument(terminal.cwd, policyPath), policyPath)
    const proposal = await proposalOf(context, input)
    if ('refusal' in proposal) return refuse(context, proposal.refusal)
    const admitted = admitPayment({ policy, intent: proposal.intent })
    if (isRefused(admitted)) return refuse(context, admitted.refusal)
    const { idempotency_key: key, wallet_id: walletId } = admitted.intent.document
    for (const line of factLines(paymentFacts(admitted), output.paintError)) output.say(line)
    const deciders = await decidersOf(context, input)
    const passphrase = await readyToSign(context, input, { walletId, rail: admitted.settlement.rail })
    const kept = await keepPayment(context, key, { policy, ...proposal })
    const authority = { mode: 'pay' as const, deciders, passphraseOf: async () => passphrase }
    return runPayment(context, input, kept, admitted, authority)
  },
}

type Proposal = Pick<KeptPayment, 'intent' | 'quote'>

async function proposalOf(context: Context, input: Input): Promise<Proposal | { readonly refusal: Refusal }> {
  const [intentPath, address] = [input.text('intent'), input.text('x402')]
  if ((intentPath === undefined) === (address === undefined))
    throw new UsageError(
      'A payment is what an intent proposes, or an x402 resource.',
      'Give either --intent or --x402.',
    )
  if (address !== undefined) return quoted(context, input, address)
  const path = intentPath ?? ''
  const bytes = await readDocument(context.terminal.cwd, path)
  const parsed = attempt('intent', () => parseIntent(bytes))
  if (isRefused(parsed)) return parsed
  if (parsed.document.payment.kind !== 'x402') return { intent: parsed.text, quote: undefined }
  const { idempotency_key: key } = parsed.document
  const kept = (await isKept(context, key)) ? await readKept(context, key) : undefined
  if (kept?.intent === parsed.text) return { intent: kept.intent, quote: kept.quote }
  throw new UsageError('An x402 payment begins with the offer of the server.', 'Use --x402 <url>.')
}

/** Asks the server for its offer, which makes the intent. */
async function quoted(context: Context, input: Input, address: string): Promise<Proposal> {
  const { terminal } = context
  const rail = railOption(input)
  const [walletId, maxFee] = [input.text('wallet'), input.text('max-fee')]
  if (walletId === undefined || maxFee === undefined)
    throw new UsageError('An x402 payment needs a wallet and a limit for its fee.', 'Add --wallet and --max-fee.')
  const method = input.text('method') ?? 'GET'
  if (method !== 'GET' && method !== 'POST')
    throw new UsageError(`--method: ${JSON.stringify(method.slice(0, 40))} is not paid for.`, 'Write GET or POST.')
  const key = input.text('key') ?? `x402.${Buffer.from(terminal.entropy(16)).toString('hex')}`
  // A key that was used is never quoted anew: the offer of then is the one that may have been paid.
  if (await isKept(context, key))
    throw new UsageError(`A payment under the key ${key} was begun already.`, `See: pay reconcile ${key}`)
  if (!URL.canParse(address))
    throw new UsageError(`--x402: ${JSON.stringify(address.slice(0, 200))} is no URL.`, 'Write https://host/path.')
  const { origin } = new URL(address)
  const resource = address.slice(origin.length)
  const maxFeeAtomic = parseNativeAmount(maxFee, rail)
  const quote = await quoteResource(
    { origin, method, resource, rail, idempotencyKey: key, maxFeeAtomic },
    httpOf(context, input, origin),
  )
  const maxAmount = input.text('max-amount')
  if (maxAmount !== undefined && BigInt(quote.terms.amountAtomic) > parseNativeAmount(maxAmount, rail))
    throw new UsageError(
      `The server asks for ${quote.terms.amountAtomic} smallest units, more than --max-amount allows.`,
      'Nothing was begun. Raise the limit, or do without.',
    )
  const createdAtMs = BigInt(Date.now())
  const intent = intentOfQuote(quote, { walletId, createdAtMs, memo: input.text('memo') ?? null })
  return { intent: intent.text, quote }
}

/** What the policy, or the form of a document, refuses before anything is begun. */
function refuse({ output }: Context, refusal: Refusal): ExitCode {
  const { code, message, meaning } = refusal
  output.result(
    { ok: false, exitCode: EXIT.refused, outcome: 'refused', code, message, meaning, findings: [refusal] },
    [
      output.paint('bad', 'REFUSED     nothing was begun and nothing was paid'),
      ...refusalLines([refusal], output.paint),
    ],
  )
  return EXIT.refused
}

function textOf(bytes: Uint8Array, path: string): string {
  const text = Buffer.from(bytes).toString('utf8')
  if (Buffer.from(utf8(text)).equals(Buffer.from(bytes))) return text
  throw new UsageError(`${path} is no UTF-8 text.`, 'See policy check.')
}
