import { inFile } from './mutant.ts'

/** Faults in the order of checks, the guards, the clock and the events of a tender. */
export const tenderMutants = inFile('task/TaskTender.sol', [
  // funding
  ['external payable exclusive(tokenId)', 'external payable', 'fundTask takes the lock'],
  ['if (amount == 0) revert ZeroAmount();\n        uint256 expected', 'uint256 expected', 'fundTask refuses zero'],
  ['terms.asset == address(0) ? amount : 0;', 'terms.asset == address(0) ? msg.value : 0;', 'value equals amount'],
  ['if (msg.value != expected)', 'if (msg.value < expected)', 'no value too much, none for a token tender'],
  [
    'if (t.cancelled) revert TenderIsCancelled(tokenId);\n        if (t.refunding)',
    'if (t.refunding)',
    'no funding after cancellation',
  ],
  ['if (t.refunding) revert RefundsStarted(tokenId);', '', 'no funding after the first refund'],
  [
    'if (t.pending == 0 && _isPast(terms.settleBy))',
    'if (_isPast(terms.settleBy))',
    'funding for a pending default after settleBy',
  ],
  [
    'if (t.pending == 0 && _isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);',
    '',
    'no funding after settleBy',
  ],
  ['t.contributed += amount;', 't.contributed += amount - 1;', 'every unit of a funding is attributed'],
  [
    't.contributions[msg.sender] += amount;',
    't.contributions[msg.sender] = amount;',
    'contributions of one funder add up',
  ],
  ['if (received != amount)', 'if (received < amount)', 'a deposit is not more than it says'],
  ['if (received != amount)', 'if (received > amount)', 'a deposit is not less than it says'],
  ['Math.saturatingSub(balance, before);', 'amount;', 'a deposit is measured by the balance'],
  [
    'abi.encodeCall(IERC20.transferFrom, (msg.sender, vault, amount))',
    'abi.encodeCall(IERC20.transferFrom, (msg.sender, vault, amount + 1))',
    'exactly the amount is fetched',
  ],
  [
    'emit TenderFunded(tokenId, msg.sender, amount, balance);',
    'emit TenderFunded(tokenId, msg.sender, amount, amount);',
    'TenderFunded tells the balance',
  ],
  // delivery
  [
    '_requireUnlocked(tokenId);\n        Tender storage t = _tender(tokenId);\n        TenderTerms memory terms',
    'Tender storage t = _tender(tokenId);\n        TenderTerms memory terms',
    'no delivery from inside a payout',
  ],
  ['if (resultHash == 0) revert ZeroResultHash();', '', 'no delivery of nothing'],
  [
    'if (t.cancelled) revert TenderIsCancelled(tokenId);\n        uint256 pending',
    'uint256 pending',
    'no delivery after cancellation',
  ],
  [
    't.completions + pending >= terms.maxCompletions',
    't.completions + pending > terms.maxCompletions',
    'a bound is not passed by one',
  ],
  [
    't.completions + pending >= terms.maxCompletions',
    't.completions >= terms.maxCompletions',
    'pending deliveries hold slots',
  ],
  ['t.completions + pending >= terms.maxCompletions', 'pending >= terms.maxCompletions', 'completions use up slots'],
  ['if (terms.maxCompletions != 0 && t.completions', 'if (t.completions', 'zero is no bound'],
  ['if (_isPast(terms.submitBy)) revert SubmissionsClosed(tokenId, terms.submitBy);', '', 'no delivery after submitBy'],
  [
    'revert SubmissionsClosed(tokenId, terms.submitBy);\n        if (_isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);',
    'revert SubmissionsClosed(tokenId, terms.submitBy);',
    'no delivery after settleBy',
  ],
  [
    'available / terms.rewardPerCompletion <= pending',
    'available / terms.rewardPerCompletion < pending',
    'a delivery reserves its reward',
  ],
  [
    'available / terms.rewardPerCompletion <= pending',
    'available < terms.rewardPerCompletion',
    'pending deliveries keep their rewards',
  ],
  [
    'uint256 required = Math.saturatingMul(pending + 1,',
    'uint256 required = Math.saturatingMul(pending,',
    'EscrowTooLow tells what is required',
  ],
  ['submissionId = ++t.submissions;', 'submissionId = t.submissions++;', 'submissions count from 1'],
  ['t.pending += 1;\n        uint40 version', 'uint40 version', 'a delivery is pending'],
  ['fulfiller: msg.sender,', 'fulfiller: tx.origin,', 'whoever delivers is paid'],
  [
    'submittedAt: uint40(block.timestamp),',
    'submittedAt: uint40(block.timestamp + 1),',
    'the clock starts with the delivery',
  ],
  ['taskVersion: version,', 'taskVersion: 1,', 'a delivery cites the current version'],
  [
    'machineSettled: _isVerifier(t.acceptanceAuthority),',
    'machineSettled: false,',
    'the mode is recorded with the delivery',
  ],
  // rulings
  [
    'function acceptFulfillment(uint256 tokenId, uint256 submissionId) external exclusive(tokenId)',
    'function acceptFulfillment(uint256 tokenId, uint256 submissionId) external',
    'acceptFulfillment takes the lock',
  ],
  [
    '_pendingDelivery(t, tokenId, submissionId);\n        _settle(t,',
    '_settle(t,',
    'a decided delivery is not accepted again',
  ],
  [
    'external\n        exclusive(tokenId)\n    {\n        Tender storage t = _tender(tokenId);\n        address verifier',
    'external\n    {\n        Tender storage t = _tender(tokenId);\n        address verifier',
    'settleFulfillment takes the lock',
  ],
  ['if (!_isVerifier(verifier)) revert SlotHoldsNoVerifier(tokenId, verifier);', '', 'a wallet is no verifier'],
  [
    'Delivery storage d = _pendingDelivery(t, tokenId, submissionId);\n        if (!_isProven',
    'Delivery storage d = _delivery(t, tokenId, submissionId);\n        if (!_isProven',
    'a decided delivery is not settled again',
  ],
  [
    'return success && size >= 32 && word == 1;',
    'return size >= 32 && word == 1;',
    'a verifier that reverts has not accepted',
  ],
  // no fault: dropping `size >= 32` here, since the last byte of a shorter reply is zero and the word cannot be 1
  [
    'return success && size >= 32 && word == 1;',
    'return success && size >= 32 && word != 0;',
    'only exactly one is an acceptance',
  ],
  [
    '(address(this), tokenId, submissionId, d.fulfiller, d.resultHash, proof)',
    '(address(this), tokenId, submissionId, msg.sender, d.resultHash, proof)',
    'a proof is for the fulfiller of record',
  ],
  [
    '(address(this), tokenId, submissionId, d.fulfiller, d.resultHash, proof)',
    '(address(this), submissionId, tokenId, d.fulfiller, d.resultHash, proof)',
    'a verifier is told the token and the submission',
  ],
  [
    'function rejectFulfillment(uint256 tokenId, uint256 submissionId) external {\n        _requireUnlocked(tokenId);',
    'function rejectFulfillment(uint256 tokenId, uint256 submissionId) external {',
    'no rejection from inside a proof',
  ],
  [
    'Tender storage t = _judged(tokenId);\n        Delivery storage d = _pendingDelivery',
    'Tender storage t = _tender(tokenId);\n        Delivery storage d = _pendingDelivery',
    'only the judge rejects',
  ],
  [
    'if (block.timestamp > deadline) revert JudgmentWindowClosed',
    'if (block.timestamp >= deadline) revert JudgmentWindowClosed',
    'the last second still belongs to the judge',
  ],
  [
    'if (block.timestamp > deadline) revert JudgmentWindowClosed',
    'if (block.timestamp > deadline + 1) revert JudgmentWindowClosed',
    'refusal ends with the window',
  ],
  [
    '_reject(t, d);\n        emit FulfillmentRejected(tokenId, submissionId);\n    }\n\n    // --- the clock',
    '_reject(t, d);\n    }\n\n    // --- the clock',
    'FulfillmentRejected is emitted',
  ],
  // the clock
  [
    'function claimUnjudged(uint256 tokenId, uint256 submissionId) external exclusive(tokenId)',
    'function claimUnjudged(uint256 tokenId, uint256 submissionId) external',
    'claimUnjudged takes the lock',
  ],
  [
    '_settleDefault(t, tokenId, submissionId, terms);\n    }\n\n    /// @notice The way out',
    '_settle(t, tokenId, submissionId, terms);\n    }\n\n    /// @notice The way out',
    'a default ignores settleBy',
  ],
  [
    'emit FulfillmentClaimedUnjudged(tokenId, submissionId, fulfiller, uint64(deadline));\n        _settleDefault',
    '_settleDefault',
    'a default can be told from a ruling',
  ],
  [
    'emit FulfillmentClaimedUnjudged(tokenId, submissionId, fulfiller, uint64(deadline));\n        _settleDefault(t, tokenId, submissionId, terms);',
    '_settleDefault(t, tokenId, submissionId, terms);\n        emit FulfillmentClaimedUnjudged(tokenId, submissionId, fulfiller, uint64(deadline));',
    'FulfillmentClaimedUnjudged comes before FulfillmentAccepted',
  ],
  [
    'function claimShortfall(uint256 tokenId, uint256 submissionId) external exclusive(tokenId)',
    'function claimShortfall(uint256 tokenId, uint256 submissionId) external',
    'claimShortfall takes the lock',
  ],
  [
    'if (msg.sender != fulfiller && block.timestamp <= deadline',
    'if (block.timestamp <= deadline',
    'the fulfiller may take a shortfall from the deadline on',
  ],
  [
    'block.timestamp <= deadline + terms.judgmentWindow',
    'block.timestamp < deadline + terms.judgmentWindow',
    'a stranger waits for the whole second window',
  ],
  [
    'block.timestamp <= deadline + terms.judgmentWindow',
    'block.timestamp <= deadline',
    'a stranger cannot cut a reward short at once',
  ],
  [
    '_countEpoch(t, tokenId, terms);\n        uint256 available = _available(t, terms.asset);\n        if (available >= terms',
    'uint256 available = _available(t, terms.asset);\n        if (available >= terms',
    'a shortfall counts in its epoch',
  ],
  [
    'if (available >= terms.rewardPerCompletion) {',
    'if (available > terms.rewardPerCompletion) {',
    'a full reward is not taken as a shortfall',
  ],
  [
    '_accept(t, tokenId, submissionId, terms, available, available);',
    '_accept(t, tokenId, submissionId, terms, available, 0);',
    'a shortfall pays what is there',
  ],
  [
    'function releaseExpired(uint256 tokenId, uint256 submissionId) external {\n        _requireUnlocked(tokenId);',
    'function releaseExpired(uint256 tokenId, uint256 submissionId) external {',
    'no release from inside a proof',
  ],
  ['if (!d.machineSettled) revert JudgedSubmission(tokenId, submissionId);', '', 'a judged delivery is not released'],
  [
    'if (!d.machineSettled) revert JudgedSubmission(tokenId, submissionId);',
    'if (!_isVerifier(t.acceptanceAuthority)) revert JudgedSubmission(tokenId, submissionId);',
    'the deadline follows the delivery, not the slot',
  ],
  [
    '_deadline(t, d);\n        if (block.timestamp <= deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);\n        _reject',
    '_deadline(t, d);\n        if (block.timestamp < deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);\n        _reject',
    'a machine delivery has its whole window',
  ],
  [
    'emit SubmissionReleased(tokenId, submissionId, uint64(deadline));\n        emit FulfillmentRejected(tokenId, submissionId);',
    'emit FulfillmentRejected(tokenId, submissionId);\n        emit SubmissionReleased(tokenId, submissionId, uint64(deadline));',
    'SubmissionReleased comes before FulfillmentRejected',
  ],
  // roles
  [
    'function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external {\n        _requireUnlocked(tokenId);',
    'function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external {',
    'the slot is not passed on from inside a proof',
  ],
  [
    'if (msg.sender != authority) revert NotAcceptanceAuthority(tokenId, msg.sender, authority);\n        if (newAuthority',
    'if (newAuthority',
    'only the judge passes the slot on',
  ],
  ['if (newAuthority == address(0)) revert ZeroAuthority();', '', 'the slot is never empty'],
  [
    'emit AcceptanceAuthorityChanged(tokenId, authority, newAuthority);',
    'emit AcceptanceAuthorityChanged(tokenId, newAuthority, authority);',
    'AcceptanceAuthorityChanged tells who was before',
  ],
])
