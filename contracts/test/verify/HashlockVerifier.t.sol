// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {VerifierTest, IStockVerifier} from "./VerifierTest.sol";

/// @title HashlockVerifier: whoever knows the answer, profile x-hashlock-v1
contract HashlockVerifierTest is VerifierTest {
    bytes private constant ANSWER = "the answer";
    bytes32 private answerHash;

    function setUp() public override {
        super.setUp();
        _open("HashlockVerifier");
        answerHash = sha256(ANSWER);
    }

    function _commit() private {
        vm.prank(publisher);
        verifier.commitAnswer(address(task), id, answerHash);
    }

    function _resultOf(address fulfiller) private pure returns (bytes32) {
        return sha256(abi.encodePacked(ANSWER, fulfiller));
    }

    // --- commitAnswer ---

    function test_CommitAnswer_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        address[3] memory callers = [owner, judge, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, callers[i], publisher));
            vm.prank(callers[i]);
            verifier.commitAnswer(address(task), id, answerHash);
        }
    }

    function test_CommitAnswer_RevertsWhen_Zero() external {
        vm.expectRevert(IStockVerifier.EmptyCommitment.selector);
        vm.prank(publisher);
        verifier.commitAnswer(address(task), id, 0);
    }

    function test_CommitAnswer_IsSetOnce() external {
        _commit();
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.AlreadyCommitted.selector, address(task), id));
        _commit();
    }

    function test_CommitAnswer_RecordsAndEmits() external {
        vm.expectEmit(address(verifier));
        emit IStockVerifier.AnswerCommitted(address(task), id, answerHash);
        _commit();
        assertEq(verifier.answerHashOf(address(task), id), answerHash);
        assertEq(verifier.answerHashOf(address(task), id + 1), 0);
    }

    function test_CommitAnswer_HasTheInteroperableSignature() external {
        vm.prank(publisher);
        (bool success,) = address(verifier)
            .call(abi.encodeWithSignature("commitAnswer(address,uint256,bytes32)", address(task), id, answerHash));
        assertTrue(success);
        assertEq(
            IStockVerifier.AnswerCommitted.selector, keccak256("AnswerCommitted(address,uint256,bytes32)"), "event"
        );
    }

    // --- settling ---

    function test_Settle_PaysWhoeverKnowsTheAnswer() external {
        _commit();
        uint256 submissionId = _deliver(worker, _resultOf(worker));
        assertTrue(task.submissionOf(id, submissionId).machineSettled);
        task.settleFulfillment(id, submissionId, ANSWER);
        assertEq(worker.balance, REWARD);
    }

    /// Fulfiller as 20 bytes behind the answer: the same bytes that other tools hash.
    function test_Settle_BindsTheResultToTwentyBytesOfTheFulfiller() external {
        _commit();
        bytes memory preimage = bytes.concat(ANSWER, bytes20(worker));
        assertEq(preimage.length, ANSWER.length + 20);
        task.settleFulfillment(id, _deliver(worker, sha256(preimage)), ANSWER);
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsBeforeTheAnswerIsCommitted() external {
        _settleRefused(_deliver(worker, _resultOf(worker)), ANSWER);
    }

    function test_Settle_RevertsWith_AnotherAnswer() external {
        _commit();
        _settleRefused(_deliver(worker, _resultOf(worker)), "another answer");
        uint256 second = _deliver(worker, sha256(abi.encodePacked("another answer", worker)));
        _settleRefused(second, "another answer");
        _settleRefused(second, "");
    }

    /// A copied result does not settle for the copier, and a copied proof does not settle a copied delivery.
    function test_Settle_RevertsFor_ACopiedDelivery() external {
        _commit();
        bytes32 result = _resultOf(worker);
        _deliver(worker, result);
        _settleRefused(_deliver(stranger, result), ANSWER);
    }

    function test_Settle_RevertsFor_TheSameDeliveryTwice() external {
        _commit();
        bytes32 result = _resultOf(worker);
        task.settleFulfillment(id, _deliver(worker, result), ANSWER);
        assertTrue(verifier.isConsumed(address(task), id, result));
        _settleRefused(_deliver(worker, result), ANSWER);
        assertEq(worker.balance, REWARD);
    }

    // --- who may ask ---

    function test_Verify_RevertsWhen_CallerIsNotTheTaskContract() external {
        _commit();
        bytes32 result = _resultOf(worker);
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotTaskContract.selector, stranger, address(task)));
        vm.prank(stranger);
        verifier.verifyFulfillment(address(task), id, 1, worker, result, ANSWER);
        assertFalse(verifier.isConsumed(address(task), id, result));
    }

    function test_Verify_KeepsTaskContractsApart() external {
        _commit();
        bytes32 result = _resultOf(worker);
        vm.prank(stranger); // a task contract of its own
        assertFalse(verifier.verifyFulfillment(stranger, id, 1, worker, result, ANSWER));
        assertFalse(verifier.isConsumed(address(task), id, result));
    }

    // --- identity ---

    function test_Verifier_DeclaresItself() external view {
        assertTrue(verifier.supportsInterface(0x9977db15));
        assertTrue(verifier.supportsInterface(0x01ffc9a7));
        assertFalse(verifier.supportsInterface(0xffffffff));
        assertEq(verifier.profile(), "x-hashlock-v1");
    }
}
