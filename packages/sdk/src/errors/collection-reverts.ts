import type { taskTokenAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'

type CollectionError = Extract<keyof RevertTable<typeof taskTokenAbi>, `ERC721${string}`>

/** Why the ERC-721 part of a TaskToken refuses a call. Source: ERC-6093, ERC-721. */
export const collectionReverts: Pick<RevertTable<typeof taskTokenAbi>, CollectionError> = {
  ERC721NonexistentToken: ({ tokenId }) => ({
    sentence: `Task ${tokenId} does not exist in this task contract.`,
    advice: 'Check the number and the contract; tasks count from 1.',
  }),
  ERC721IncorrectOwner: ({ sender, tokenId, owner }, say) => ({
    sentence: `Task ${tokenId} belongs to ${say.address(owner)}, not to ${say.address(sender)}.`,
    advice: 'Transfer it from its owner.',
  }),
  ERC721InsufficientApproval: ({ operator, tokenId }, say) => ({
    sentence: `${say.address(operator)} may not move task ${tokenId}.`,
    advice: 'Send it from the owner, or have the owner approve this address.',
  }),
  ERC721InvalidApprover: ({ approver }, say) => ({
    sentence: `${say.address(approver)} may not approve others for this task.`,
    advice: 'Send it from the owner of the token or from one of its operators.',
  }),
  ERC721InvalidOperator: ({ operator }, say) => ({
    sentence: `${say.address(operator)} cannot be an operator.`,
    advice: 'Name an address other than zero.',
  }),
  ERC721InvalidOwner: ({ owner }, say) => ({
    sentence: `${say.address(owner)} cannot own a task.`,
    advice: 'Ask for an address other than zero.',
  }),
  ERC721InvalidReceiver: ({ receiver }, say) => ({
    sentence: `${say.address(receiver)} cannot receive a task.`,
    advice: 'Name an address other than zero; a contract must accept ERC-721 tokens to get one by a safe transfer.',
  }),
  ERC721InvalidSender: ({ sender }, say) => ({
    sentence: `${say.address(sender)} cannot send this task.`,
    advice: 'Mint under a token id that is not taken.',
  }),
}
