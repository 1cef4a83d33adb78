import type { attestedValuationAbi, erc4626ValuationAbi } from '@oikos/core/abi'
import type { RevertTable } from './revert-table.ts'

/** Why the valuation of an ERC-4626 position refuses a call. */
export const vaultValuationReverts: RevertTable<typeof erc4626ValuationAbi> = {
  PriceOutsideCorridor: ({ price, checkpoint, allowance }, say) => ({
    sentence: `A share of the vault is worth ${say.amount(price)} and was worth ${say.amount(checkpoint)}; it may have moved by ${say.amount(allowance)} by now.`,
    advice: 'Wait until the corridor is wide enough, or have the Owner list a new valuation.',
    retryable: true,
  }),
  ZeroPrice: () => ({
    sentence: 'A share of the vault is worth nothing, so its price cannot be followed.',
    advice: 'Check the vault; it may be empty.',
  }),
}

/** Why an attested valuation refuses a call. */
export const attestedValuationReverts: RevertTable<typeof attestedValuationAbi> = {
  SameParty: ({ party }, say) => ({
    sentence: `${say.address(party)} would attest alone: proposer, accepter and Agent must be three.`,
    advice: 'Name different accounts.',
  }),
  PartyIsExecutor: ({ party }, say) => ({
    sentence: `${say.address(party)} is an Executor of the Agent, and an Executor never supplies a number.`,
    advice: 'Attest from an account that does not act for the Agent.',
  }),
  NotParty: ({ caller, expected }, say) => ({
    sentence: `Only ${say.address(expected)} may do this; the caller is ${say.address(caller)}.`,
    advice: 'Send it from that account.',
  }),
  NoProposal: ({ value, evidenceHash }, say) => ({
    sentence: `${say.amount(value)} with the evidence ${evidenceHash} is not what is proposed.`,
    advice: 'Read the proposal again, and accept exactly that.',
  }),
  ZeroEvidence: () => ({
    sentence: 'The digest of the evidence is zero.',
    advice: 'Pass the digest of the documents that the value rests on.',
  }),
  ValueOutsideCorridor: ({ got, current, allowance }, say) => ({
    sentence: `The value would be ${say.amount(got)} and is ${say.amount(current)}; it may have moved by ${say.amount(allowance)} by now.`,
    advice: 'Have the Owner of the Agent confirm it, or wait until the corridor is wide enough.',
    retryable: true,
  }),
}
