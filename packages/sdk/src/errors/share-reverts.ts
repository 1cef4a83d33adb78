import type { agentAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'

type ShareError = Extract<keyof RevertTable<typeof agentAbi>, `ERC20${string}` | `ERC2612${string}` | `ECDSA${string}`>

/**
 * Why the shares of an Agent, or another token that the call moves, refuse. Many tokens use these errors, so the amounts
 * stay in smallest units. Source: ERC-6093, ERC-2612.
 */
export const shareReverts: Pick<RevertTable<typeof agentAbi>, ShareError> = {
  ERC20InsufficientBalance: ({ sender, balance, needed }, say) => ({
    sentence: `${say.address(sender)} holds ${balance} smallest units of the token; ${needed} are needed.`,
    advice: 'Lower the amount, or send it from an account that holds enough.',
  }),
  ERC20InsufficientAllowance: ({ spender, allowance, needed }, say) => ({
    sentence: `${say.address(spender)} may take ${allowance} smallest units of the token; ${needed} are needed.`,
    advice: 'Approve the amount first.',
  }),
  ERC20InvalidReceiver: ({ receiver }, say) => ({
    sentence: `${say.address(receiver)} cannot receive the token.`,
    advice: 'Name another account; to redeem shares of an Agent, request it instead of sending them there.',
  }),
  ERC20InvalidSender: ({ sender }, say) => ({
    sentence: `${say.address(sender)} cannot send the token.`,
    advice: 'Send it from an account other than zero.',
  }),
  ERC20InvalidSpender: ({ spender }, say) => ({
    sentence: `${say.address(spender)} cannot be a spender.`,
    advice: 'Name an address other than zero.',
  }),
  ERC20InvalidApprover: ({ approver }, say) => ({
    sentence: `${say.address(approver)} cannot approve others.`,
    advice: 'Send it from an account other than zero.',
  }),
  ERC2612ExpiredSignature: ({ deadline }, say) => ({
    sentence: `The permit was good until ${say.time(deadline)}.`,
    advice: 'Have its holder sign a new one.',
  }),
  ERC2612InvalidSigner: ({ signer, owner }, say) => ({
    sentence: `The permit was signed by ${say.address(signer)}, not by its holder ${say.address(owner)}, or for another nonce.`,
    advice: 'Have the holder sign a new one; each is good once.',
  }),
  ECDSAInvalidSignature: () => ({
    sentence: 'The signature is none.',
    advice: 'Have the holder sign a new permit.',
  }),
  ECDSAInvalidSignatureLength: ({ length }) => ({
    sentence: `The signature has ${length} bytes; 65 are expected.`,
    advice: 'Pass the whole signature.',
  }),
  ECDSAInvalidSignatureS: () => ({
    sentence: 'The signature is not in the one form that is accepted.',
    advice: 'Sign with a wallet that gives the lower of the two possible values.',
  }),
}
