import { inFile } from './mutant.ts'

/** Faults at the end of a tender, in its views and in the steps that its entry points share. */
export const endMutants = inFile('task/TaskTender.sol', [
  [
    'function cancelTask(uint256 tokenId) external {\n        _requireUnlocked(tokenId);',
    'function cancelTask(uint256 tokenId) external {',
    'no cancellation from inside a payout',
  ],
  [
    'Tender storage t = _published(tokenId);\n        if (t.cancelled)',
    'Tender storage t = _tender(tokenId);\n        if (t.cancelled)',
    'only the publisher cancels',
  ],
  [
    'if (t.cancelled) revert TenderIsCancelled(tokenId);\n        t.cancelled = true;',
    't.cancelled = true;',
    'a tender is cancelled once',
  ],
  [
    'function withdrawCredit(uint256 tokenId, address account) external exclusive(tokenId)',
    'function withdrawCredit(uint256 tokenId, address account) external',
    'withdrawCredit takes the lock',
  ],
  ['uint256 credit = t.credits[account];', 'uint256 credit = t.credited;', 'nobody withdraws the credit of another'],
  ['if (credit == 0) revert NothingCredited(tokenId, account);', '', 'no withdrawal of nothing'],
  [
    'uint256 amount = Math.min(credit, BoundedCall.balanceOf(asset, t.vault));',
    'uint256 amount = credit;',
    'a credit is paid as far as a shrunken vault goes',
  ],
  ['if (amount == 0) revert EscrowTooLow(tokenId, 0, credit);', '', 'an empty vault says so'],
  [
    't.credits[account] = credit - amount;',
    't.credits[account] = 0;',
    'what a shrunken vault could not pay stays owed',
  ],
  ['t.credits[account] = credit - amount;', '', 'a credit is withdrawn once'],
  ['t.credited -= amount;', '', 'a withdrawn credit is no longer owed'],
  [
    '_pull(t, tokenId, asset, account, amount);',
    '_pull(t, tokenId, asset, msg.sender, amount);',
    'a credit goes to its account',
  ],
  [
    'function reclaimEscrow(uint256 tokenId) external exclusive(tokenId)',
    'function reclaimEscrow(uint256 tokenId) external',
    'reclaimEscrow takes the lock',
  ],
  [
    'if (contribution == 0) revert NothingToReclaim(tokenId, msg.sender);\n        uint256 available',
    'uint256 available',
    'only funders are refunded',
  ],
  ['            t.refunding = true;\n', '', 'pool and denominator are fixed at the first refund'],
  ['outstanding = t.contributed;', 'outstanding = contribution;', 'outstanding starts with all contributions'],
  ['            t.pool = pool;\n', '', 'the pool is fixed at the first refund'],
  ['t.contributions[msg.sender] = 0;', '', 'a contribution is refunded once'],
  [
    't.outstanding = outstanding - contribution;',
    't.outstanding = outstanding;',
    'the pool is let go with the last funder',
  ],
  [
    'Math.min(Math.mulDiv(contribution, pool, t.contributed), available)',
    'Math.mulDiv(contribution, pool, t.contributed)',
    'a refund is cut to a shrunken vault',
  ],
  [
    'Math.min(Math.mulDiv(contribution, pool, t.contributed), available)',
    'Math.min(contribution, available)',
    'a refund is a share of what is left',
  ],
  [
    'emit EscrowReclaimed(tokenId, msg.sender, amount);',
    'emit EscrowReclaimed(tokenId, msg.sender, contribution);',
    'EscrowReclaimed tells what was paid',
  ],
  [
    'if (amount != 0) _pull(t, tokenId, terms.asset, msg.sender, amount);',
    '_pull(t, tokenId, terms.asset, msg.sender, amount);',
    'a refund of nothing calls nobody',
  ],
  [
    'function reclaimResidual(uint256 tokenId) external exclusive(tokenId)',
    'function reclaimResidual(uint256 tokenId) external',
    'reclaimResidual takes the lock',
  ],
  [
    'Tender storage t = _owned(tokenId);\n        TenderTerms memory terms = _requireOver',
    'Tender storage t = _tender(tokenId);\n        TenderTerms memory terms = _requireOver',
    'only the owner takes the residual',
  ],
  [
    'TenderTerms memory terms = _requireOver(t, tokenId);\n        uint256 available = _available(t, terms.asset);\n        uint256 amount = Math.saturatingSub',
    'TenderTerms memory terms = VaultClone.readTerms(t.vault);\n        uint256 available = _available(t, terms.asset);\n        uint256 amount = Math.saturatingSub',
    'no residual before the end',
  ],
  [
    'Math.saturatingSub(available, _owedToFunders(t, terms.rewardPerCompletion, available));',
    'available;',
    'the residual is not the funders’',
  ],
  [
    'if (amount == 0) revert NothingToReclaim(tokenId, msg.sender);\n        emit ResidualReclaimed',
    'emit ResidualReclaimed',
    'no empty residual',
  ],
  [
    'function reclaimForeign(uint256 tokenId, address foreign) external exclusive(tokenId)',
    'function reclaimForeign(uint256 tokenId, address foreign) external',
    'reclaimForeign takes the lock',
  ],
  [
    'if (foreign == asset) revert AssetOfTender(tokenId, foreign);\n        _requireOver',
    '_requireOver',
    'the asset is not foreign',
  ],
  [
    '        _requireOver(t, tokenId);\n        uint256 escrow',
    '        uint256 escrow',
    'nothing foreign is taken before the end',
  ],
  [
    'if (BoundedCall.balanceOf(asset, t.vault) < escrow) revert AssetOfTender(tokenId, foreign);',
    '',
    'a second address of the asset is found out',
  ],
  [
    'if (amount == 0) revert NothingToReclaim(tokenId, msg.sender);\n        emit ForeignReclaimed',
    'emit ForeignReclaimed',
    'no empty foreign balance',
  ],
  // views
  // no fault: a plain product in lockedEscrowOf, since a balance covered it when the last delivery was reserved
  [
    'funders = Math.min(_owedToFunders(t, terms.rewardPerCompletion, available), available);',
    'funders = _owedToFunders(t, terms.rewardPerCompletion, available);',
    'shares fit a shrunken vault',
  ],
  // shared steps
  [
    'if (_isVerifier(authority)) revert SlotHoldsVerifier(tokenId, authority);',
    '',
    'a verifier does not rule by itself',
  ],
  [
    'if (msg.sender != authority) revert NotAcceptanceAuthority(tokenId, msg.sender, authority);\n        if (_isVerifier',
    'if (_isVerifier',
    'only the judge rules',
  ],
  [
    'if (msg.sender != owner) revert NotTokenOwner(tokenId, msg.sender, owner);',
    '',
    'only the owner takes what is foreign or left',
  ],
  [
    'if (d.fulfiller == address(0)) revert NonexistentSubmission(tokenId, submissionId);',
    '',
    'a submission that does not exist says so',
  ],
  [
    'if (d.status != SubmissionStatus.Pending) revert SubmissionDecided(tokenId, submissionId);',
    '',
    'a decision is final',
  ],
  [
    'if (d.status != SubmissionStatus.Pending) revert',
    'if (d.status == SubmissionStatus.Accepted) revert',
    'a rejection is final',
  ],
  [
    'if (d.status != SubmissionStatus.Pending) revert',
    'if (d.status == SubmissionStatus.Rejected) revert',
    'an acceptance is final',
  ],
  [
    'if (window == 0) window = VaultClone',
    'if (window > 1) window = VaultClone',
    'a long window is read from the terms',
  ],
  [
    'if (d.machineSettled) revert MachineSettledSubmission(tokenId, submissionId);',
    '',
    'garbage is not paid for by waiting',
  ],
  [
    'if (d.machineSettled) revert MachineSettledSubmission',
    'if (_isVerifier(t.acceptanceAuthority)) revert MachineSettledSubmission',
    'a verifier in the slot does not take a default away',
  ],
  [
    'if (block.timestamp <= deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);\n        fulfiller',
    'if (block.timestamp < deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);\n        fulfiller',
    'no default in the last second of the window',
  ],
  ['d.status = SubmissionStatus.Rejected;\n', '', 'a rejection is recorded'],
  [
    'd.status = SubmissionStatus.Rejected;\n        t.pending -= 1;',
    'd.status = SubmissionStatus.Rejected;',
    'a rejection frees its slot and its reward',
  ],
  [
    'if (_isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);\n        _settleDefault',
    '_settleDefault',
    'no ruling after settleBy',
  ],
  [
    '_countEpoch(t, tokenId, terms);\n        uint256 available = _available(t, terms.asset);\n        uint256 reward',
    'uint256 available = _available(t, terms.asset);\n        uint256 reward',
    'settlements are paced',
  ],
  [
    'if (available < reward) revert EscrowTooLow',
    'if (available <= reward) revert EscrowTooLow',
    'the last reward is paid',
  ],
  ['if (available < reward) revert EscrowTooLow(tokenId, available, reward);', '', 'a full reward is paid in full'],
  ['if (!t.cancelled && !_isPast(terms.settleBy)) revert', 'if (!t.cancelled) revert', 'refunds open after settleBy'],
  [
    'if (!t.cancelled && !_isPast(terms.settleBy)) revert',
    'if (!_isPast(terms.settleBy)) revert',
    'refunds open after cancellation',
  ],
  [
    'if (t.pending != 0) revert DeliveriesPending(tokenId, t.pending);',
    '',
    'nothing is reclaimed while a delivery is pending',
  ],
  [
    'if (t.pending != 0) revert DeliveriesPending',
    'if (t.pending > 1) revert DeliveriesPending',
    'nothing is reclaimed while one delivery is pending',
  ],
  [
    'return limit != 0 && block.timestamp > limit;',
    'return limit != 0 && block.timestamp >= limit;',
    'the last second is inside a limit',
  ],
  ['return limit != 0 && block.timestamp > limit;', 'return block.timestamp > limit;', 'zero is no limit'],
])
