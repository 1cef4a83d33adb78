import {
  formatAmount,
  getAgentPosition,
  MAX_BATCH,
  simulateClaimShares,
  simulateClaimSharesBatch,
  simulateClaimTokens,
  simulateClaimTokensBatch,
} from '@oikos/sdk'
import type { Address } from 'viem'
import { createAddressBook } from '../../chain/address-book.ts'
import { type AgentView, openAgent } from '../../chain/open-agent.ts'
import { type CommandSpec, OUTPUT_OPTIONS } from '../../command.ts'
import type { Context } from '../../context.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import type { Input } from '../../input/input.ts'
import { sharesText } from '../../output/equity.ts'
import { countOf } from '../../output/speech.ts'
import { type Performed, prepareSigner } from '../../transaction/perform.ts'
import { writeDocument } from '../../transaction/report.ts'
import { AGENT, WRITE_AGENT } from './options.ts'
import { type AgentWrite, performAgentWrite, reportAgentWrite } from './write.ts'

/** `oikos agent claim`: fetch what settlements have made yours. */
export const claim: CommandSpec = {
  name: 'claim',
  summary: 'claim the shares and payouts that settlements owe you, or others; anyone may',
  details: 'What is claimed always goes to whom it is owed. Shares and payouts are two transactions.',
  args: [AGENT],
  options: [
    { flags: '--for <account>', text: 'who is owed (default: the sender); may be repeated', many: true },
    ...OUTPUT_OPTIONS,
    ...WRITE_AGENT,
  ],
  examples: ['oikos agent claim treasury', 'oikos agent claim treasury --for alice --for bob --yes'],
  run: async (context, input) => {
    const view = await openAgent(context, input, input.argument(0))
    const signer = await prepareSigner(context, input)
    const users = await readAccounts(context, input, signer.address)
    const owed = await readOwed(view, users)
    const writes = await claimWrites(context, view, owed)
    if (writes.length === 0) {
      context.output.result({ ok: true, sent: false, agentRef: view.ref, owed: [] }, ['Nothing is owed.'])
      context.output.next(`agent show ${view.named}`)
      return EXIT.done
    }
    const performed: Performed[] = []
    for (const write of writes) {
      performed.push(
        await performAgentWrite(context, input, view, signer, write, { confirmed: performed.some(({ sent }) => sent) }),
      )
    }
    const [first, second] = performed
    if (first === undefined) return EXIT.unexpected
    return reportAgentWrite(context, view, second ?? first, {
      document: second === undefined ? {} : { shares: writeDocument(first) },
      next: [`agent show ${view.named}`],
    })
  },
}

/** Accounts of --for, or the sender. Throws UsageError, NotFoundError. */
export async function readAccounts(context: Context, input: Input, sender?: Address): Promise<readonly Address[]> {
  const named = await Promise.all(input.list('for').map((text) => parseAddress(context, text, '--for')))
  const accounts = named.length === 0 && sender !== undefined ? [sender] : named
  if (new Set(accounts).size !== accounts.length) {
    throw new UsageError('An account is named twice.', 'Name each once.')
  }
  if (accounts.length > MAX_BATCH) {
    throw new UsageError(
      `${accounts.length} accounts are named; at most ${MAX_BATCH} fit into one call.`,
      'Split them.',
    )
  }
  return accounts
}

type Owed = { readonly user: Address; readonly sharesAtomic: bigint; readonly tokensAtomic: bigint }

async function readOwed({ agent, connection, snapshot }: AgentView, users: readonly Address[]): Promise<Owed[]> {
  const at = { agent, blockNumber: snapshot.blockNumber }
  return Promise.all(
    users.map(async (user) => {
      const [mint, redeem] = await Promise.all([
        getAgentPosition(connection.client, { ...at, user, kind: 'mint' }),
        getAgentPosition(connection.client, { ...at, user, kind: 'redeem' }),
      ])
      return { user, sharesAtomic: mint.claimableAtomic, tokensAtomic: redeem.claimableAtomic }
    }),
  )
}

async function claimWrites(context: Context, view: AgentView, owed: readonly Owed[]): Promise<AgentWrite[]> {
  const { agent, asset, connection } = view
  const { client } = connection
  const book = await createAddressBook(context)
  const ofShares = owed.filter(({ sharesAtomic }) => sharesAtomic > 0n)
  const ofTokens = owed.filter(({ tokensAtomic }) => tokensAtomic > 0n)
  const writes: AgentWrite[] = []
  const [oneShares, ...moreShares] = ofShares.map(({ user }) => user)
  if (oneShares !== undefined) {
    const users = [oneShares, ...moreShares]
    writes.push({
      title: `Claim shares of ${agent} for ${countOf(users.length, 'account')}`,
      functionName: moreShares.length === 0 ? 'mint' : 'mintBatch',
      effects: ofShares.map(({ user, sharesAtomic }) => `${sharesText(sharesAtomic)} are minted to ${book(user)}.`),
      simulate: (account) =>
        moreShares.length === 0
          ? simulateClaimShares(client, { agent, user: oneShares, account, asset })
          : simulateClaimSharesBatch(client, { agent, users, account, asset }),
      event: undefined,
    })
  }
  const [oneTokens, ...moreTokens] = ofTokens.map(({ user }) => user)
  if (oneTokens !== undefined) {
    const users = [oneTokens, ...moreTokens]
    writes.push({
      title: `Claim payouts of ${agent} for ${countOf(users.length, 'account')}`,
      functionName: moreTokens.length === 0 ? 'redeem' : 'redeemBatch',
      effects: [
        ...ofTokens.map(({ user, tokensAtomic }) => `${formatAmount(tokensAtomic, asset)} are paid to ${book(user)}.`),
        ...(moreTokens.length === 0 ? [] : ['Whom the token refuses to pay stays owed; the others are paid.']),
      ],
      simulate: (account) =>
        moreTokens.length === 0
          ? simulateClaimTokens(client, { agent, user: oneTokens, account, asset })
          : simulateClaimTokensBatch(client, { agent, users, account, asset }),
      event: undefined,
    })
  }
  return writes
}
