// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IMerkleSecretVerifier} from "../mocks/companions/IAttestedVerifiers.sol";
import {VerifierTest, IStockVerifier} from "./VerifierTest.sol";

/// @title MerkleSecretVerifier: one secret per completion, profile x-merkle-secrets-sha256-minage-v1
contract MerkleSecretVerifierTest is VerifierTest {
    uint64 private constant MIN_AGE = 60;
    bytes32 private constant SECRET = keccak256("secret 0");
    bytes32 private constant OTHER_SECRET = keccak256("secret 1");
    IMerkleSecretVerifier private merkle;
    bytes32 private leaf;
    bytes32 private other;
    bytes32 private root;

    function setUp() public override {
        super.setUp();
        _open("MerkleSecretVerifier");
        merkle = IMerkleSecretVerifier(address(verifier));
        (leaf, other) = (_leafOf(SECRET), _leafOf(OTHER_SECRET));
        root = _hashNode(leaf, other);
    }

    function _leafOf(bytes32 secret) private pure returns (bytes32) {
        return sha256(bytes.concat(hex"00", secret));
    }

    function _hashNode(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? sha256(bytes.concat(hex"01", a, b)) : sha256(bytes.concat(hex"01", b, a));
    }

    function _resultOf(bytes32 secret, address fulfiller) private pure returns (bytes32) {
        return sha256(bytes.concat(secret, bytes20(fulfiller)));
    }

    function _commit() private {
        vm.prank(publisher);
        merkle.commitSecrets(address(task), id, root, MIN_AGE);
    }

    function _proof(bytes32 secret, bytes32 sibling) private pure returns (bytes memory) {
        bytes32[] memory branch = new bytes32[](1);
        branch[0] = sibling;
        return abi.encode(secret, branch);
    }

    function _deliverAndWait(address fulfiller, bytes32 resultHash) private returns (uint256 submissionId) {
        submissionId = _deliver(fulfiller, resultHash);
        vm.warp(vm.getBlockTimestamp() + MIN_AGE);
    }

    // --- commitSecrets ---

    function test_CommitSecrets_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, owner, publisher));
        vm.prank(owner);
        merkle.commitSecrets(address(task), id, root, MIN_AGE);
    }

    function test_CommitSecrets_RevertsWhen_RootIsZero() external {
        vm.expectRevert(IStockVerifier.EmptyCommitment.selector);
        vm.prank(publisher);
        merkle.commitSecrets(address(task), id, 0, MIN_AGE);
    }

    /// From the judgment window on anyone may release a delivery, so it has to be able to settle before.
    function test_CommitSecrets_RevertsWhen_MinAgeIsOutOfRange() external {
        uint64[3] memory ages = [0, WINDOW, type(uint64).max];
        for (uint256 i = 0; i < ages.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IMerkleSecretVerifier.MinAgeOutOfRange.selector, ages[i], WINDOW));
            vm.prank(publisher);
            merkle.commitSecrets(address(task), id, root, ages[i]);
        }
        vm.prank(publisher);
        merkle.commitSecrets(address(task), id, root, WINDOW - 1);
    }

    function test_CommitSecrets_IsSetOnce() external {
        _commit();
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.AlreadyCommitted.selector, address(task), id));
        _commit();
    }

    function test_CommitSecrets_RecordsAndEmits() external {
        vm.expectEmit(address(verifier));
        emit IMerkleSecretVerifier.SecretsCommitted(address(task), id, root, MIN_AGE);
        _commit();
        (bytes32 committed, uint64 minAge) = merkle.secretsOf(address(task), id);
        assertEq(committed, root);
        assertEq(minAge, MIN_AGE);
    }

    // --- settling ---

    function test_Settle_PaysEverySecretOnce() external {
        _commit();
        uint256 first = _deliver(worker, _resultOf(SECRET, worker));
        uint256 second = _deliverAndWait(stranger, _resultOf(OTHER_SECRET, stranger));
        vm.expectEmit(address(verifier));
        emit IMerkleSecretVerifier.SecretSpent(address(task), id, leaf);
        task.settleFulfillment(id, first, _proof(SECRET, other));
        task.settleFulfillment(id, second, _proof(OTHER_SECRET, leaf));
        assertEq(worker.balance, REWARD);
        assertEq(stranger.balance, REWARD);
    }

    function test_Settle_MayHaveOneSecretWithoutABranch() external {
        root = leaf;
        _commit();
        uint256 submissionId = _deliverAndWait(worker, _resultOf(SECRET, worker));
        task.settleFulfillment(id, submissionId, abi.encode(SECRET, new bytes32[](0)));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsBeforeTheRootIsCommitted() external {
        _settleRefused(_deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
    }

    function test_Settle_RevertsOneSecondBeforeTheMinimumAge() external {
        _commit();
        uint256 submissionId = _deliver(worker, _resultOf(SECRET, worker));
        vm.warp(START + MIN_AGE - 1);
        _settleRefused(submissionId, _proof(SECRET, other));
        vm.warp(START + MIN_AGE);
        task.settleFulfillment(id, submissionId, _proof(SECRET, other));
    }

    /// The same secret under two names, which have two results: what only a record of the secret itself can refuse.
    function test_Settle_MUST_ConsumeTheSecretNotOnlyTheResult() external {
        _commit();
        uint256 first = _deliver(worker, _resultOf(SECRET, worker));
        uint256 second = _deliverAndWait(stranger, _resultOf(SECRET, stranger));
        task.settleFulfillment(id, first, _proof(SECRET, other));
        assertTrue(merkle.isSpent(address(task), id, leaf));
        assertFalse(merkle.isSpent(address(task), id, other));
        _settleRefused(second, _proof(SECRET, other));
        assertEq(stranger.balance, 0);
    }

    function test_Settle_SpendsASecretOfOneTenderOnly() external {
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
        id = _mint(_terms(), address(verifier));
        _fund(id, funder, REWARD);
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
        assertEq(worker.balance, 2 * REWARD);
    }

    function test_Settle_RevertsFor_ACopiedProofOnACopiedDelivery() external {
        _commit();
        bytes32 result = _resultOf(SECRET, worker);
        _deliver(worker, result);
        _settleRefused(_deliverAndWait(stranger, result), _proof(SECRET, other));
    }

    /// Whoever learns a secret from the mempool has no delivery that is old enough.
    function test_Settle_RevertsFor_WhoeverDeliversAfterTheSecretIsSeen() external {
        _commit();
        uint256 honest = _deliverAndWait(worker, _resultOf(SECRET, worker));
        uint256 copied = _deliver(stranger, _resultOf(SECRET, stranger));
        _settleRefused(copied, _proof(SECRET, other));
        task.settleFulfillment(id, honest, _proof(SECRET, other));
        vm.warp(vm.getBlockTimestamp() + MIN_AGE);
        _settleRefused(copied, _proof(SECRET, other));
    }

    function test_Settle_RevertsFor_AnotherSecretOrBranch() external {
        _commit();
        bytes32 invented = keccak256("invented");
        _settleRefused(_deliverAndWait(worker, _resultOf(invented, worker)), _proof(invented, other));
        uint256 submissionId = _deliverAndWait(worker, _resultOf(SECRET, worker));
        _settleRefused(submissionId, _proof(SECRET, leaf));
        _settleRefused(submissionId, abi.encode(SECRET, new bytes32[](0)));
        _settleRefused(submissionId, _proof(OTHER_SECRET, leaf));
    }

    /// A node of the tree is no leaf: leaves and nodes are hashed apart.
    function test_Settle_RevertsFor_ANodeInThePlaceOfASecret() external {
        root = sha256(bytes.concat(hex"00", root));
        _commit();
        bytes32 node = _hashNode(leaf, other);
        uint256 submissionId = _deliverAndWait(worker, _resultOf(node, worker));
        // this tree has one leaf, whose secret is the node; below it there is nothing
        task.settleFulfillment(id, submissionId, abi.encode(node, new bytes32[](0)));
        _settleRefused(_deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
    }

    function test_Settle_RevertsFor_AnUnsortedTree() external {
        (bytes32 low, bytes32 high) = leaf < other ? (leaf, other) : (other, leaf);
        root = sha256(bytes.concat(hex"01", high, low));
        _commit();
        _settleRefused(_deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
    }

    function test_Settle_LeavesTheDeliveryPendingFor_AMalformedProof() external {
        _commit();
        uint256 submissionId = _deliverAndWait(worker, _resultOf(SECRET, worker));
        _settleRefused(submissionId, "");
        _settleRefused(submissionId, abi.encode(SECRET));
        _settleRefused(submissionId, abi.encode(SECRET, type(uint256).max));
        assertFalse(merkle.isSpent(address(task), id, leaf));
        task.settleFulfillment(id, submissionId, _proof(SECRET, other));
    }

    function testFuzz_Settle_LeavesTheDeliveryPendingFor_AnyOtherProof(bytes calldata proof) external {
        _commit();
        _settleRefused(_deliverAndWait(worker, _resultOf(SECRET, worker)), proof);
    }

    /// @dev A branch of `depth` siblings, and the root that it leads to.
    function _deepTree(uint256 depth) private view returns (bytes32[] memory branch, bytes32 top) {
        branch = new bytes32[](depth);
        top = leaf;
        for (uint256 i = 0; i < depth; i++) {
            branch[i] = bytes32(i);
            top = _hashNode(top, branch[i]);
        }
    }

    function test_Settle_AcceptsABranchOfThirtyTwo() external {
        bytes32[] memory branch;
        (branch, root) = _deepTree(32);
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, _resultOf(SECRET, worker)), abi.encode(SECRET, branch));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsFor_ABranchOfThirtyThree() external {
        bytes32[] memory branch;
        (branch, root) = _deepTree(33);
        _commit();
        _settleRefused(_deliverAndWait(worker, _resultOf(SECRET, worker)), abi.encode(SECRET, branch));
    }

    function testFuzz_Settle_AcceptsEverySecretOfATree(uint8 size, uint8 chosen, bytes32 salt) external {
        uint256 leaves = bound(size, 1, 16);
        uint256 index = chosen % leaves;
        bytes32 secret = keccak256(abi.encode(salt, index));
        bytes32[] memory level = new bytes32[](leaves);
        for (uint256 i = 0; i < leaves; i++) {
            level[i] = _leafOf(keccak256(abi.encode(salt, i)));
        }
        bytes32[] memory branch = new bytes32[](8);
        uint256 depth;
        while (level.length > 1) {
            if (index ^ 1 < level.length) branch[depth++] = level[index ^ 1];
            bytes32[] memory next = new bytes32[]((level.length + 1) / 2);
            for (uint256 i = 0; i < next.length; i++) {
                next[i] = 2 * i + 1 < level.length ? _hashNode(level[2 * i], level[2 * i + 1]) : level[2 * i];
            }
            (level, index) = (next, index / 2);
        }
        assembly ("memory-safe") {
            mstore(branch, depth) // only shortens
        }
        root = level[0];
        _commit();
        task.settleFulfillment(id, _deliverAndWait(worker, _resultOf(secret, worker)), abi.encode(secret, branch));
        assertEq(worker.balance, REWARD);
    }

    /// Expired deliveries go back; the secret is not lost with them.
    function test_Release_LeavesTheSecretUsable() external {
        _commit();
        uint256 submissionId = _deliver(worker, _resultOf(SECRET, worker));
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
        task.settleFulfillment(id, _deliverAndWait(worker, _resultOf(SECRET, worker)), _proof(SECRET, other));
        assertEq(worker.balance, REWARD);
    }

    function test_Verifier_DeclaresItself() external view {
        assertTrue(verifier.supportsInterface(0x9977db15));
        assertFalse(verifier.supportsInterface(0xffffffff));
        assertEq(verifier.profile(), "x-merkle-secrets-sha256-minage-v1");
    }
}
