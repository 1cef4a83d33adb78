// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {VerifierTest, IStockVerifier} from "./VerifierTest.sol";

/// @title BatchReceiptVerifier: receipts in a tree, profile x-batch-receipt-merkle-minage-v1
contract BatchReceiptVerifierTest is VerifierTest {
    uint64 private constant MIN_AGE = 60;
    bytes private constant RECEIPT = "receipt";
    bytes32 private leaf; // of the worker
    bytes32 private other; // of the stranger
    bytes32 private third;
    bytes32 private pair; // of the first two
    bytes32 private root;

    function setUp() public override {
        super.setUp();
        _open("BatchReceiptVerifier");
        leaf = _leafOf(RECEIPT, worker);
        other = _leafOf("receipt of the stranger", stranger);
        third = _leafOf("receipt of the funder", funder);
        pair = _hashPair(leaf, other);
        root = _hashPair(pair, third);
    }

    function _leafOf(bytes memory receipt, address fulfiller) private pure returns (bytes32) {
        return sha256(bytes.concat(receipt, bytes20(fulfiller)));
    }

    function _hashPair(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? sha256(bytes.concat(a, b)) : sha256(bytes.concat(b, a));
    }

    function _commit() private {
        vm.prank(publisher);
        verifier.commitBatchRoot(address(task), id, root, MIN_AGE);
    }

    function _proof(bytes memory receipt, bytes32 first, bytes32 second) private pure returns (bytes memory) {
        bytes32[] memory branch = new bytes32[](2);
        (branch[0], branch[1]) = (first, second);
        return abi.encode(receipt, branch);
    }

    function _workersProof() private view returns (bytes memory) {
        return _proof(RECEIPT, other, third);
    }

    function _deliverAndWait(address fulfiller, bytes32 resultHash) private returns (uint256 submissionId) {
        submissionId = _deliver(fulfiller, resultHash);
        vm.warp(vm.getBlockTimestamp() + MIN_AGE);
    }

    // --- commitBatchRoot ---

    function test_CommitBatchRoot_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, owner, publisher));
        vm.prank(owner);
        verifier.commitBatchRoot(address(task), id, root, MIN_AGE);
    }

    function test_CommitBatchRoot_RevertsWhen_RootIsZero() external {
        vm.expectRevert(IStockVerifier.EmptyCommitment.selector);
        vm.prank(publisher);
        verifier.commitBatchRoot(address(task), id, 0, MIN_AGE);
    }

    function test_CommitBatchRoot_RevertsWhen_MinAgeIsZero() external {
        vm.expectRevert(IStockVerifier.ZeroMinAge.selector);
        vm.prank(publisher);
        verifier.commitBatchRoot(address(task), id, root, 0);
    }

    function test_CommitBatchRoot_IsSetOnce() external {
        _commit();
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.AlreadyCommitted.selector, address(task), id));
        _commit();
    }

    function test_CommitBatchRoot_RecordsAndEmits() external {
        vm.expectEmit(address(verifier));
        emit IStockVerifier.BatchRootCommitted(address(task), id, root, MIN_AGE);
        _commit();
        (bytes32 committed, uint64 minAge) = verifier.batchOf(address(task), id);
        assertEq(committed, root);
        assertEq(minAge, MIN_AGE);
    }

    function test_CommitBatchRoot_HasTheInteroperableSignature() external {
        vm.prank(publisher);
        (bool success,) = address(verifier)
            .call(
                abi.encodeWithSignature(
                    "commitBatchRoot(address,uint256,bytes32,uint64)", address(task), id, root, MIN_AGE
                )
            );
        assertTrue(success);
    }

    // --- settling ---

    function test_Settle_PaysEveryReceiptOnce() external {
        _commit();
        uint256 first = _deliver(worker, leaf);
        uint256 second = _deliver(stranger, other);
        uint256 last = _deliver(funder, third);
        vm.warp(START + MIN_AGE);
        uint256 before = funder.balance;
        task.settleFulfillment(id, first, _workersProof());
        task.settleFulfillment(id, second, _proof("receipt of the stranger", leaf, third));
        bytes32[] memory branch = new bytes32[](1);
        branch[0] = pair;
        task.settleFulfillment(id, last, abi.encode(bytes("receipt of the funder"), branch));
        assertEq(worker.balance, REWARD);
        assertEq(stranger.balance, REWARD);
        assertEq(funder.balance, before + REWARD);
    }

    function test_Settle_MayHaveOneReceiptWithoutABranch() external {
        root = leaf;
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, leaf), abi.encode(RECEIPT, new bytes32[](0)));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsBeforeTheRootIsCommitted() external {
        _settleRefused(_deliverAndWait(worker, leaf), _workersProof());
    }

    function test_Settle_RevertsOneSecondBeforeTheMinimumAge() external {
        _commit();
        uint256 submissionId = _deliver(worker, leaf);
        vm.warp(START + MIN_AGE - 1);
        _settleRefused(submissionId, _workersProof());
        vm.warp(START + MIN_AGE);
        task.settleFulfillment(id, submissionId, _workersProof());
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_DoesNotOverflowWith_TheLargestMinimumAge() external {
        vm.prank(publisher);
        verifier.commitBatchRoot(address(task), id, root, type(uint64).max);
        _settleRefused(_deliverAndWait(worker, leaf), _workersProof());
    }

    function test_Settle_RevertsFor_AReceiptThatIsNotInTheTree() external {
        _commit();
        bytes32 invented = _leafOf("invented", worker);
        _settleRefused(_deliverAndWait(worker, invented), _proof("invented", other, third));
    }

    function test_Settle_RevertsFor_AWrongOrShortBranch() external {
        _commit();
        uint256 submissionId = _deliverAndWait(worker, leaf);
        _settleRefused(submissionId, _proof(RECEIPT, third, other));
        _settleRefused(submissionId, _proof(RECEIPT, other, other));
        bytes32[] memory branch = new bytes32[](1);
        branch[0] = other;
        _settleRefused(submissionId, abi.encode(RECEIPT, branch));
    }

    /// A tree that hashes its pairs in the order of the leaves is another tree.
    function test_Settle_RevertsFor_AnUnsortedTree() external {
        (bytes32 low, bytes32 high) = leaf < other ? (leaf, other) : (other, leaf);
        root = sha256(bytes.concat(high, low));
        _commit();
        bytes32[] memory branch = new bytes32[](1);
        branch[0] = other;
        _settleRefused(_deliverAndWait(worker, leaf), abi.encode(RECEIPT, branch));
    }

    function test_Settle_RevertsFor_AnotherFulfillersReceipt() external {
        _commit();
        _settleRefused(_deliverAndWait(stranger, leaf), _workersProof());
    }

    function test_Settle_RevertsFor_AnotherResult() external {
        _commit();
        _settleRefused(_deliverAndWait(worker, RESULT), _workersProof());
    }

    /// The same fulfiller, the same receipt, twice: the fault of others.
    function test_Settle_RevertsFor_AConsumedReceipt() external {
        _commit();
        uint256 first = _deliver(worker, leaf);
        uint256 second = _deliverAndWait(worker, leaf);
        task.settleFulfillment(id, first, _workersProof());
        assertTrue(verifier.isConsumed(address(task), id, leaf));
        _settleRefused(second, _workersProof());
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_LeavesTheDeliveryPendingFor_AMalformedProof() external {
        _commit();
        uint256 submissionId = _deliverAndWait(worker, leaf);
        _settleRefused(submissionId, "");
        _settleRefused(submissionId, hex"00");
        _settleRefused(submissionId, abi.encode(type(uint256).max, type(uint256).max));
        _settleRefused(submissionId, abi.encode(RECEIPT));
        assertEq(task.pendingOf(id), 1);
        assertFalse(verifier.isConsumed(address(task), id, leaf));
        task.settleFulfillment(id, submissionId, _workersProof());
    }

    function testFuzz_Settle_LeavesTheDeliveryPendingFor_AnyOtherProof(bytes calldata proof) external {
        _commit();
        _settleRefused(_deliverAndWait(worker, leaf), proof);
    }

    // --- depth of the tree ---

    /// @dev A branch of `depth` siblings, and the root that it leads to.
    function _deepTree(uint256 depth) private view returns (bytes32[] memory branch, bytes32 top) {
        branch = new bytes32[](depth);
        top = leaf;
        for (uint256 i = 0; i < depth; i++) {
            branch[i] = bytes32(i);
            top = _hashPair(top, branch[i]);
        }
    }

    function test_Settle_AcceptsABranchOfThirtyTwo() external {
        bytes32[] memory branch;
        (branch, root) = _deepTree(32);
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, leaf), abi.encode(RECEIPT, branch));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsFor_ABranchOfThirtyThree() external {
        bytes32[] memory branch;
        (branch, root) = _deepTree(33);
        _commit();
        _settleRefused(_deliverAndWait(worker, leaf), abi.encode(RECEIPT, branch));
    }

    function testFuzz_Settle_AcceptsEveryReceiptOfATree(uint8 size, uint8 chosen, bytes32 salt) external {
        uint256 leaves = bound(size, 1, 16);
        uint256 index = chosen % leaves;
        bytes32[] memory level = new bytes32[](leaves);
        for (uint256 i = 0; i < leaves; i++) {
            level[i] = _leafOf(abi.encode(salt, i), worker);
        }
        bytes32 result = level[index];
        bytes memory receipt = abi.encode(salt, index);
        bytes32[] memory branch = new bytes32[](8);
        uint256 depth;
        while (level.length > 1) {
            if (index ^ 1 < level.length) branch[depth++] = level[index ^ 1];
            bytes32[] memory next = new bytes32[]((level.length + 1) / 2);
            for (uint256 i = 0; i < next.length; i++) {
                next[i] = 2 * i + 1 < level.length ? _hashPair(level[2 * i], level[2 * i + 1]) : level[2 * i];
            }
            (level, index) = (next, index / 2);
        }
        assembly ("memory-safe") {
            mstore(branch, depth) // only shortens
        }
        root = level[0];
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, result), abi.encode(receipt, branch));
        assertEq(worker.balance, REWARD);
    }

    // --- identity ---

    function test_Verifier_DeclaresItself() external view {
        assertTrue(verifier.supportsInterface(0x9977db15));
        assertTrue(verifier.supportsInterface(0x01ffc9a7));
        assertFalse(verifier.supportsInterface(0xffffffff));
        assertEq(verifier.profile(), "x-batch-receipt-merkle-minage-v1");
    }

    /// Expired deliveries go back; the receipt is not lost with them.
    function test_Release_LeavesTheReceiptUsable() external {
        _commit();
        uint256 submissionId = _deliver(worker, leaf);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
        task.settleFulfillment(id, _deliverAndWait(worker, leaf), _workersProof());
        assertEq(worker.balance, REWARD);
    }
}
