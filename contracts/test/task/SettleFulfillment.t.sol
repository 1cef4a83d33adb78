// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {EchoVerifier, MegabyteVerifier, RevertingVerifier, StreakVerifier, WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title settleFulfillment: a proof says yes
contract SettleFulfillmentTest is TaskTest {
    function _mintFor(address verifier, uint256 rewards) private returns (uint256 id) {
        id = _mint(_terms(), verifier);
        _fund(id, funder, rewards * REWARD);
    }

    function _settleRefused(uint256 id, uint256 submissionId, bytes memory proof, bytes memory reason) private {
        _refuses(reason);
        task.settleFulfillment(id, submissionId, proof);
    }

    function _notAccepted(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ProofNotAccepted.selector, id, 1);
    }

    // --- role ---

    function test_Settle_MUST_RevertWhen_SlotHoldsNoVerifier() external {
        uint256 id = _funded(1);
        _submit(id);
        _settleRefused(id, 1, "yes", abi.encodeWithSelector(SlotHoldsNoVerifier.selector, id, judge));
    }

    function test_Settle_MUST_BeOpenToAnyone() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _submit(id);
        vm.prank(stranger);
        task.settleFulfillment(id, 1, "yes");
        assertEq(worker.balance, REWARD, "the fulfiller of record is paid, whoever settles");
        assertEq(stranger.balance, 0);
    }

    // --- state of the submission ---

    function test_Settle_MUST_RevertWhen_SubmissionDoesNotExist() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _settleRefused(id, 1, "yes", abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
    }

    function test_Settle_MUST_RevertWhen_AlreadySettled() external {
        uint256 id = _mintFor(address(new WordVerifier()), 2);
        _submit(id);
        task.settleFulfillment(id, 1, "yes");
        _settleRefused(id, 1, "yes", abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
    }

    function test_Settle_MUST_RevertWhen_AlreadyRejected() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 1);
        _settleRefused(id, 1, "yes", abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
    }

    // --- the proof ---

    function test_Settle_MUST_AskTheVerifierAboutExactlyThisSubmission() external {
        WordVerifier verifier = new WordVerifier();
        uint256 id = _mintFor(address(verifier), 2);
        _submit(id, stranger);
        _submit(id, worker);
        task.settleFulfillment(id, 2, "yes");
        assertEq(verifier.taskContract(), address(task));
        assertEq(verifier.tokenId(), id);
        assertEq(verifier.submissionId(), 2);
        assertEq(verifier.fulfiller(), worker);
        assertEq(verifier.resultHash(), RESULT);
    }

    function test_Settle_MUST_LeaveTheSubmissionPendingWhen_TheProofFails() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _submit(id);
        _settleRefused(id, 1, "no", _notAccepted(id));
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Pending);
        assertEq(task.pendingOf(id), 1);
        task.settleFulfillment(id, 1, "yes"); // a failed proof is not a rejection
        assertEq(worker.balance, REWARD);
    }

    /// The reply must be the word 1: not another number, not fewer bytes, not nothing.
    function test_Settle_MUST_RevertUnlessTheReplyIsTrue() external {
        uint256 id = _mintFor(address(new EchoVerifier()), 1);
        _submit(id);
        _settleRefused(id, 1, abi.encode(0), _notAccepted(id));
        _settleRefused(id, 1, abi.encode(2), _notAccepted(id));
        _settleRefused(id, 1, abi.encode(type(uint256).max), _notAccepted(id));
        _settleRefused(id, 1, abi.encode(uint256(1) << 255), _notAccepted(id));
        _settleRefused(id, 1, "", _notAccepted(id));
        _settleRefused(id, 1, hex"01", _notAccepted(id));
        // 31 bytes that would read as 1 if the missing byte were taken from elsewhere
        _settleRefused(id, 1, abi.encodePacked(bytes31(0)), _notAccepted(id));
        task.settleFulfillment(id, 1, abi.encode(1, 2)); // a longer reply that begins with true
        assertEq(worker.balance, REWARD);
    }

    function testFuzz_Settle_MUST_RevertUnlessTheReplyIsTrue(bytes calldata reply) external {
        vm.assume(reply.length < 32 || bytes32(reply) != bytes32(uint256(1)));
        uint256 id = _mintFor(address(new EchoVerifier()), 1);
        _submit(id);
        _settleRefused(id, 1, reply, _notAccepted(id));
    }

    function test_Settle_MUST_RevertWhen_TheVerifierReverts() external {
        uint256 id = _mintFor(address(new RevertingVerifier()), 1);
        _submit(id);
        _settleRefused(id, 1, "yes", _notAccepted(id));
    }

    /// The megabyte costs the verifier's gas; not a byte of it is copied.
    function test_Settle_CopiesOneWordOfAMegabyte() external {
        uint256 id = _mintFor(address(new MegabyteVerifier()), 1);
        _submit(id);
        uint256 before = gasleft();
        task.settleFulfillment(id, 1, "yes");
        assertLt(before - gasleft(), 2_500_000, "one expansion to a megabyte, not two");
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_KeepsTheStateOfAStatefulVerifier() external {
        StreakVerifier verifier = new StreakVerifier();
        uint256 id = _mintFor(address(verifier), 3);
        _submit(id);
        _submit(id);
        task.settleFulfillment(id, 1, "");
        _settleRefused(id, 2, "", abi.encodeWithSelector(ProofNotAccepted.selector, id, 2)); // the same day
        vm.warp(START + 1 days);
        task.settleFulfillment(id, 2, "");
        _submit(id);
        vm.warp(START + 3 days);
        _settleRefused(id, 3, "", abi.encodeWithSelector(ProofNotAccepted.selector, id, 3)); // a day was missed
        assertEq(worker.balance, 2 * REWARD);
    }

    // --- clock ---

    function test_Settle_SucceedsAt_SettleBy_AndMUST_RevertAfter() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms, address(new WordVerifier()));
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _submit(id);
        vm.warp(START + 10);
        task.settleFulfillment(id, 1, "yes");
        vm.warp(START + 11);
        _settleRefused(id, 2, "yes", abi.encodeWithSelector(SettlementClosed.selector, id, START + 10));
    }

    function test_Settle_SucceedsAfterTheJudgmentWindow_UntilReleased() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _submit(id);
        vm.warp(START + WINDOW + 1);
        task.settleFulfillment(id, 1, "yes");
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_MUST_SucceedWhen_CancelledAfterDelivery() external {
        uint256 id = _mintFor(address(new WordVerifier()), 1);
        _submit(id);
        _cancel(id);
        task.settleFulfillment(id, 1, "yes");
        assertEq(worker.balance, REWARD);
    }

    // --- money ---

    function test_Settle_MUST_RevertWhen_EscrowIsBelowTheReward() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        uint256 id = _mint(terms, address(new WordVerifier()));
        _fund(id, funder, REWARD);
        _submit(id);
        token.shrink(task.vaultOf(id), 1);
        _settleRefused(id, 1, "yes", abi.encodeWithSelector(EscrowTooLow.selector, id, REWARD - 1, REWARD));
    }

    // --- effects ---

    function test_Settle_MUST_PayCountDecideAndEmit() external {
        uint256 id = _mintFor(address(new WordVerifier()), 2);
        _submit(id);
        vm.expectEmit(address(task));
        emit ITaskTender.FulfillmentAccepted(id, 1, worker, REWARD);
        task.settleFulfillment(id, 1, "yes");
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
        assertEq(task.completionsOf(id), 1);
        assertEq(task.pendingOf(id), 0);
        assertEq(task.escrowBalanceOf(id), REWARD);
    }
}
