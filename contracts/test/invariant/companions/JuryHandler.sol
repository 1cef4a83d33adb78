// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../../src/task/ITaskTender.sol";
import {IJuryPanel} from "../../mocks/companions/IJuryPanel.sol";
import {Tenders} from "./Tenders.sol";

/// @title Everybody round a JuryPanel that judges two tenders, one of them with a completion a day
/// @notice Jurors are the people, and one more who seldom votes; the quorum is three of five.
contract JuryHandler is Tenders {
    uint256 public constant QUORUM = 3;
    uint256 public constant FEE = 100;
    uint64 public constant VOTE_WINDOW = 3 days;
    IJuryPanel public panel;
    address[] public jury;
    mapping(address asset => uint256) public paidIn;
    mapping(address asset => uint256) public paidOut;
    mapping(uint256 id => mapping(uint256 submissionId => uint256)) public ayes;
    mapping(uint256 id => mapping(uint256 submissionId => uint256)) public noes;
    mapping(uint256 id => mapping(uint256 submissionId => bool)) public timedOut;
    mapping(uint256 id => uint256) public feesPaid;

    constructor() {
        jury = people;
        jury.push(makeAddr("the fifth juror"));
        panel = IJuryPanel(deployCode("JuryPanel.sol:JuryPanel", abi.encode(jury, QUORUM, VOTE_WINDOW)));
        _mint(address(0), address(panel), 0, 0);
        _mint(address(token), address(panel), 1, 0);
        vm.startPrank(publisher);
        panel.promiseFee(address(task), ids[0], address(0), FEE);
        panel.promiseFee(address(task), ids[1], address(token), FEE);
        vm.stopPrank();
        _endow(15);
    }

    function actions() external pure returns (bytes4[] memory list) {
        list = new bytes4[](20);
        list[0] = this.deliver.selector;
        list[1] = this.deliver.selector;
        for (uint256 i = 2; i < 6; i++) {
            list[i] = this.vote.selector;
        }
        list[6] = this.finalize.selector;
        list[7] = this.execute.selector;
        list[8] = this.fundFees.selector;
        list[9] = this.returnFees.selector;
        list[10] = this.withdraw.selector;
        list[11] = this.claim.selector;
        list[12] = this.fundDirectly.selector;
        list[13] = this.cancel.selector;
        list[14] = this.passTime.selector;
        list[15] = this.changeMood.selector;
        for (uint256 i = 16; i < 19; i++) {
            list[i] = this.vote.selector;
        }
        list[19] = this.agree.selector;
    }

    function deliver(uint256 seed) external drawn(seed) {
        bytes memory data = abi.encodeCall(task.submitFulfillment, (_anyId(), keccak256(abi.encode(seed)), "ipfs://r"));
        _act("deliver", _anyone(), address(task), 0, data);
    }

    /// @notice A jury of one mind: it accepts what it can of a tender, so that epochs fill up.
    function agree(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        uint256 count = task.submissionCountOf(id);
        for (uint256 s = count > 2 ? count - 2 : 1; s <= count; s++) {
            for (uint256 j = 0; j < jury.length; j++) {
                _vote(id, s, jury[j], true);
            }
        }
    }

    function vote(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 s) = _lateSubmission();
        address juror = jury[_pick(jury.length)];
        if (_pick(4) != 0) {
            // most draws look for the oldest delivery that may be voted on, and for a juror who has not voted
            for (uint256 i = task.submissionCountOf(id); i != 0; i--) {
                (IJuryPanel.Case memory c, uint256 deadline) = panel.caseOf(address(task), id, i);
                if (c.verdict != IJuryPanel.Verdict.None || (deadline != 0 && deadline < clock)) continue;
                if (task.submissionOf(id, i).submittedAt + 6 days < clock) continue;
                s = i;
                for (uint256 j = 0; j < jury.length; j++) {
                    if ((c.ayes | c.noes) >> j & 1 == 0) juror = jury[j];
                }
            }
        }
        _vote(id, s, juror, _pick(3) != 0);
    }

    function _vote(uint256 id, uint256 s, address juror, bool approve) private {
        uint256 before = _escrowOf(id);
        bytes memory data = abi.encodeCall(panel.vote, (address(task), id, s, approve));
        (bool success,) = _act("vote", juror, address(panel), 0, data);
        if (!success) return;
        if (s == 0 || s > task.submissionCountOf(id)) return _report("a vote on no submission");
        if (approve) ayes[id][s] += 1;
        else noes[id][s] += 1;
        _checkCase(id, s);
        _countFee(id, s, before);
    }

    function finalize(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 s) = _lateSubmission();
        if (_pick(4) != 0) {
            // most draws look for an open case, and wait for the end of its votes or not quite
            for (uint256 i = task.submissionCountOf(id); i != 0; i--) {
                (IJuryPanel.Case memory c, uint256 deadline) = panel.caseOf(address(task), id, i);
                if (c.verdict != IJuryPanel.Verdict.None || deadline == 0) continue;
                s = i;
                deadline += _pick(2);
                if (deadline > clock) clock = deadline;
                vm.warp(clock);
                break;
            }
        }
        bytes memory data = abi.encodeCall(panel.finalizeTimeout, (address(task), id, s));
        (bool success,) = _act("finalize", address(9), address(panel), 0, data);
        if (!success) return;
        timedOut[id][s] = true;
        _checkCase(id, s);
    }

    function execute(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 s) = _lateSubmission();
        if (_pick(4) != 0) {
            // most draws look for a kept verdict
            for (uint256 i = task.submissionCountOf(id); i != 0; i--) {
                (IJuryPanel.Case memory c,) = panel.caseOf(address(task), id, i);
                if (c.kept) s = i;
            }
            if (_pick(2) == 0) clock = (clock / DAY + 1) * DAY; // when the next epoch begins
            vm.warp(clock);
        }
        _execute(id, s);
    }

    function fundFees(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        (, address asset,,) = panel.promiseOf(address(task), id);
        address from = _anyone();
        uint256 amount = 1 + _pick(3 * FEE);
        uint256 value = _provide(asset, from, address(panel), amount);
        bytes memory data = abi.encodeCall(panel.fundFees, (address(task), id, amount));
        (bool success,) = _act("fundFees", from, address(panel), value, data);
        if (success) paidIn[asset] += amount;
    }

    function returnFees(uint256 seed) external drawn(seed) {
        _returnFees(_anyId());
    }

    function withdraw(uint256 seed) external drawn(seed) {
        _withdraw(_anyAsset(), jury[_pick(jury.length)]);
    }

    /// @notice Everything is decided, kept verdicts are executed, and everybody takes what is theirs.
    function close() external {
        _endTenders();
        for (uint256 i = 0; i < ids.length; i++) {
            for (uint256 s = 1; s <= task.submissionCountOf(ids[i]); s++) {
                (IJuryPanel.Case memory c,) = panel.caseOf(address(task), ids[i], s);
                if (c.kept && !_execute(ids[i], s)) _report("a kept verdict was not executed at the end");
            }
            if (_escrowOf(ids[i]) != 0 && !_returnFees(ids[i])) _report("fees were kept at the end");
        }
        for (uint256 j = 0; j < jury.length; j++) {
            _withdraw(address(0), jury[j]);
            _withdraw(address(token), jury[j]);
        }
        _withdraw(address(0), publisher);
    }

    function juryCount() external view returns (uint256) {
        return jury.length;
    }

    function publisherOf() external view returns (address) {
        return publisher;
    }

    /// @dev Most votes are about the newest submissions; some about one that is still to come.
    function _lateSubmission() private returns (uint256 id, uint256 s) {
        id = _anyId();
        uint256 count = task.submissionCountOf(id);
        uint256 back = _pick(8);
        s = back < 5 && back < count ? count - back : count + (back == 7 ? 1 : 0);
    }

    function _escrowOf(uint256 id) private view returns (uint256 escrow) {
        (,,, escrow) = panel.promiseOf(address(task), id);
    }

    function _countFee(uint256 id, uint256 s, uint256 escrowBefore) private {
        uint256 paid = escrowBefore - _escrowOf(id);
        if (paid == 0) return;
        feesPaid[id] += paid;
        if (paid > FEE) _report("more than the fee");
        if (task.submissionOf(id, s).status != ITaskTender.SubmissionStatus.Accepted) {
            _report("a fee without an acceptance");
        }
    }

    function _execute(uint256 id, uint256 s) private returns (bool success) {
        uint256 before = _escrowOf(id);
        bytes memory data = abi.encodeCall(panel.execute, (address(task), id, s));
        (success,) = _act("execute", address(9), address(panel), 0, data);
        if (!success) return false;
        if (ayes[id][s] != QUORUM) _report("executed without a quorum");
        _countFee(id, s, before);
    }

    function _returnFees(uint256 id) private returns (bool success) {
        (, address asset,, uint256 escrow) = panel.promiseOf(address(task), id);
        uint256 before = balanceOf(asset, publisher);
        bytes memory data = abi.encodeCall(panel.returnFees, (address(task), id));
        (success,) = _act("returnFees", address(9), address(panel), 0, data);
        if (!success) return false;
        uint256 moved = balanceOf(asset, publisher) - before;
        if (moved != escrow) _report("returned something else than the escrow");
        if (task.pendingOf(id) != 0 || panel.keptOf(address(task), id) != 0) _report("returned too early");
        paidOut[asset] += moved;
    }

    function _withdraw(address asset, address account) private {
        uint256 owed = panel.owedOf(asset, account);
        uint256 before = balanceOf(asset, account);
        bytes memory data = abi.encodeCall(panel.withdraw, (asset, account));
        (bool success,) = _act("withdraw", address(9), address(panel), 0, data);
        uint256 moved = balanceOf(asset, account) - before;
        if (moved != (success ? owed : 0)) _report("withdrew something else than was owed");
        paidOut[asset] += moved;
    }

    /// @dev The verdict that the votes make certain, and the status that goes with it.
    function _checkCase(uint256 id, uint256 s) private {
        (IJuryPanel.Case memory c,) = panel.caseOf(address(task), id, s);
        ITaskTender.SubmissionStatus status = task.submissionOf(id, s).status;
        IJuryPanel.Verdict expected = ayes[id][s] == QUORUM
            ? IJuryPanel.Verdict.Accept
            : noes[id][s] > jury.length - QUORUM || timedOut[id][s]
                ? IJuryPanel.Verdict.Refuse
                : IJuryPanel.Verdict.None;
        if (c.verdict != expected) _report("another verdict than the votes say");
        if (expected == IJuryPanel.Verdict.Refuse && status != ITaskTender.SubmissionStatus.Rejected) {
            _report("refused, and not rejected");
        }
        if (expected == IJuryPanel.Verdict.Accept && c.kept == c.closed) _report("neither kept nor closed");
        if (c.closed && expected == IJuryPanel.Verdict.Accept && status != ITaskTender.SubmissionStatus.Accepted) {
            _report("closed, and not accepted");
        }
    }
}
