// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {JuryTest} from "./JuryTest.sol";

/// @title JuryPanel: verdicts by the clock, and verdicts that have to wait
contract JuryTimeoutTest is JuryTest {
    // --- finalizeTimeout ---

    function test_FinalizeTimeout_RevertsWithout_ACase() external {
        uint256 submissionId = _submit(id);
        vm.warp(START + VOTE_WINDOW + 1);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NoCase.selector, address(task), id, submissionId));
        panel.finalizeTimeout(address(task), id, submissionId);
    }

    function test_FinalizeTimeout_RevertsWhen_TheVerdictIsReached() external {
        _keepOne();
        vm.warp(START + VOTE_WINDOW + 1);
        for (uint256 submissionId = 1; submissionId <= 2; submissionId++) {
            vm.expectRevert(abi.encodeWithSelector(IJuryPanel.AlreadyDecided.selector, address(task), id, submissionId));
            panel.finalizeTimeout(address(task), id, submissionId);
        }
    }

    function test_FinalizeTimeout_RevertsWhile_JurorsMayVote() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        vm.warp(START + VOTE_WINDOW);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.VotingOpen.selector, START + VOTE_WINDOW));
        panel.finalizeTimeout(address(task), id, submissionId);
    }

    /// A delivery that nobody vouched for has not been vouched for; whoever cares finalises it.
    function test_FinalizeTimeout_MUST_RefuseWithoutAQuorum() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        vm.warp(START + VOTE_WINDOW + 1);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictReached(address(task), id, submissionId, IJuryPanel.Verdict.Refuse);
        vm.prank(stranger);
        panel.finalizeTimeout(address(task), id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.AlreadyDecided.selector, address(task), id, submissionId));
        panel.finalizeTimeout(address(task), id, submissionId);
    }

    /// The latest case that can be opened can still be finalised before the tender's own clock pays.
    function test_FinalizeTimeout_MUST_BePossibleInTimeForEveryCaseThatOpens() external {
        uint256 submissionId = _submit(id);
        uint256 opened = START + WINDOW - panel.leastJudgmentWindow();
        vm.warp(opened);
        _vote(0, submissionId, true);
        vm.warp(START + WINDOW);
        assertGe(START + WINDOW - (opened + VOTE_WINDOW), VOTE_WINDOW / 10);
        _refuses(abi.encodeWithSelector(JudgmentWindowOpen.selector, id, submissionId, START + WINDOW));
        task.claimUnjudged(id, submissionId);
        panel.finalizeTimeout(address(task), id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
    }

    /// Nobody finalised: the tender's clock decides, and the panel cannot take it back.
    function test_FinalizeTimeout_RevertsWhen_TheTendersClockRanOut() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        vm.warp(START + WINDOW + 1);
        vm.expectRevert(abi.encodeWithSelector(JudgmentWindowClosed.selector, id, submissionId, START + WINDOW));
        panel.finalizeTimeout(address(task), id, submissionId);
        task.claimUnjudged(id, submissionId);
        assertEq(worker.balance, REWARD);
    }

    // --- a verdict that has to wait ---

    function test_Vote_MUST_KeepAQuorumThatMeetsAFullEpoch() external {
        id = _paced();
        _submit(id);
        _submit(id);
        _vote(0, 1, true);
        _vote(1, 1, true);
        _vote(0, 2, true);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictReached(address(task), id, 2, IJuryPanel.Verdict.Accept);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictKept(address(task), id, 2);
        _vote(1, 2, true);
        assertEq(worker.balance, REWARD);
        assertTrue(_case(2).kept);
        assertFalse(_case(2).closed);
        assertEq(panel.keptOf(address(task), id), 1);
        _assertStatus(id, 2, ITaskTender.SubmissionStatus.Pending);
    }

    function test_Execute_MUST_SettleAKeptVerdictLater() external {
        _keepOne();
        uint64 epoch = uint64(START / 1 days);
        vm.expectRevert(abi.encodeWithSelector(EpochExhausted.selector, id, epoch, 1));
        panel.execute(address(task), id, 2);
        assertEq(panel.keptOf(address(task), id), 1, "still kept");
        vm.warp(START + 1 days);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictExecuted(address(task), id, 2);
        vm.prank(stranger);
        panel.execute(address(task), id, 2);
        assertEq(worker.balance, 2 * REWARD);
        assertTrue(_case(2).closed);
        assertFalse(_case(2).kept);
        assertEq(panel.keptOf(address(task), id), 0);
    }

    function test_Execute_RevertsWhen_NothingIsKept() external {
        _keepOne();
        vm.warp(START + 1 days);
        panel.execute(address(task), id, 2);
        for (uint256 submissionId = 1; submissionId <= 3; submissionId++) {
            vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NothingKept.selector, address(task), id, submissionId));
            panel.execute(address(task), id, submissionId);
        }
    }

    /// The tender's clock may pay a kept delivery first; the case is then closed, and nothing is paid twice.
    function test_Execute_ClosesACaseThatTheClockHasPaid() external {
        _keepOne();
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 2);
        assertEq(worker.balance, 2 * REWARD);
        panel.execute(address(task), id, 2);
        assertEq(worker.balance, 2 * REWARD);
        assertEq(panel.keptOf(address(task), id), 0);
        assertTrue(_case(2).closed);
    }

    /// An estimate takes the least gas with which a vote succeeds: with that much the delivery must be paid, not kept.
    function test_Vote_RevertsWhen_TheGasWouldNotReachForThePayment() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        vm.prank(jury[1]);
        vm.expectPartialRevert(InsufficientGas.selector);
        panel.vote{gas: 500_000}(address(task), id, submissionId, true);
        assertEq(_case(submissionId).ayes, 1);
        _vote(1, submissionId, true);
        assertEq(worker.balance, REWARD);
    }

    function testFuzz_Vote_EndsTheSameWithAnyGas(uint256 gasLimit) external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        gasLimit = bound(gasLimit, 30_000, 1_000_000);
        vm.prank(jury[1]);
        (bool success,) =
            address(panel).call{gas: gasLimit}(abi.encodeCall(panel.vote, (address(task), id, submissionId, true)));
        if (!success) {
            assertEq(_case(submissionId).ayes, 1, "nothing happened");
            _vote(1, submissionId, true);
        }
        assertEq(worker.balance, REWARD, "paid at once, with whatever gas it went through");
        assertEq(panel.keptOf(address(task), id), 0);
    }

    /// A vote that decides nothing needs no such gas, nor does one that refuses.
    function test_Vote_NeedsLittleGasWhere_ItDoesNotAccept() external {
        uint256 submissionId = _submit(id);
        vm.prank(jury[0]);
        panel.vote{gas: 150_000}(address(task), id, submissionId, false);
        vm.prank(jury[1]);
        panel.vote{gas: 200_000}(address(task), id, submissionId, false);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
    }

    /// Delivered to a machine, judged by a panel: the expiry of such a delivery closes a kept case without effect.
    function test_Execute_ClosesACaseThatExpired() external {
        WordVerifier machine = new WordVerifier();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.epochLength = 30 days;
        terms.maxCompletionsPerEpoch = 1;
        id = _mint(terms, address(machine));
        _fund(id, funder, 3 * REWARD);
        _submit(id);
        _submit(id);
        machine.pass(task, id, address(panel));
        for (uint256 submissionId = 1; submissionId <= 2; submissionId++) {
            _vote(0, submissionId, true);
            _vote(1, submissionId, true);
        }
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 2);
        panel.execute(address(task), id, 2);
        assertTrue(_case(2).closed);
        assertEq(worker.balance, REWARD);
    }
}
