// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title rejectFulfillment: the judge says no, in time
contract RejectFulfillmentTest is TaskTest {
    function _rejectRefused(address caller, uint256 id, uint256 submissionId, bytes memory reason) private {
        _refuses(reason);
        vm.prank(caller);
        task.rejectFulfillment(id, submissionId);
    }

    // --- role ---

    function test_Reject_MUST_RevertWhen_CallerIsNotAcceptanceAuthority() external {
        uint256 id = _funded(1);
        _submit(id);
        address[5] memory callers = [owner, publisher, funder, worker, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _rejectRefused(
                callers[i], id, 1, abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, callers[i], judge)
            );
        }
    }

    function test_Reject_MUST_RevertWhen_SlotHoldsAVerifier() external {
        address verifier = address(new WordVerifier());
        uint256 id = _mint(_terms(), verifier);
        _fund(id, funder, REWARD);
        _submit(id);
        _rejectRefused(verifier, id, 1, abi.encodeWithSelector(SlotHoldsVerifier.selector, id, verifier));
    }

    // --- state of the submission ---

    function test_Reject_MUST_RevertWhen_SubmissionDoesNotExist() external {
        uint256 id = _funded(1);
        _rejectRefused(judge, id, 1, abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
    }

    function test_Reject_MUST_RevertWhen_AlreadyDecided() external {
        uint256 id = _funded(2);
        _accept(id, _submit(id));
        _reject(id, _submit(id));
        _rejectRefused(judge, id, 1, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        _rejectRefused(judge, id, 2, abi.encodeWithSelector(SubmissionDecided.selector, id, 2));
        assertEq(task.pendingOf(id), 0);
    }

    // --- clock ---

    function test_Reject_SucceedsAt_TheDeadline() external {
        uint256 id = _funded(1);
        vm.warp(START + 100);
        _submit(id);
        vm.warp(START + 100 + WINDOW);
        _reject(id, 1);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Rejected);
    }

    function test_Reject_MUST_RevertWhen_OneSecondAfterTheDeadline() external {
        uint256 id = _funded(1);
        vm.warp(START + 100);
        _submit(id);
        vm.warp(START + 101 + WINDOW);
        _rejectRefused(judge, id, 1, abi.encodeWithSelector(JudgmentWindowClosed.selector, id, 1, START + 100 + WINDOW));
    }

    /// Windows beside the width in which the contract keeps short ones, and the largest that is legal.
    function testFuzz_Reject_MUST_BeOpenUntilExactlyTheDeadline(uint64 window, uint32 late) external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = uint64(bound(window, 1, 1 << 39));
        if (window % 4 == 0) terms.judgmentWindow = type(uint24).max;
        if (window % 4 == 1) terms.judgmentWindow = uint64(type(uint24).max) + 1;
        uint256 id = _mint(terms);
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _submit(id);
        uint256 deadline = START + terms.judgmentWindow;
        vm.warp(deadline);
        _reject(id, 1);
        vm.warp(deadline + 1 + late);
        _rejectRefused(judge, id, 2, abi.encodeWithSelector(JudgmentWindowClosed.selector, id, 2, deadline));
    }

    function test_Reject_MUST_NotOverflowWith_TheLargestWindow() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = type(uint64).max;
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(START + 100_000 days);
        _reject(id, 1);
    }

    function test_Reject_MUST_SucceedWhen_CancelledOrPastSettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        _cancel(id);
        vm.warp(START + 11);
        _reject(id, 1);
        assertEq(task.pendingOf(id), 0);
    }

    // --- effects ---

    function test_Reject_MUST_MoveNothingFreeTheSlotAndEmit() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.expectEmit(address(task));
        emit ITaskTender.FulfillmentRejected(id, 1);
        _reject(id, 1);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Rejected);
        assertEq(task.pendingOf(id), 0);
        assertEq(task.completionsOf(id), 0);
        assertEq(task.escrowBalanceOf(id), REWARD);
        assertEq(worker.balance, 0);
    }
}
