// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {ToggleRecipient} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title submitFulfillment: a delivery reserves a slot and a reward
contract SubmitFulfillmentTest is TaskTest {
    function _submitRefused(uint256 tokenId, bytes memory reason) private {
        _refuses(reason);
        _submit(tokenId);
    }

    // --- arguments ---

    function test_Submission_MUST_RevertWhen_ResultHashIsZero() external {
        uint256 id = _funded(1);
        _refuses(abi.encodeWithSelector(ZeroResultHash.selector));
        vm.prank(worker);
        task.submitFulfillment(id, 0, "ipfs://result");
    }

    // --- state of the tender ---

    function test_Submission_MUST_RevertWhen_TenderIsCancelled() external {
        uint256 id = _funded(1);
        _cancel(id);
        _submitRefused(id, abi.encodeWithSelector(TenderIsCancelled.selector, id));
    }

    function test_Submission_MUST_RevertWhen_CompletionsAndPendingReachTheBound() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.maxCompletions = 2;
        uint256 id = _mint(terms);
        _fund(id, funder, 10 * REWARD);
        _accept(id, _submit(id));
        uint256 second = _submit(id);
        _submitRefused(id, abi.encodeWithSelector(CompletionsExhausted.selector, id, 2)); // 1 completion, 1 pending
        _reject(id, second);
        _accept(id, _submit(id)); // the slot came back
        _submitRefused(id, abi.encodeWithSelector(CompletionsExhausted.selector, id, 2)); // 2 completions
    }

    function test_Submission_IsUnboundedWhen_MaxCompletionsIsZero() external {
        uint256 id = _funded(40);
        for (uint256 i = 1; i <= 40; i++) {
            assertEq(_submit(id), i);
        }
        assertEq(task.pendingOf(id), 40);
    }

    // --- clock ---

    function test_Submission_SucceedsAt_SubmitBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.submitBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        vm.warp(START + 10);
        assertEq(_submit(id), 1);
    }

    function test_Submission_MUST_RevertWhen_OneSecondAfterSubmitBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.submitBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        vm.warp(START + 11);
        _submitRefused(id, abi.encodeWithSelector(SubmissionsClosed.selector, id, START + 10));
    }

    function test_Submission_SucceedsAt_SettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        vm.warp(START + 10);
        assertEq(_submit(id), 1);
    }

    function test_Submission_MUST_RevertWhen_OneSecondAfterSettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        vm.warp(START + 11);
        _submitRefused(id, abi.encodeWithSelector(SettlementClosed.selector, id, START + 10));
    }

    // --- money ---

    function test_Submission_MUST_RevertWhen_EscrowBelowReserved() external {
        uint256 id = _funded(2);
        _submit(id);
        _submit(id);
        _submitRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, 2 * REWARD, 3 * REWARD));
        _give(id, REWARD - 1);
        _submitRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, 3 * REWARD - 1, 3 * REWARD));
        _give(id, 1); // gifts count towards the reward
        assertEq(_submit(id), 3);
    }

    function test_Submission_MUST_RevertWhen_VaultIsEmpty() external {
        uint256 id = _mint();
        _submitRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
    }

    /// A reward above half of all numbers: twice the reward overflows, and must read as "too little".
    function test_Submission_MUST_RevertWhen_ReservationOverflows() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1 << 255;
        uint256 id = _mint(terms);
        _give(id, type(uint256).max);
        _submit(id);
        _submitRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, type(uint256).max, type(uint256).max));
    }

    function test_Submission_MUST_NotCountCreditsAsEscrow() external {
        uint256 id = _funded(2);
        ToggleRecipient refuser = new ToggleRecipient(task);
        _accept(id, refuser.deliver(id, RESULT));
        assertEq(task.escrowBalanceOf(id), 2 * REWARD); // one is owed, one is free
        _submit(id);
        _submitRefused(id, abi.encodeWithSelector(EscrowTooLow.selector, id, REWARD, 2 * REWARD));
    }

    // --- effects ---

    function test_Submission_MUST_RecordFulfillerHashVersionTimeAndStatus() external {
        uint256 id = _funded(1);
        vm.prank(publisher);
        task.updateTask(id, TD_HASH, NEXT_HASH);
        vm.warp(START + 77);
        vm.expectEmit(address(task));
        emit ITaskTender.FulfillmentSubmitted(id, 1, worker, RESULT, "ipfs://result", 2);
        uint256 submissionId = _submit(id);
        ITaskTender.Submission memory s = task.submissionOf(id, submissionId);
        assertEq(s.fulfiller, worker);
        assertEq(s.resultHash, RESULT);
        assertEq(s.taskVersion, 2);
        assertEq(s.submittedAt, START + 77);
        assertFalse(s.machineSettled);
        assertEq(uint8(s.status), uint8(ITaskTender.SubmissionStatus.Pending));
    }

    /// The version that was cited stays, whatever is published later.
    function test_Submission_MUST_KeepTheVersionThatItCited() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.prank(publisher);
        task.updateTask(id, TD_HASH, NEXT_HASH);
        assertEq(task.submissionOf(id, 1).taskVersion, 1);
    }

    function test_Submission_MUST_NumberDeliveriesFromOnePerToken() external {
        uint256 first = _funded(2);
        uint256 second = _funded(1);
        assertEq(_submit(first), 1);
        assertEq(_submit(second), 1);
        assertEq(_submit(first), 2);
        assertEq(task.submissionCountOf(first), 2);
        assertEq(task.submissionCountOf(second), 1);
    }

    function test_Submission_MUST_RaisePendingAndLockedEscrow() external {
        uint256 id = _funded(3);
        _submit(id);
        _submit(id);
        assertEq(task.pendingOf(id), 2);
        assertEq(task.lockedEscrowOf(id), 2 * REWARD);
        _reject(id, 1);
        assertEq(task.pendingOf(id), 1);
        assertEq(task.lockedEscrowOf(id), REWARD);
        _accept(id, 2);
        assertEq(task.pendingOf(id), 0);
        assertEq(task.lockedEscrowOf(id), 0);
    }

    function test_LockedEscrow_MUST_BeClampedToTheVaultBalance() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _submit(id);
        token.shrink(task.vaultOf(id), REWARD / 2);
        assertEq(task.lockedEscrowOf(id), 2 * REWARD - REWARD / 2);
    }

    function test_Submission_MUST_BePermissionless_AndMayRepeat() external {
        uint256 id = _funded(3);
        _submit(id, worker);
        _submit(id, worker); // the same account and the same result
        _submit(id, judge);
        assertEq(task.pendingOf(id), 3);
    }

    function test_Rejection_MUST_NotBlockTheSameFulfillerAgain() external {
        uint256 id = _funded(1);
        _reject(id, _submit(id));
        uint256 again = _submit(id);
        _accept(id, again);
        assertEq(worker.balance, REWARD);
    }

    function test_Submission_AcceptsAnEmptyResultURI() external {
        uint256 id = _funded(1);
        vm.prank(worker);
        assertEq(task.submitFulfillment(id, RESULT, ""), 1);
    }
}
