import { inFile, type Mutant } from './mutant.ts'

const settlement = inFile('agent/AgentSettlement.sol', [
  ['if (requester == msg.sender) return (Outcome.OwnRequest, 0);', '', 'nobody settles their own request'],
  [
    'if (block.timestamp < p.requestedAt + round.minRequestAgeSec)',
    'if (block.timestamp <= p.requestedAt + round.minRequestAgeSec)',
    'a request of exactly the least age is settled',
  ],
  [
    'if (round.balance < round.reserved) revert',
    'if (round.balance == 0) revert',
    'vanished deposits become no shares',
  ],
  ['if (b.halted) revert SettlementHalted();', '', 'a halt lasts until it is confirmed'],
  ['if (b.paused) revert AgentPaused();', '', 'a pause stops settlement'],
  ['if (stale != address(0)) revert ValuationStale(stale);', '', 'a stale valuation stops settlement'],
  [
    'if (unreadable != address(0)) revert ValuationUnreadable(unreadable);',
    '',
    'an unreadable valuation stops settlement',
  ],
  ['if (down == 0) revert RateIsZero();', '', 'no shares are sold at a rate of zero'],
  [
    'round.up = down * denominator == numerator ? down : down + 1;',
    'round.up = down;',
    'a mint pays the rate rounded up',
  ],
  [
    'down < COARSE_RATE ? (numerator, numerator, denominator) : (down, round.up, 1);',
    '(down, round.up, 1);',
    'a coarse rate is settled at the exact quotient',
  ],
  ['round.supply + round.unclaimed);', 'round.supply);', 'settled unclaimed shares count in the price'],
  ['_books.halted = true;', '', 'leaving the corridor halts settlement'],
  ['if (rate == anchor.rate) return true;', '', 'an unchanged rate keeps its anchor'],
  ['        if (guarded) {', '        if (!guarded) {', 'the corridor holds where it is set'],
  ['fee = Math.ceilDiv(assets * round.feeBps, BPS);', 'fee = assets * round.feeBps / BPS;', 'a mint fee is rounded up'],
  ['shares == 0 || Math', 'Math', 'a deposit that its fee eats up is not settled'],
  ['* BPS < net * ONE * (BPS - 1)', '* BPS < net * ONE * (BPS - 100)', 'a too coarse deposit is not settled'],
  [
    'if (p.limited && Math.ceilDiv(assets * ONE, shares) > _limits[MINT][requester])',
    'if (p.limited && Math.ceilDiv(net * ONE, shares) > _limits[MINT][requester])',
    "a buyer's limit includes the fee",
  ],
  [
    'if (p.limited && tokens * ONE / shares < _limits[REDEEM][requester])',
    'if (p.limited && gross * ONE / shares < _limits[REDEEM][requester])',
    "a seller's limit includes the fee",
  ],
  ['round.reserved -= net;', 'round.reserved -= assets;', 'a mint fee stays reserved'],
  ['round.reserved += gross;', 'round.reserved += tokens;', 'a redemption fee is reserved'],
  ['if (gross > round.balance - round.reserved)', 'if (gross > round.balance)', 'only free money pays a redemption'],
  ['round.burned += shares;', 'round.burned = shares;', 'a batch burns every escrow'],
  ['p.claimable += amount;', 'p.claimable = amount;', 'settlements add up until they are claimed'],
  ['p.consumed += consumed;', 'p.consumed = consumed;', 'a claim reports what all its settlements consumed'],
  ['p.epoch = _epoch();', '', 'a claim reports its last epoch'],
  [
    'else if (outcome != Outcome.LimitBreached) revert Unsettled(requester, outcome);',
    'else if (outcome != Outcome.LimitBreached) amount = 0;',
    'a refused settlement reverts',
  ],
])

const dispatch = inFile('agent/AgentDispatch.sol', [
  ['target == address(this) || ', '', 'the Agent is never a target'],
  ['target == address(SCOPE) || ', '', 'the Scope is never a target'],
  ['target == FACTORY || ', '', 'the factory is never a target'],
  ['value > address(this).balance || ', '', 'no more native is promised than held'],
  ['|| allowed > free', '', 'an allowance stays outside the reserve'],
  ['return (tokenOut > free, tokenOut);', 'return (false, tokenOut);', 'a transfer of the reserve is out of scope'],
  ['|| bytes4(data) != IERC20.transfer.selector', '', 'the Accept Token is a target for transfer only'],
  ['data.length != TRANSFER_BYTES', 'data.length < TRANSFER_BYTES', 'a transfer has exactly two arguments'],
  [
    'if (data.length < 4 || target.code.length == 0) return (true, 0);',
    'if (data.length < 4) return (true, 0);',
    'an address without code takes plain payments only',
  ],
  ['return (target == token || allowed != 0, 0);', 'return (target == token, 0);', 'no allowance for a plain payment'],
  ['        _setAllowance(target, 0);\n', '', 'no allowance survives a call'],
  ['if (size > MAX_RETURN_BYTES) revert ReturnTooLarge(size, MAX_RETURN_BYTES);', '', 'a reply is bounded'],
  ['if (answer != Verdict.Allowed) revert', 'if (answer == Verdict.NoRule) revert', 'every verdict but one refuses'],
  ['        _takeSnapshot(balance);\n', '', 'a target sees the rate before the call'],
  ['if (_books.paused) return false;', '', 'nothing is in scope during a pause'],
])

const requests = inFile('agent/AgentRequests.sol', [
  [
    'if (received != amount) revert DepositMismatch(received, amount);',
    '',
    'what arrives decides at the first deposit',
  ],
  ['due = block.timestamp >= dueAt;', 'due = block.timestamp > dueAt;', 'the horizon ends on its second'],
  [
    'p.requestedAt = uint40(block.timestamp);',
    'if (p.requestedAt == 0) p.requestedAt = uint40(block.timestamp);',
    'the horizon counts from the most recent request',
  ],
  ['p.limited = p.limited || limited;', 'p.limited = limited;', 'a limit stays when more is requested'],
  [
    '_storeSupply(supply + shares, unclaimed - shares);',
    '_storeSupply(supply + shares, unclaimed);',
    'claimed shares leave the unclaimed',
  ],
  ['_books.reserved -= uint160(tokens);', '', 'a paid claim leaves the reserve'],
  ['_feesOwed = 0;', '', 'fees are paid once'],
  [
    'if (gasleft() < CLAIM_GAS_REQUIRED) revert InsufficientGas(gasleft(), CLAIM_GAS_REQUIRED);',
    '',
    "the caller's gas decides nobody's claim",
  ],
  ['if (msg.sender != address(this)) revert AgentLocked();', '', 'one payment of a batch is the Agent only'],
])

const books = inFile('agent/AgentBooks.sol', [
  ['if (_lock != FREE) revert RateUnavailable();', '', 'no rate in the middle of a transfer'],
  ['readable && assets <= type(uint160).max && freshWord <= 1', 'readable', 'an absurd value is unreadable'],
  [
    'if (gasleft() < VALUATION_GAS_REQUIRED) revert InsufficientGas(gasleft(), VALUATION_GAS_REQUIRED);',
    '',
    'gas makes no valuation unreadable',
  ],
  ['initialRate * VIRTUAL_SHARES, supply + VIRTUAL_SHARES', '0, supply + 1', 'virtual shares stand against inflation'],
])

const scope = [
  ...inFile('agent/scope/Scope.sol', [
    ['if (!rule.enabled) return Verdict.NoRule;', '', 'the default is deny'],
    ['block.timestamp >= expiresAt', 'block.timestamp > expiresAt', 'a rule ends on its second'],
    ['if (value > rule.maxValue)', 'if (value >= rule.maxValue)', 'a cap on value allows the cap'],
    ['amount > limit - level', 'amount >= limit - level', 'a bucket can be emptied'],
    ['if (left != type(uint256).max) bucket.lifetimeLeft = left - charges[i].amount;', '', 'a lifetime is used up'],
    ['if (rule.counted) count = _add(charges, count, key, 1);', '', 'calls are counted'],
    ['(asset != token || tokenOut == 0)', '(asset != token || tokenOut != 0)', 'the Accept Token is charged once'],
  ]),
  ...inFile('agent/scope/ScopeGovernance.sol', [
    ['if (block.timestamp < ready) revert NotReady(agent, changeId, ready);', '', 'loosening waits'],
    [
      'if (block.timestamp > ready + GRACE_SEC) revert Lapsed(agent, changeId, ready + GRACE_SEC);',
      '',
      'an old proposal lapses',
    ],
    ['if (limit > bucket.limit) revert NotTighter(limit, bucket.limit);', '', 'a guardian raises no cap'],
    ['delete _proposals[agent][changeId];\n        _install', '_install', 'a proposal is applied once'],
  ]),
  ...inFile('agent/scope/ScopeState.sol', [
    ['bucket.used = _level(bucket);', 'bucket.used = 0;', 'a changed cap keeps what was used'],
    ['if (elapsed >= period) elapsed = period;', 'if (elapsed >= period) elapsed = 0;', 'an idle bucket refills'],
  ]),
  ...inFile('agent/scope/ScopeConditions.sol', [
    ['count > MAX_ELEMENTS', 'count > 2 * MAX_ELEMENTS', 'an array in a condition is bounded'],
    ['word == uint160(agent)', 'uint160(word) == uint160(agent)', 'dirty bits equal nothing'],
  ]),
]

const rest = [
  ...inFile('agent/ShareToken.sol', [
    ['to == address(0) || to == address(this)', 'to == address(0)', 'shares are not sent to the Agent'],
    ['_nonces[account]++', '_nonces[account]', 'a permit counts once'],
  ]),
  ...inFile('agent/Corridor.sol', [
    ['/ DIVISOR + 1;', '/ DIVISOR;', 'the corridor has no integer trap'],
    ['Math.min(elapsedSec, MAX_ELAPSED_SEC)', 'elapsedSec', 'idle time buys no unbounded move'],
  ]),
  ...inFile('agent/Agent.sol', [
    ['if (mintFeeBps > _books.mintFeeBps)', 'if (mintFeeBps > MAX_FEE_BPS)', 'a fee never rises'],
    ['if (_books.guarded && _guardian == address(0)) revert RateNeedsConfirmer();', '', 'a corridor keeps a confirmer'],
    ['if (owner() == address(0)) revert OwnerIsGone();', '', 'nobody pauses what nobody can unpause'],
    ['if (rate < minRate || rate > maxRate)', 'if (rate < minRate)', 'a rate is confirmed within bounds'],
    ['if (msg.sender != FACTORY) revert NotFactory(msg.sender, FACTORY);', '', 'an Agent is born once'],
  ]),
  ...inFile('agent/valuation/AttestedValuation.sol', [
    ['newValue != proposedValue', 'false', 'exactly the proposal is accepted'],
    [
      'if (IAgent(AGENT).isExecutor(msg.sender)) revert PartyIsExecutor(msg.sender);',
      '',
      'the Executor supplies no number',
    ],
  ]),
  ...inFile('agent/valuation/Erc4626Valuation.sol', [
    ['_isInside(VAULT.previewRedeem(UNIT))', 'true', 'a moved vault stops settlement'],
    ['if (current != price) _checkpoint(current);', '_checkpoint(current);', 'poking eats no time'],
  ]),
]

/**
 * Every fault that the tests of the Agent have to notice. Left out, because no call can tell it from the original: that
 * `_return` clears the limit (a position without anything pending has no place for one, so the word is never read again).
 */
export const agentMutants: readonly Mutant[] = [...settlement, ...dispatch, ...requests, ...books, ...scope, ...rest]
