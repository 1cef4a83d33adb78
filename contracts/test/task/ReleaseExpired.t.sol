// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title releaseExpired: a delivery whose proof never came gives its slot back
contract ReleaseExpiredTest is TaskTest {
    WordVerifier private verifier;
    uint256 private id;

    function setUp() public override {
        super.setUp();
        verifier = new WordVerifier();
        id = _mint(_terms(), address(verifier));
        _fund(id, funder, REWARD);
    }

    function _releaseRefused(bytes memory reason) private {
        _refuses(reason);
        task.releaseExpired(id, 1);
    }

    // --- state of the submission ---

    function test_Release_MUST_RevertWhen_SubmissionDoesNotExist() external {
        _releaseRefused(abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
    }

    function test_Release_MUST_RevertWhen_AlreadyDecided() external {
        _submit(id);
        task.settleFulfillment(id, 1, "yes");
        vm.warp(START + WINDOW + 1);
        _releaseRefused(abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        assertEq(worker.balance, REWARD);
    }

    function test_Release_MUST_RevertWhen_ReleasedTwice() external {
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 1);
        _releaseRefused(abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        assertEq(task.pendingOf(id), 0);
    }

    function test_Release_MUST_RevertOnTheJudgedPath() external {
        id = _funded(1);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        _releaseRefused(abi.encodeWithSelector(JudgedSubmission.selector, id, 1));
    }

    // --- clock ---

    function test_Release_MUST_RevertAt_TheDeadline() external {
        _submit(id);
        vm.warp(START + WINDOW);
        _releaseRefused(abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 1, START + WINDOW));
    }

    function test_Release_MUST_NotOverflowWith_TheLargestWindow() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = type(uint64).max;
        id = _mint(terms, address(verifier));
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + 100_000 days);
        _releaseRefused(abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 1, START + uint256(type(uint64).max)));
    }

    function test_Release_MUST_BePermissionlessOneSecondAfterTheDeadline() external {
        _submit(id);
        vm.warp(START + WINDOW + 1);
        vm.prank(stranger);
        task.releaseExpired(id, 1);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Rejected);
    }

    function test_Release_MUST_IgnoreCancellationAndSettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START);
        id = _mint(terms, address(verifier));
        _fund(id, funder, REWARD);
        _submit(id);
        _cancel(id);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 1);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
    }

    // --- effects ---

    function test_Release_MUST_EmitReleasedBeforeRejected() external {
        _submit(id);
        vm.warp(START + WINDOW + 1);
        vm.recordLogs();
        task.releaseExpired(id, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2);
        assertEq(logs[0].topics[0], ITaskTender.SubmissionReleased.selector);
        assertEq(abi.decode(logs[0].data, (uint64)), START + WINDOW);
        assertEq(logs[1].topics[0], ITaskTender.FulfillmentRejected.selector);
        for (uint256 i = 0; i < 2; i++) {
            assertEq(logs[i].topics[1], bytes32(id));
            assertEq(logs[i].topics[2], bytes32(uint256(1)));
        }
    }

    /// A solver who was only slow loses nothing but a resubmission.
    function test_Release_MUST_FreeTheSlotAndTheReservedReward() external {
        _submit(id);
        _refuses(abi.encodeWithSelector(EscrowTooLow.selector, id, REWARD, 2 * REWARD));
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 1);
        assertEq(task.pendingOf(id), 0);
        assertEq(task.lockedEscrowOf(id), 0);
        assertEq(task.escrowBalanceOf(id), REWARD);
        task.settleFulfillment(id, _submit(id), "yes");
        assertEq(worker.balance, REWARD);
    }
}
