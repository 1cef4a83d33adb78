import { agentAbi } from '@oikos/core/abi'
import { type RequestKind, simulateClaimSharesBatch, simulateClaimTokensBatch } from '@oikos/sdk'
import { type Address, encodeFunctionData, keccak256, stringToHex } from 'viem'
import type { Intent } from '../act/intent.ts'
import { keepDecline } from '../decide.ts'
import type { Pass } from '../pass.ts'
import type { OpenRequester } from './requests.ts'

/** Hands out what settlements owe. It needs no permission and no record, and can pay nobody but who is owed. */
export async function* crankClaims(
  pass: Pass,
  requesters: readonly OpenRequester[],
): AsyncGenerator<Intent, void, void> {
  for (const kind of ['mint', 'redeem'] as const) {
    const owed = requesters
      .map(({ user, mint, redeem }) => ({ user, claimableAtomic: (kind === 'mint' ? mint : redeem).claimableAtomic }))
      .filter(({ claimableAtomic }) => claimableAtomic > 0n)
      .slice(0, pass.context.settings.maxBatch)
    const payable = await findPayable(pass, kind, owed)
    if (payable.length === 0) continue
    const count = payable.length === 1 ? 'one account' : `${payable.length} accounts`
    const name = keccak256(stringToHex(payable.join())).slice(2, 10)
    const functionName = kind === 'mint' ? 'mintBatch' : 'redeemBatch'
    yield {
      kind: kind === 'mint' ? 'claim-shares' : 'claim-tokens',
      subject: `${count} ${name}`,
      title: `Hand out ${kind === 'mint' ? 'shares' : 'payouts'} to ${count}.`,
      spendAtomic: 0n,
      call: {
        form: 'plain',
        to: pass.context.agent,
        data: encodeFunctionData({ abi: agentAbi, functionName, args: [payable] }),
      },
    }
  }
}

type Owed = { readonly user: Address; readonly claimableAtomic: bigint }

/** Those whom the token lets be paid: one whom it refuses stays owed, and would be tried for ever. */
async function findPayable(pass: Pass, kind: RequestKind, owed: readonly Owed[]): Promise<readonly Address[]> {
  if (owed.length === 0) return []
  const { client, agent, account } = pass.context
  const simulate = kind === 'mint' ? simulateClaimSharesBatch : simulateClaimTokensBatch
  const paid = async (members: readonly Owed[]): Promise<boolean> => {
    const users = members.map(({ user }) => user)
    const { result } = await simulate(client, { agent, users, account: account.address })
    return result >= members.reduce((total, { claimableAtomic }) => total + claimableAtomic, 0n)
  }
  if (await paid(owed)) return owed.map(({ user }) => user)
  const payable: Address[] = []
  for (const member of owed) {
    if (await paid([member])) payable.push(member.user)
    else {
      const subject = `claim of ${member.user}`
      await keepDecline(pass.context, pass.fence, {
        ...{ id: `claim ${kind} ${member.user}`, kind: 'claim', subject, code: 'claim-refused' },
        reason: 'The token refuses to pay this account, which stays owed.',
      })
    }
  }
  return payable
}
