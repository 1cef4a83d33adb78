import { inFile } from './mutant.ts'

/** Faults in the stock verifiers. */
export const verifierMutants = [
  ...inFile('verify/StockVerifier.sol', [
    ['if (msg.sender != authority) revert NotPublisher(msg.sender, authority);', '', 'only the publisher commits'],
    [
      'if (pending != 0) revert DeliveriesPending(taskContract, tokenId, pending);',
      '',
      'the slot is not handed over under a delivery',
    ],
    ['if (pending != 0) revert', 'if (pending > 1) revert', 'the slot is not handed over under one delivery'],
    [
      'if (msg.sender != taskContract) revert NotTaskContract(msg.sender, taskContract);',
      '',
      'only the task contract consumes',
    ],
    ['if (isConsumed[taskContract][tokenId][resultHash]) return false;', '', 'a delivery settles once'],
    ['isConsumed[taskContract][tokenId][resultHash] = true;', '', 'a settled delivery is recorded'],
    ['fulfiller, resultHash, proof)) return false;', 'fulfiller, resultHash, proof)) {}', 'a wrong proof is refused'],
    ['interfaceId == type(ITaskVerifier).interfaceId || super', 'super', 'a verifier declares itself'],
  ]),
  ...inFile('verify/HashlockVerifier.sol', [
    ['if (answerHash == 0) revert EmptyCommitment();', '', 'an answer is committed, not nothing'],
    [
      'if (answerHashOf[taskContract][tokenId] != 0) revert AlreadyCommitted(taskContract, tokenId);',
      '',
      'an answer is committed once',
    ],
    // no fault: dropping `answerHash != 0`, since nobody knows a proof whose SHA-256 is zero
    ['sha256(proof) == answerHash && ', '', 'the proof is the answer'],
    [' && sha256(abi.encodePacked(proof, fulfiller)) == resultHash', '', 'a copied proof settles no copied delivery'],
    ['emit AnswerCommitted(taskContract, tokenId, answerHash);', '', 'AnswerCommitted is emitted'],
  ]),
  ...inFile('verify/BatchReceiptVerifier.sol', [
    ['if (root == 0) revert EmptyCommitment();', '', 'a root is committed, not nothing'],
    ['if (minAge == 0) revert ZeroMinAge();', '', 'a delivery has a least age'],
    [
      'if (batchOf[taskContract][tokenId].root != 0) revert AlreadyCommitted(taskContract, tokenId);',
      '',
      'a root is committed once',
    ],
    ['if (block.timestamp < submittedAt + batch.minAge) return false;', '', 'a young delivery waits'],
    [
      'if (block.timestamp < submittedAt + batch.minAge)',
      'if (block.timestamp <= submittedAt + batch.minAge)',
      'a delivery settles at its least age',
    ],
    ['if (branch.length > MAX_BRANCH) return false;', '', 'a branch has a greatest length'],
    ['if (branch.length > MAX_BRANCH)', 'if (branch.length >= MAX_BRANCH)', 'the longest branch is good'],
    [
      'if (sha256(abi.encodePacked(receipt, fulfiller)) != resultHash) return false;',
      '',
      'a receipt is for its fulfiller',
    ],
    ['== batch.root;', '!= 0;', 'a receipt is in the batch'],
    [
      'return a < b ? sha256(abi.encodePacked(a, b)) : sha256(abi.encodePacked(b, a));',
      'return sha256(abi.encodePacked(a, b));',
      'pairs are sorted',
    ],
    ['emit BatchRootCommitted(taskContract, tokenId, root, minAge);', '', 'BatchRootCommitted is emitted'],
  ]),
]
