import { agentMutants } from './agent.ts'
import { companionMutants } from './companions.ts'
import type { Mutant } from './mutant.ts'
import { taskMutants } from './task.ts'

/** Contracts that are broken and tested together. A fault in one room is nothing that the tests of another could see. */
export type MutantRoom = {
  name: string
  mutants: readonly Mutant[]
  /** Paths below contracts that the copy does without: other rooms' tests, and what only measures gas and judges nothing. */
  without: readonly string[]
  /** Source below contracts/src by contract that the tests deploy from its artifact. */
  deployed: Readonly<Record<string, string>>
}

export const mutantRooms: readonly MutantRoom[] = [
  {
    name: 'task',
    mutants: taskMutants,
    without: [
      'src/agent',
      'test/agent',
      'test/gas',
      'test/invariant/agent',
      'test/invariant/companions',
      'test/judge',
      'test/mocks/agent',
      'test/mocks/companions',
      'test/settle',
      'test/verify/{AttestedTest,CompanionHandOver.t,MerkleSecretVerifier.t,SignedOutcomeVerifier.t,StreakVerifier.t,VerifierGas.t}.sol',
    ],
    deployed: {
      TaskToken: 'task/TaskToken.sol',
      TaskVault: 'task/TaskVault.sol',
      HashlockVerifier: 'verify/HashlockVerifier.sol',
      BatchReceiptVerifier: 'verify/BatchReceiptVerifier.sol',
    },
  },
  {
    name: 'agent',
    mutants: agentMutants,
    without: [
      'test/agent/Agent{Gas,Size}.t.sol',
      'test/gas',
      'test/invariant/companions',
      'test/judge',
      'test/mocks/companions',
      'test/settle',
      'test/task',
      'test/verify',
      'test/invariant/*.sol',
      'test/mocks/*.sol',
    ],
    // the factory's code holds the Agent and the Scope
    deployed: {
      AgentFactory: 'agent/AgentFactory.sol',
      AttestedValuation: 'agent/valuation/AttestedValuation.sol',
      Erc4626Valuation: 'agent/valuation/Erc4626Valuation.sol',
    },
  },
  {
    name: 'companions',
    mutants: companionMutants,
    without: [
      'src/agent',
      'test/agent',
      'test/gas',
      'test/invariant/agent',
      'test/invariant/*.sol',
      'test/mocks/agent',
      'test/{judge,settle,verify}/*Gas.t.sol',
      'test/task/*.t.sol',
      'test/verify/{BatchReceiptVerifier,HashlockVerifier}.t.sol',
    ],
    deployed: {
      SignedOutcomeVerifier: 'verify/SignedOutcomeVerifier.sol',
      StreakVerifier: 'verify/StreakVerifier.sol',
      MerkleSecretVerifier: 'verify/MerkleSecretVerifier.sol',
      JuryPanel: 'judge/JuryPanel.sol',
      Splitter: 'settle/Splitter.sol',
      FundingRouter: 'settle/FundingRouter.sol',
      BondedGate: 'settle/BondedGate.sol',
      TenderRoyalty: 'settle/TenderRoyalty.sol',
      LockedTaskAccount: 'settle/LockedTaskAccount.sol',
    },
  },
]
