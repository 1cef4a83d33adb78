// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {SilentJudge} from "../mocks/Judges.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title acceptFulfillment: the judge says yes
contract AcceptFulfillmentTest is TaskTest {
    function _acceptRefused(address caller, uint256 id, uint256 submissionId, bytes memory reason) private {
        _refuses(reason);
        vm.prank(caller);
        task.acceptFulfillment(id, submissionId);
    }

    // --- role ---

    function test_Accept_MUST_RevertWhen_CallerIsNotAcceptanceAuthority() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.prank(owner);
        task.setApprovalForAll(stranger, true);
        address[5] memory callers = [owner, publisher, funder, worker, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _acceptRefused(
                callers[i], id, 1, abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, callers[i], judge)
            );
        }
    }

    /// Machine-settled means that no one rules, not even the verifier itself.
    function test_Accept_RevertsWhen_SlotHoldsAVerifier() external {
        address verifier = address(new WordVerifier());
        uint256 id = _mint(_terms(), verifier);
        _fund(id, funder, REWARD);
        _submit(id);
        _acceptRefused(verifier, id, 1, abi.encodeWithSelector(SlotHoldsVerifier.selector, id, verifier));
    }

    function test_Accept_SucceedsWhen_JudgeIsAContract() external {
        SilentJudge contractJudge = new SilentJudge();
        uint256 id = _mint(_terms(), address(contractJudge));
        _fund(id, funder, REWARD);
        _submit(id);
        contractJudge.accept(task, id, 1);
        assertEq(worker.balance, REWARD);
    }

    // --- state of the submission ---

    function test_Accept_MUST_RevertWhen_SubmissionDoesNotExist() external {
        uint256 id = _funded(1);
        _acceptRefused(judge, id, 1, abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
        _acceptRefused(judge, id, 0, abi.encodeWithSelector(NonexistentSubmission.selector, id, 0));
    }

    function test_Accept_MUST_RevertWhen_AlreadyAccepted() external {
        uint256 id = _funded(2);
        _accept(id, _submit(id));
        _acceptRefused(judge, id, 1, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        assertEq(worker.balance, REWARD);
    }

    function test_Accept_MUST_RevertWhen_AlreadyRejected() external {
        uint256 id = _funded(1);
        _reject(id, _submit(id));
        _acceptRefused(judge, id, 1, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
    }

    /// The first tender's delivery is not the second's.
    function test_Accept_MUST_RevertWhen_SubmissionBelongsToAnotherToken() external {
        uint256 first = _funded(1);
        uint256 second = _funded(1);
        _submit(first);
        _acceptRefused(judge, second, 1, abi.encodeWithSelector(NonexistentSubmission.selector, second, 1));
    }

    // --- clock ---

    function test_Accept_SucceedsAt_SettleBy_AndMUST_RevertAfter() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _submit(id);
        vm.warp(START + 10);
        _accept(id, 1);
        vm.warp(START + 11);
        _acceptRefused(judge, id, 2, abi.encodeWithSelector(SettlementClosed.selector, id, START + 10));
    }

    /// Silence gives the fulfiller a right; it does not take the judge's yes away.
    function test_Accept_SucceedsAfterTheJudgmentWindow() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        _accept(id, 1);
        assertEq(worker.balance, REWARD);
    }

    function test_Accept_MUST_SucceedWhen_CancelledAfterDelivery() external {
        uint256 id = _funded(1);
        _submit(id);
        _cancel(id);
        _accept(id, 1);
        assertEq(worker.balance, REWARD);
    }

    // --- money ---

    function test_Accept_MUST_RevertWhen_EscrowIsBelowTheReward() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
        token.shrink(task.vaultOf(id), 1);
        _acceptRefused(judge, id, 1, abi.encodeWithSelector(EscrowTooLow.selector, id, REWARD - 1, REWARD));
        _give(id, 1);
        _accept(id, 1);
        assertEq(token.balanceOf(worker), REWARD);
    }

    // --- effects ---

    function testFuzz_Accept_MUST_PayCountAndDecideAtOnce(bool native, uint128 reward, uint64 rest) external {
        vm.assume(reward != 0);
        ITaskTender.TenderTerms memory terms = _terms();
        if (!native) terms.asset = address(new MockERC20());
        terms.rewardPerCompletion = reward;
        uint256 id = _mint(terms);
        _fund(id, funder, uint256(reward) + rest);
        _submit(id);
        _accept(id, 1);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
        assertEq(task.completionsOf(id), 1);
        assertEq(task.pendingOf(id), 0);
        assertEq(_balance(terms.asset, worker), reward);
        assertEq(task.escrowBalanceOf(id), rest);
        assertEq(task.creditOf(id, worker), 0);
    }

    function test_Accept_MUST_EmitFulfillmentAccepted() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.recordLogs();
        _accept(id, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
        assertEq(logs[0].topics[0], ITaskTender.FulfillmentAccepted.selector);
        assertEq(logs[0].topics[1], bytes32(id));
        assertEq(logs[0].topics[2], bytes32(uint256(1)));
        assertEq(logs[0].topics[3], bytes32(uint256(uint160(worker))));
        assertEq(abi.decode(logs[0].data, (uint256)), REWARD);
    }

    function test_Accept_MUST_BoundCompletionsToExactlyTheMaximum() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.maxCompletions = 3;
        uint256 id = _mint(terms);
        _fund(id, funder, 10 * REWARD);
        for (uint256 i = 1; i <= 3; i++) {
            _submit(id);
        }
        for (uint256 i = 3; i >= 1; i--) {
            _accept(id, i);
        }
        assertEq(task.completionsOf(id), 3);
        assertEq(worker.balance, 3 * REWARD);
    }
}
