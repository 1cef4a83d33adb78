// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {Rules} from "./Rules.sol";
import {ScriptedJudge} from "./ScriptedJudge.sol";
import {ScriptedPerson} from "./ScriptedPerson.sol";
import {ScriptedToken} from "./ScriptedToken.sol";

/// @title Everybody round the market: one function for each thing that somebody can do
/// @notice Every call's outcome is compared with what `Rules` says, and every outcome is written into the ledger. A
///         difference is kept in `violation`, since a failed assertion in here would be taken for an ordinary revert.
///         A seed decides the rest; most draws pick what makes the call succeed.
abstract contract MarketHandler is Rules {
    enum Purpose {
        Ruling,
        Proof,
        Claim,
        Shortfall,
        Release
    }

    /// @dev More than any call needs that starts with nothing but a refusal in its way.
    uint256 private constant PLENTY = 4_000_000;

    string public violation;
    /// @notice Calls, and successful calls, by name of the entry point.
    mapping(string action => uint256) public calls;
    mapping(string action => uint256) public successes;
    /// @notice How often each refusal occurred, by selector.
    mapping(bytes4 => uint256) public refusals;
    /// @notice What became of payments.
    uint256 public paidAtOnce;
    uint256 public credited;
    uint256 public cutShort;
    uint256 public forwards;
    uint256 public starvedSuccesses;

    uint256 private _entropy;
    bool internal _generous; // nobody is given little gas
    uint256 private _focus; // the tender that most of a run is about

    constructor() {
        _open();
    }

    modifier drawn(uint256 seed) {
        vm.warp(_clock);
        _entropy = uint256(keccak256(abi.encode(seed)));
        if (_focus == 0) _focus = _tokenIds[_pick(TENDERS)];
        _;
    }

    // --- money in ---

    function fundTask(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address funder = _anyone();
        uint256 amount = _chance(20) ? 0 : _chance(4) ? 1 + _pick(REWARD) : (1 + _pick(4)) * REWARD;
        address asset = market.tenderTermsOf(tokenId).asset;
        uint256 value = asset == address(0) ? amount : 0;
        if (_chance(20)) value += 1;
        if (asset != address(0)) ScriptedToken(asset).mint(funder, amount + 1);
        bytes4 rule = _ruleFund(tokenId, funder, amount, value);
        bytes memory data = abi.encodeCall(ITaskTender.fundTask, (tokenId, amount));
        if (_attempt("fundTask", funder, value, data, rule)) ledger.fund(tokenId, funder, amount);
    }

    function give(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        uint256 amount = _chance(2) ? 1 + _pick(2 * REWARD) : (1 + _pick(2)) * REWARD;
        address asset = market.tenderTermsOf(tokenId).asset;
        address vault = market.vaultOf(tokenId);
        if (asset == address(0)) {
            vm.deal(address(this), amount);
            payable(vault).transfer(amount); // with the 2,300 gas of a Solidity transfer
        } else {
            ScriptedToken(asset).mint(vault, amount);
        }
        ledger.give(tokenId, amount);
    }

    /// @notice A hostile token takes from a vault.
    function shrink(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        if (isWellBehaved(tokenId)) tokenId = _tokenIds[6 + _pick(3)];
        uint256 balance = ledger.balanceOf(tokenId);
        uint256 amount = _chance(3) ? _pick(balance + 1) : balance;
        ScriptedToken(market.tenderTermsOf(tokenId).asset).shrink(market.vaultOf(tokenId), amount);
        ledger.shrink(tokenId, amount);
    }

    // --- deliveries ---

    function submitFulfillment(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address fulfiller = _chance(2) ? _anyone() : _people[4 + _pick(4)];
        bytes32 resultHash = _chance(20) ? bytes32(0) : keccak256(abi.encode(_entropy));
        bytes4 rule = _ruleSubmit(tokenId, resultHash);
        bytes memory data = abi.encodeCall(ITaskTender.submitFulfillment, (tokenId, resultHash, "ipfs://result"));
        if (!_attempt("submitFulfillment", fulfiller, 0, data, rule)) return;
        ledger.submit(
            tokenId,
            ITaskTender.Submission({
                fulfiller: fulfiller,
                resultHash: resultHash,
                taskVersion: market.taskOf(tokenId).version,
                submittedAt: uint64(_clock),
                machineSettled: _isVerifier(market.acceptanceAuthorityOf(tokenId)),
                status: ITaskTender.SubmissionStatus.Pending
            })
        );
    }

    function acceptFulfillment(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Ruling);
        address caller = _chance(6) ? _anyone() : market.acceptanceAuthorityOf(tokenId);
        bytes4 rule = _ruleAccept(tokenId, id, caller);
        _attemptPayment(
            "acceptFulfillment", tokenId, id, caller, abi.encodeCall(ITaskTender.acceptFulfillment, (tokenId, id)), rule
        );
    }

    function settleFulfillment(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Proof);
        bytes memory proof = _chance(5) ? bytes("wrong") : abi.encode(keccak256("right"));
        bytes4 rule = _ruleSettle(tokenId, id, proof);
        bytes memory data = abi.encodeCall(ITaskTender.settleFulfillment, (tokenId, id, proof));
        _attemptPayment("settleFulfillment", tokenId, id, _anyone(), data, rule);
    }

    function rejectFulfillment(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Ruling);
        address caller = _chance(6) ? _anyone() : market.acceptanceAuthorityOf(tokenId);
        bytes4 rule = _ruleReject(tokenId, id, caller);
        bytes memory data = abi.encodeCall(ITaskTender.rejectFulfillment, (tokenId, id));
        if (_attempt("rejectFulfillment", caller, 0, data, rule)) ledger.reject(tokenId, id);
    }

    function claimUnjudged(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Claim);
        bytes4 rule = _ruleClaim(tokenId, id);
        bytes memory data = abi.encodeCall(ITaskTender.claimUnjudged, (tokenId, id));
        _attemptPayment("claimUnjudged", tokenId, id, _anyone(), data, rule);
    }

    function claimShortfall(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Shortfall);
        bool real = id != 0 && id <= ledger.submissionCountOf(tokenId);
        address caller = real && _chance(2) ? ledger.submissionOf(tokenId, id).fulfiller : _anyone();
        bytes4 rule = _ruleShortfall(tokenId, id, caller);
        bytes memory data = abi.encodeCall(market.claimShortfall, (tokenId, id));
        _attemptPayment("claimShortfall", tokenId, id, caller, data, rule);
    }

    function releaseExpired(uint256 seed) external drawn(seed) {
        (uint256 tokenId, uint256 id) = _submissionFor(Purpose.Release);
        bytes4 rule = _ruleRelease(tokenId, id);
        bytes memory data = abi.encodeCall(ITaskTender.releaseExpired, (tokenId, id));
        if (_attempt("releaseExpired", _anyone(), 0, data, rule)) ledger.reject(tokenId, id);
    }

    // --- money out ---

    function withdrawCredit(uint256 seed) external drawn(seed) {
        (uint256 tokenId, address account) = _someoneWith(true);
        if (_chance(2)) _comeToReason(tokenId, account);
        _aim(account, tokenId);
        bytes4 rule = _ruleWithdraw(tokenId, account);
        uint256 credit = ledger.creditOf(tokenId, account);
        uint256 balance = ledger.balanceOf(tokenId);
        uint256 amount = credit < balance ? credit : balance;
        uint256 forwardedBefore = _forwardedBy(account);
        bytes memory data = abi.encodeCall(ITaskTender.withdrawCredit, (tokenId, account));
        if (!_attempt("withdrawCredit", _anyone(), 0, data, rule)) return;
        ledger.withdraw(tokenId, account, amount);
        _noteForward(tokenId, account, amount, forwardedBefore);
    }

    function reclaimEscrow(uint256 seed) external drawn(seed) {
        (uint256 tokenId, address funder) = _someoneWith(false);
        _aim(funder, tokenId);
        bytes4 rule = _ruleReclaim(tokenId, funder);
        uint256 share = ledger.shareOf(tokenId, funder);
        uint256 forwardedBefore = _forwardedBy(funder);
        if (!_attempt("reclaimEscrow", funder, 0, abi.encodeCall(ITaskTender.reclaimEscrow, (tokenId)), rule)) return;
        ledger.refund(tokenId, funder);
        _noteForward(tokenId, funder, share, forwardedBefore);
    }

    function reclaimResidual(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address caller = _chance(6) ? _anyone() : market.ownerOf(tokenId);
        _aim(caller, tokenId);
        (,, uint256 residual) = market.escrowSharesOf(tokenId);
        bytes4 rule = _ruleResidual(tokenId, caller, residual);
        uint256 forwardedBefore = _forwardedBy(caller);
        bytes memory data = abi.encodeCall(ITaskTender.reclaimResidual, (tokenId));
        if (!_attempt("reclaimResidual", caller, 0, data, rule)) return;
        ledger.takeResidual(tokenId, residual);
        _noteForward(tokenId, caller, residual, forwardedBefore);
    }

    /// @notice Another token is in the vault, or native currency in the vault of a tender that pays in tokens.
    function reclaimForeign(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address caller = _chance(6) ? _anyone() : market.ownerOf(tokenId);
        address asset = market.tenderTermsOf(tokenId).asset;
        address vault = market.vaultOf(tokenId);
        address foreign = _chance(5) ? asset : _chance(2) ? address(0) : address(_stray);
        if (_chance(2)) _stray.mint(vault, 1 + _pick(1000));
        if (_chance(2) && asset != address(0)) vm.deal(vault, 1 + _pick(1000));
        _aim(caller, tokenId);
        uint256 amount = foreign == address(0) ? vault.balance : ScriptedToken(foreign).balanceOf(vault);
        bytes4 rule = _ruleForeign(tokenId, caller, foreign, amount);
        uint256 forwardedBefore = _forwardedBy(caller);
        bytes memory data = abi.encodeCall(market.reclaimForeign, (tokenId, foreign));
        if (!_attempt("reclaimForeign", caller, 0, data, rule)) return;
        if (foreign == address(0)) _noteForwardOf(tokenId, caller, amount, forwardedBefore);
        uint256 left = foreign == address(0) ? vault.balance : _stray.balanceOf(vault);
        if (left != 0) _report("reclaimForeign left something", OK, OK);
    }

    // --- roles and the end ---

    function setAcceptanceAuthority(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address judge = market.acceptanceAuthorityOf(tokenId);
        address caller = _chance(6) ? _anyone() : judge;
        address next = _chance(10) ? address(0) : _judges[_pick(_judges.length)];
        bytes4 rule = caller != judge
            ? ITaskErrors.NotAcceptanceAuthority.selector
            : next == address(0) ? ITaskErrors.ZeroAuthority.selector : OK;
        bytes memory data = abi.encodeCall(ITaskTender.setAcceptanceAuthority, (tokenId, next));
        _attempt("setAcceptanceAuthority", caller, 0, data, rule);
    }

    function cancelTask(uint256 seed) external drawn(seed) {
        if (!_chance(5)) return; // a tender that ends at once teaches little
        uint256 tokenId = _anyTender();
        address caller = _chance(4) ? _anyone() : _publisher;
        bytes4 rule = caller != _publisher
            ? ITaskErrors.NotUpdateAuthority.selector
            : ledger.bookOf(tokenId).cancelled ? ITaskErrors.TenderIsCancelled.selector : OK;
        bytes memory data = abi.encodeCall(ITaskTender.cancelTask, (tokenId));
        if (_attempt("cancelTask", caller, 0, data, rule)) ledger.cancel(tokenId);
    }

    function publish(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address caller = _chance(4) ? _anyone() : _publisher;
        bool freeze = _chance(8);
        bool frozen = market.isTaskFrozen(tokenId);
        bytes4 rule = caller != _publisher
            ? ITaskErrors.NotUpdateAuthority.selector
            : frozen ? ITaskErrors.TaskIsFrozen.selector : OK;
        bytes memory data = freeze
            ? abi.encodeCall(market.freezeTask, (tokenId))
            : abi.encodeCall(
                market.updateTask,
                (tokenId, keccak256("document"), keccak256(abi.encode(_entropy, market.taskOf(tokenId))))
            );
        _attempt(freeze ? "freezeTask" : "updateTask", caller, 0, data, rule);
    }

    function transferToken(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        address owner = market.ownerOf(tokenId);
        vm.prank(owner);
        market.transferFrom(owner, _anyone(), tokenId);
    }

    // --- conduct and time ---

    function instructPerson(uint256 seed) external drawn(seed) {
        ScriptedPerson person = ScriptedPerson(payable(_people[4 + _pick(4)]));
        uint256 conduct = _pick(person.CONDUCTS());
        if (_chance(3)) conduct = uint256(ScriptedPerson.Conduct.Refuse);
        if (_chance(4)) conduct = uint256(ScriptedPerson.Conduct.Forward);
        person.set(ScriptedPerson.Conduct(conduct), _tokenIds[_pick(TENDERS)]);
    }

    function instructJudge(uint256 seed) external drawn(seed) {
        ScriptedJudge judge = ScriptedJudge(payable(_judges[2 + _pick(3)]));
        uint256 declares = _chance(2) ? _pick(2) : _pick(judge.DECLARATIONS());
        uint256 rules = _chance(2) ? 0 : _pick(judge.RULINGS());
        judge.set(ScriptedJudge.Declares(declares), ScriptedJudge.Rules(rules));
    }

    function instructToken(uint256 seed) external drawn(seed) {
        uint256 tokenId = _tokenIds[6 + _pick(3)];
        ScriptedToken token = ScriptedToken(market.tenderTermsOf(tokenId).asset);
        token.setConduct(ScriptedToken.Conduct(_chance(3) ? 0 : _pick(token.CONDUCTS())));
        token.setBlocked(_anyone(), _chance(2));
        token.setBlocked(_anyone(), false);
    }

    /// @notice To the last second of something, or to the first second after it.
    function waitForBoundary(uint256 seed) external drawn(seed) {
        uint256 tokenId = _anyTender();
        ITaskTender.TenderTerms memory terms = market.tenderTermsOf(tokenId);
        uint256 kind = _pick(10);
        if (kind == 2) _clock += 1 + _pick(8 hours);
        uint256 target = (_clock / EPOCH + 1) * EPOCH - 1;
        if (kind == 0) target = terms.submitBy;
        if (kind == 1) target = terms.settleBy;
        if (kind > 2) {
            uint256 id;
            (tokenId, id) = _submissionFor(kind % 2 == 0 ? Purpose.Shortfall : Purpose.Claim);
            if (id != 0 && id <= ledger.submissionCountOf(tokenId)) {
                target = _deadline(tokenId, id);
                if (kind > 6) target += _window(tokenId);
            }
        }
        target += _pick(2);
        if (target > _clock) _clock = target;
    }

    // --- shared steps ---

    function _attempt(string memory action, address caller, uint256 value, bytes memory data, bytes4 rule)
        internal
        returns (bool success)
    {
        bool starved = !_generous && _chance(5);
        uint256 gasLimit = starved ? 30_000 + _pick(450_000) : PLENTY;
        if (value != 0) vm.deal(caller, caller.balance + value);
        bytes memory reply;
        if (!_generous) calls[action] += 1;
        vm.prank(caller);
        (success, reply) = address(market).call{value: value, gas: gasLimit}(data);
        // little gas may stop a call, but it may not change how it ends
        if (success) {
            if (!_generous) successes[action] += 1;
            if (starved) starvedSuccesses += 1;
            if (rule != OK) _report(action, OK, rule);
            return rule == OK;
        }
        refusals[bytes4(reply)] += 1;
        if (!starved && bytes4(reply) != rule) _report(action, bytes4(reply), rule);
    }

    function _attemptPayment(
        string memory action,
        uint256 tokenId,
        uint256 id,
        address caller,
        bytes memory data,
        bytes4 rule
    ) internal {
        bool real = id != 0 && id <= ledger.submissionCountOf(tokenId);
        address fulfiller = real ? ledger.submissionOf(tokenId, id).fulfiller : address(0);
        _aim(fulfiller, tokenId);
        uint256 available = ledger.availableOf(tokenId);
        uint256 amount = available < REWARD ? available : REWARD;
        uint256 moved = real ? deliverable(tokenId, fulfiller, amount) : 0;
        uint256 forwardedBefore = _forwardedBy(fulfiller);
        if (!_attempt(action, caller, 0, data, rule)) return;
        ledger.pay(tokenId, id, _clock / EPOCH, amount, moved);
        if (moved == REWARD) paidAtOnce += 1;
        if (moved < amount) credited += 1;
        if (amount < REWARD) cutShort += 1;
        _noteForward(tokenId, fulfiller, moved, forwardedBefore);
    }

    /// @dev Whoever refused takes money now, and the token gives it.
    function _comeToReason(uint256 tokenId, address account) internal {
        if (account.code.length != 0) ScriptedPerson(payable(account)).set(ScriptedPerson.Conduct.Accept, 0);
        address asset = market.tenderTermsOf(tokenId).asset;
        if (asset == address(0)) return;
        ScriptedToken(asset).setConduct(ScriptedToken.Conduct.Honest);
        ScriptedToken(asset).setBlocked(account, false);
    }

    /// @dev A person who re-enters tries the tender that is about to pay it.
    function _aim(address account, uint256 tokenId) private {
        if (account.code.length == 0) return;
        ScriptedPerson person = ScriptedPerson(payable(account));
        if (person.conduct() == ScriptedPerson.Conduct.Reenter) person.set(ScriptedPerson.Conduct.Reenter, tokenId);
    }

    function _forwardedBy(address account) private view returns (uint256) {
        return account.code.length == 0 ? 0 : ScriptedPerson(payable(account)).forwarded();
    }

    /// @dev Money that a person passed on funds the other tender if and only if that tender may be funded and is not
    ///      the one that pays.
    function _noteForward(uint256 from, address account, uint256 amount, uint256 forwardedBefore) private {
        if (market.tenderTermsOf(from).asset == address(0)) _noteForwardOf(from, account, amount, forwardedBefore);
    }

    function _noteForwardOf(uint256 from, address account, uint256 amount, uint256 forwardedBefore) private {
        if (account.code.length == 0) return;
        ScriptedPerson person = ScriptedPerson(payable(account));
        if (person.conduct() != ScriptedPerson.Conduct.Forward || amount == 0) return;
        uint256 to = person.target();
        bool funds = to != from && _ruleFund(to, account, amount, amount) == OK;
        uint256 passed = person.forwarded() - forwardedBefore;
        if (passed != (funds ? amount : 0)) return _report("forward", OK, OK);
        if (!funds) return;
        forwards += 1;
        ledger.fund(to, account, amount);
    }

    function _report(string memory action, bytes4 got, bytes4 expected) internal {
        if (bytes(violation).length != 0) return;
        violation = string.concat(
            action, ": got ", vm.toString(abi.encodePacked(got)), ", expected ", vm.toString(abi.encodePacked(expected))
        );
    }

    // --- draws ---

    function _pick(uint256 n) private returns (uint256) {
        _entropy = uint256(keccak256(abi.encode(_entropy)));
        return _entropy % n;
    }

    /// @dev True once in `n`.
    function _chance(uint256 n) private returns (bool) {
        return _pick(n) == 0;
    }

    function _anyTender() private returns (uint256) {
        return _chance(5) ? _tokenIds[_pick(TENDERS)] : _focus;
    }

    function _anyone() private returns (address) {
        return _people[_pick(_people.length)];
    }

    /// @dev Mostly a pending delivery that the entry point is for, where there is one; tenders near the focus first.
    function _submissionFor(Purpose purpose) private returns (uint256 tokenId, uint256 id) {
        if (!_chance(4)) {
            uint256 start = _anyTender() - _tokenIds[0];
            for (uint256 i = 0; i < TENDERS; i++) {
                tokenId = _tokenIds[(start + i) % TENDERS];
                if (ledger.bookOf(tokenId).pending == 0) continue;
                id = _anySubmissionOf(tokenId);
                if (id != 0 && id <= ledger.submissionCountOf(tokenId) && _serves(purpose, tokenId, id)) {
                    return (tokenId, id);
                }
            }
        }
        tokenId = _anyTender();
        id = _anySubmissionOf(tokenId);
    }

    function _serves(Purpose purpose, uint256 tokenId, uint256 id) private view returns (bool) {
        bool verifier = _isVerifier(market.acceptanceAuthorityOf(tokenId));
        if (purpose == Purpose.Ruling) return !verifier;
        if (purpose == Purpose.Proof) return verifier;
        if (purpose == Purpose.Release) return ledger.submissionOf(tokenId, id).machineSettled;
        if (purpose == Purpose.Shortfall && ledger.availableOf(tokenId) >= REWARD) return false;
        return !ledger.submissionOf(tokenId, id).machineSettled;
    }

    /// @dev Nearly always one that is pending, where there is one.
    function _anySubmissionOf(uint256 tokenId) private returns (uint256) {
        uint256 count = ledger.submissionCountOf(tokenId);
        uint256 start = _pick(count + 2);
        if (_chance(12)) return start;
        for (uint256 i = 0; i < count; i++) {
            uint256 id = (start + i) % count + 1;
            if (ledger.submissionOf(tokenId, id).status == ITaskTender.SubmissionStatus.Pending) return id;
        }
        return start;
    }

    /// @dev Mostly somebody who has a credit, or a contribution to a tender that is over, where there is one.
    function _someoneWith(bool credit) private returns (uint256 tokenId, address account) {
        uint256 start = _anyTender() - _tokenIds[0];
        uint256 first = _pick(_people.length);
        for (uint256 i = 0; i < TENDERS && !_chance(16); i++) {
            tokenId = _tokenIds[(start + i) % TENDERS];
            if (credit ? ledger.bookOf(tokenId).credited == 0 : _ruleOver(tokenId) != OK) continue;
            for (uint256 p = 0; p < _people.length; p++) {
                account = _people[(first + p) % _people.length];
                uint256 claim = credit ? ledger.creditOf(tokenId, account) : ledger.contributionOf(tokenId, account);
                if (claim != 0) return (tokenId, account);
            }
        }
        return (_tokenIds[start], _people[first]);
    }
}
