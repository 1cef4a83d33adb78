import { inFile } from './mutant.ts'

/** Faults in bonds and in the desks that deliver. */
export const bondMutants = [
  ...inFile('settle/BondedGate.sol', [
    ['if (rule.bond == 0) revert ZeroBond();', '', 'a bond is of something'],
    [
      'if (rule.rejectedBps > BPS) revert LossOutOfRange(rule.rejectedBps, BPS);',
      '',
      'a refusal takes no more than the bond',
    ],
    [
      'if (rule.expiredBps > BPS) revert LossOutOfRange(rule.expiredBps, BPS);',
      '',
      'an expiry takes no more than the bond',
    ],
    [
      'rule.rejectedBps != 0 || rule.expiredBps != 0',
      'rule.rejectedBps != 0',
      'what an expiry takes has a beneficiary',
    ],
    ['rule.rejectedBps != 0 || rule.expiredBps != 0', 'rule.expiredBps != 0', 'what a refusal takes has a beneficiary'],
    ['loses != named || (', '(', 'a beneficiary is named where something is lost'],
    ['rule.beneficiary == rule.judge || rule', 'rule', 'no judge is paid for refusing'],
    ['rule.judge || rule.beneficiary == address(this)', 'rule.judge', 'a gate is not its own beneficiary'],
    ['if (msg.sender != JUDGE) revert NotJudge(msg.sender, JUDGE);', '', 'rulings are the judge’s'],
    [
      'submissionId) external onlyJudge {\n        TASK.accept',
      'submissionId) external {\n        TASK.accept',
      'the judge alone accepts',
    ],
    [
      'submissionId) external onlyJudge {\n        TASK.reject',
      'submissionId) external {\n        TASK.reject',
      'the judge alone refuses',
    ],
    ['newAuthority) external onlyJudge', 'newAuthority) external', 'the judge alone passes the slot on'],
    ['        _collect(ASSET, BOND);\n', '', 'a delivery brings its bond'],
    ['delivererOf[tokenId][submissionId] = msg.sender;', '', 'a bond is held for its deliverer'],
    ['emit Bonded(tokenId, submissionId, msg.sender, desk);', '', 'Bonded is emitted'],
    [
      'if (deliverer == address(0)) revert NotBonded(tokenId, submissionId);',
      '',
      'a bond that is not held is not paid',
    ],
    [
      'if (s.status == ITaskTender.SubmissionStatus.Pending) revert DeliveryPending(tokenId, submissionId);',
      '',
      'a bond stays while its delivery is pending',
    ],
    ['delivererOf[tokenId][submissionId] = address(0);', '', 'a bond is settled once'],
    [
      'if (s.status == ITaskTender.SubmissionStatus.Rejected) {',
      'if (s.status != ITaskTender.SubmissionStatus.Rejected) {',
      'a refusal costs the bond, an acceptance does not',
    ],
    [
      '        if (s.status == ITaskTender.SubmissionStatus.Rejected) {\n',
      '        {\n',
      'an accepted delivery gets all of its bond back',
    ],
    ['s.machineSettled ? EXPIRED_BPS : REJECTED_BPS', 'REJECTED_BPS', 'who was slow loses what the rule says for that'],
    [
      's.machineSettled ? EXPIRED_BPS : REJECTED_BPS',
      'EXPIRED_BPS',
      'who was refused loses what the rule says for that',
    ],
    ['REJECTED_BPS, BPS);\n        }', 'REJECTED_BPS, BPS, Math.Rounding.Ceil);\n        }', 'a loss is rounded down'],
    [
      'lost = Math.mulDiv(BOND, s.machineSettled ? EXPIRED_BPS : REJECTED_BPS, BPS);',
      'lost = BOND * (s.machineSettled ? EXPIRED_BPS : REJECTED_BPS) / BPS;',
      'a part of any bond is computed',
    ],
    ['_owe(ASSET, BENEFICIARY, lost);', '_owe(ASSET, JUDGE, lost);', 'a lost bond is the beneficiary’s'],
    ['_owe(ASSET, deliverer, BOND - lost);', '_owe(ASSET, deliverer, BOND);', 'a bond is paid once'],
    [
      '_owe(ASSET, deliverer, BOND - lost);',
      '_owe(ASSET, msg.sender, BOND - lost);',
      'a bond returns to who put it up',
    ],
    ['        _tryWithdraw(ASSET, deliverer);\n', '', 'a bond is paid back at once'],
    ['emit BondSettled(tokenId, submissionId, deliverer, lost);', '', 'BondSettled is emitted'],
    [
      '_collectFrom(asset, deliverer, deliverer)',
      '_collectFrom(asset, deliverer, msg.sender)',
      'a desk’s money is its deliverer’s, whoever asks',
    ],
    [
      '_collectFrom(asset, msg.sender, to)',
      '_collectFrom(asset, to, to)',
      'the deliverer alone sends its money elsewhere',
    ],
    [
      'if (delivererOf[tokenId][submissionId] != address(0)) revert DeliveryIsBonded(tokenId, submissionId);',
      '',
      'a delivery with a bond is not evicted',
    ],
    ['        TASK.rejectFulfillment(tokenId, submissionId);\n        emit', '        emit', 'an eviction refuses'],
    ['emit Evicted(tokenId, submissionId);', '', 'Evicted is emitted'],
    ['if (authority == address(this)) authority = JUDGE;', '', 'the judge behind a gate is named'],
    [
      'if (authority == address(this)) authority = JUDGE;',
      'authority = JUDGE;',
      'who holds the slot is named where the gate does not',
    ],
    [
      'to == address(0) || to == address(this) || to == desk',
      'to == address(this) || to == desk',
      'no reward is sent to zero',
    ],
    [
      'to == address(0) || to == address(this) || to == desk',
      'to == address(0) || to == desk',
      'no reward is sent to the gate',
    ],
    [
      'to == address(0) || to == address(this) || to == desk',
      'to == address(0) || to == address(this)',
      'no reward is sent to the desk itself',
    ],
    ['if (amount == 0) revert NothingToCollect(asset, deliverer);', '', 'a collection of nothing says so'],
    ['emit Collected(asset, deliverer, to, amount);', '', 'Collected is emitted'],
    [
      'return bytes32(uint256(uint160(deliverer)));',
      'return bytes32(uint256(uint160(deliverer)) & 0);',
      'each deliverer has a desk of its own',
    ],
    [
      '        external\n        payable\n        nonReentrant\n',
      '        external\n        payable\n',
      'deliver is not reentered',
    ],
    [
      'submissionId) external nonReentrant returns (uint256 lost)',
      'submissionId) external returns (uint256 lost)',
      'settleBond is not reentered',
    ],
    [
      'address deliverer) external nonReentrant returns (uint256 amount)',
      'address deliverer) external returns (uint256 amount)',
      'collect is not reentered',
    ],
    [
      'address to) external nonReentrant returns (uint256 amount)',
      'address to) external returns (uint256 amount)',
      'collectTo is not reentered',
    ],
  ]),
  ...inFile('settle/DeliveryDesk.sol', [
    ['        _onlyGate();\n        return task', '        return task', 'a desk delivers for its gate alone'],
    ['        _onlyGate();\n        uint256 before', '        uint256 before', 'a desk pays for its gate alone'],
    ['return before > left ? before - left : 0;', 'return before;', 'what leaves a desk is measured'],
  ]),
]
