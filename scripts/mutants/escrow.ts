import { inFile } from './mutant.ts'

/** Faults in whose the money is, and in the pushes and pulls. */
export const escrowMutants = inFile('task/TaskEscrow.sol', [
  ['PUSH_GAS = 200_000', 'PUSH_GAS = 60_000', 'a recipient can record its payment'],
  ['PUSH_GAS = 200_000', 'PUSH_GAS = 5_000_000', 'a recipient cannot burn a block'],
  [
    'PUSH_GAS_REQUIRED = 320_000',
    'PUSH_GAS_REQUIRED = 0',
    'the sender’s gas does not decide whether a recipient is paid',
  ],
  ['PUSH_GAS_REQUIRED = 320_000', 'PUSH_GAS_REQUIRED = 150_000', 'a recipient really gets the gas of a push'],
  [
    'return t.hasAdjustments ? Math.saturatingSub(balance, t.credited) : balance;',
    'return balance;',
    'credits are not available',
  ],
  [
    'Math.saturatingSub(balance, t.credited)',
    'balance - t.credited',
    'a vault below its credits has nothing available',
  ],
  [
    'uint256 spared = t.hasAdjustments ? t.spared : 0;',
    'uint256 spared = 0;',
    'gifts that were spent spare contributions',
  ],
  [
    'attributed = t.contributed + spared - uint256(t.completions) * reward;',
    'attributed = t.contributed + spared;',
    'rewards spend contributions',
  ],
  [
    '        unchecked {\n            attributed =',
    '        {\n            attributed =',
    'attribution is exact where products overflow',
  ],
  [
    'if (t.refunding) return Math.mulDiv(t.pool, t.outstanding, t.contributed);',
    '',
    'the pool is fixed once refunds run',
  ],
  ['return Math.mulDiv(t.pool, t.outstanding, t.contributed);', 'return t.pool;', 'the pool shrinks with every refund'],
  [
    'return Math.mulDiv(t.pool, t.outstanding, t.contributed);',
    'return t.pool * t.outstanding / t.contributed;',
    'shares do not overflow',
  ],
  [
    'return Math.min(_attributed(t, reward), available);',
    'return _attributed(t, reward);',
    'the pool is what a shrunken vault holds',
  ],
  ['Math.min(payment, Math.saturatingSub(available, attributed))', '0', 'gifts are spent first'],
  ['Math.min(payment, Math.saturatingSub(available, attributed))', 'payment', 'contributions are spent after gifts'],
  [
    'Math.saturatingSub(available, attributed)',
    'available - attributed',
    'a shortfall is settled although contributions are missing',
  ],
  [
    'terms.rewardPerCompletion - (payment - fromGifts);',
    'fromGifts;',
    'a reward that is cut short spares contributions',
  ],
  ['            t.hasAdjustments = true;\n            unchecked', '            unchecked', 'spent gifts are looked at'],
  ['t.spared += spared;', 't.spared = spared;', 'spent gifts add up'],
  ['        t.pending -= 1;\n        t.completions', '        t.completions', 'an accepted delivery is not pending'],
  ['t.completions += 1;', '', 'an accepted delivery is a completion'],
  ['d.status = SubmissionStatus.Accepted;', '', 'an acceptance is recorded'],
  [
    'emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);',
    'emit FulfillmentAccepted(tokenId, submissionId, fulfiller, terms.rewardPerCompletion);',
    'FulfillmentAccepted tells what was paid',
  ],
  [
    '        emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);\n\n        _push(t, tokenId, submissionId, terms.asset, fulfiller, payment);',
    '        _push(t, tokenId, submissionId, terms.asset, fulfiller, payment);\n        emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);',
    'FulfillmentAccepted comes before PayoutCredited',
  ],
  [
    '        Delivery storage d = t.deliveries[submissionId];\n        d.status = SubmissionStatus.Accepted;\n        address fulfiller = d.fulfiller;\n        emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);\n\n        _push(t, tokenId, submissionId, terms.asset, fulfiller, payment);',
    '        Delivery storage d = t.deliveries[submissionId];\n        address fulfiller = d.fulfiller;\n        emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);\n        _push(t, tokenId, submissionId, terms.asset, fulfiller, payment);\n        d.status = SubmissionStatus.Accepted;',
    'the state changes before money moves',
  ],
  [
    'if (terms.epochLength == 0) return;',
    'if (terms.epochLength != 0) return;',
    'epochs are counted where there are any',
  ],
  [
    'if (count >= terms.maxCompletionsPerEpoch)',
    'if (count > terms.maxCompletionsPerEpoch)',
    'an epoch is not passed by one',
  ],
  [
    't.completionsInEpoch[epoch] = count + 1;',
    't.completionsInEpoch[epoch] = count;',
    'completions count in their epoch',
  ],
  ['block.timestamp / terms.epochLength', '(block.timestamp + 1) / terms.epochLength', 'epochs are absolute'],
  [
    'if (asset != address(0) || to.code.length != 0)',
    'if (asset != address(0))',
    'a contract that receives native currency gets its gas',
  ],
  ['if (asset != address(0) || to.code.length != 0)', 'if (to.code.length != 0)', 'a token gets its gas'],
  [
    '_release(t.vault, asset, to, amount, PUSH_GAS);',
    '_release(t.vault, asset, to, amount, gasleft());',
    'a push has a limit',
  ],
  ['if (moved < amount) {', 'if (moved == 0) {', 'what a token moved in part is owed for the rest'],
  ['uint256 owed = amount - moved;', 'uint256 owed = amount;', 'what was paid is not owed again'],
  ['            t.hasAdjustments = true;\n            t.credited', '            t.credited', 'credits are looked at'],
  ['t.credited += owed;', '', 'credits are set aside'],
  ['t.credits[to] += owed;', 't.credits[to] = owed;', 'credits of one account add up'],
  ['emit PayoutCredited(tokenId, submissionId, to, owed);', '', 'PayoutCredited is emitted'],
  [
    '_release(t.vault, asset, to, amount, gasleft());',
    '_release(t.vault, asset, to, amount, PUSH_GAS);',
    'a pull has no limit',
  ],
  ['if (moved != amount) revert PayoutFailed(tokenId, to, moved, amount);', '', 'a pull that fails is undone'],
  ['if (success) return word;', 'return word;', 'a vault that reverts has moved nothing'],
  [
    'if (bytes4(bytes32(word)) != TaskVault.MovedTooMuch.selector) revert UnreadableBalance(asset);',
    '',
    'a balance that cannot be read credits nobody',
  ],
])

/** Faults in the account that holds the money, in its terms and in its code. */
export const vaultMutants = [
  ...inFile('task/TaskVault.sol', [
    ['if (msg.sender != KERNEL) revert NotKernel(msg.sender, KERNEL);', '', 'only the task contract moves money'],
    [
      '_sendNative(to, amount, gasLimit) ? amount : 0;',
      '_sendNative(to, amount, gasLimit) ? amount : amount;',
      'a refused native payment has not moved',
    ],
    ['moved = before > left ? before - left : 0;', 'moved = amount;', 'a token transfer is measured'],
    [
      'moved = before > left ? before - left : 0;',
      'moved = before - left;',
      'a recipient that gives more back is no failure',
    ],
    ['if (moved > amount) revert MovedTooMuch(asset, moved, amount);', '', 'a token takes no more than was sent'],
    ['if (moved > amount) revert', 'if (moved >= amount) revert', 'a token may take what was sent'],
    [
      'call(gasLimit, to, amount, 0x00, 0x00, 0x00, 0x00)',
      'call(gas(), to, amount, 0x00, 0x00, 0x00, 0x00)',
      'a native push has a limit',
    ],
    ['BoundedCall.call(asset, gasLimit,', 'BoundedCall.call(asset, gasleft(),', 'a token push has a limit'],
  ]),
  ...inFile('task/VaultClone.sol', [
    ['hex"36600557005b365f5f37', 'hex"36600557fe5b365f5f37', 'a plain transfer into a vault succeeds'],
    ['5f3d91603057fd5bf3"', '5f3d91603057005bf3"', 'a refusal inside a vault is a refusal'],
    [
      'terms.submitBy = uint64(tail >> 128);',
      'terms.submitBy = uint64(tail >> 64);',
      'submitBy is read where it was written',
    ],
    [
      'terms.judgmentWindow = uint64(rest);',
      'terms.judgmentWindow = uint64(rest >> 64);',
      'judgmentWindow is read where it was written',
    ],
    [
      'terms.maxCompletionsPerEpoch = uint64(rest >> 64);',
      'terms.maxCompletionsPerEpoch = uint64(rest);',
      'maxCompletionsPerEpoch is read where it was written',
    ],
    [
      'terms.epochLength = uint64(tail);',
      'terms.epochLength = uint64(tail >> 64);',
      'epochLength is read where it was written',
    ],
  ]),
]
