// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title claimUnjudged: silence has accepted
contract ClaimUnjudgedTest is TaskTest {
    function _claimRefused(uint256 id, bytes memory reason) private {
        _refuses(reason);
        task.claimUnjudged(id, 1);
    }

    // --- state of the submission ---

    function test_Claim_MUST_RevertWhen_SubmissionDoesNotExist() external {
        uint256 id = _funded(1);
        _claimRefused(id, abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
    }

    function test_Claim_MUST_RevertWhen_AlreadyDecided() external {
        uint256 id = _funded(3);
        _submit(id);
        _submit(id);
        _reject(id, 1);
        _accept(id, 2);
        vm.warp(START + WINDOW + 1);
        _claimRefused(id, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        _refuses(abi.encodeWithSelector(SubmissionDecided.selector, id, 2));
        task.claimUnjudged(id, 2);
        vm.warp(START);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 3);
        _refuses(abi.encodeWithSelector(SubmissionDecided.selector, id, 3));
        task.claimUnjudged(id, 3);
        assertEq(worker.balance, 2 * REWARD);
    }

    /// Waiting must not become a way to be paid for a proof that never verified.
    function test_Claim_MUST_RevertWhen_MachineSettled() external {
        uint256 id = _mint(_terms(), address(new WordVerifier()));
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        _claimRefused(id, abi.encodeWithSelector(MachineSettledSubmission.selector, id, 1));
    }

    // --- clock ---

    function test_Claim_MUST_RevertAt_TheDeadline() external {
        uint256 id = _funded(1);
        vm.warp(START + 100);
        _submit(id);
        vm.warp(START + 100 + WINDOW);
        _claimRefused(id, abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 1, START + 100 + WINDOW));
    }

    function test_Claim_SucceedsOneSecondAfterTheDeadline() external {
        uint256 id = _funded(1);
        vm.warp(START + 100);
        _submit(id);
        vm.warp(START + 101 + WINDOW);
        vm.prank(stranger); // anyone may
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    /// At every second exactly one of refusal and claim is possible.
    function testFuzz_RefusalAndClaim_MUST_LeaveNeitherGapNorOverlap(uint64 window, uint64 wait) external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = uint64(bound(window, 1, 1 << 39));
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + bound(wait, 0, 2 * uint256(terms.judgmentWindow)));
        uint256 snapshot = vm.snapshotState();
        vm.prank(judge);
        (bool canReject,) = address(task).call(abi.encodeCall(task.rejectFulfillment, (id, 1)));
        vm.revertToState(snapshot);
        (bool canClaim,) = address(task).call(abi.encodeCall(task.claimUnjudged, (id, 1)));
        assertTrue(canReject != canClaim);
    }

    /// 2^64 - 1 seconds is legal; the sum must not overflow, and the window is simply open.
    function test_Claim_MUST_NotOverflowWith_TheLargestWindow() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = type(uint64).max;
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + 100_000 days);
        _claimRefused(id, abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 1, START + uint256(type(uint64).max)));
        vm.warp(START + uint256(type(uint64).max) + 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    function test_Claim_MUST_IgnoreCancellation() external {
        uint256 id = _funded(1);
        _submit(id);
        _cancel(id);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    function test_Claim_MUST_IgnoreSettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    // --- money ---

    function test_Claim_MUST_RevertWhen_EscrowIsBelowTheReward() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
        token.shrink(task.vaultOf(id), 1);
        vm.warp(START + WINDOW + 1);
        _claimRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, REWARD - 1, REWARD));
        _fund(id, stranger, 1);
        task.claimUnjudged(id, 1);
        assertEq(token.balanceOf(worker), REWARD);
    }

    // --- effects ---

    function test_Claim_MUST_EmitClaimedBeforeAccepted() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        vm.recordLogs();
        task.claimUnjudged(id, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2);
        assertEq(logs[0].topics[0], ITaskTender.FulfillmentClaimedUnjudged.selector);
        assertEq(logs[0].topics[3], bytes32(uint256(uint160(worker))));
        assertEq(abi.decode(logs[0].data, (uint64)), START + WINDOW);
        assertEq(logs[1].topics[0], ITaskTender.FulfillmentAccepted.selector);
        assertEq(abi.decode(logs[1].data, (uint256)), REWARD);
    }

    function test_Claim_MUST_HaveTheEffectsOfAnySettlement() external {
        uint256 id = _funded(2);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 1);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
        assertEq(task.completionsOf(id), 1);
        assertEq(task.pendingOf(id), 0);
        assertEq(task.escrowBalanceOf(id), REWARD);
    }
}
