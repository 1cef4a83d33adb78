// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {StockVerifier} from "./StockVerifier.sol";

/// @title Settles batches that the publisher's checking process receipted: profile `x-batch-receipt-merkle-minage-v1`
/// @notice The leaf, which is also the delivery's resultHash, is sha256(receipt || fulfiller); the tree hashes sorted
///         pairs with SHA-256; the proof is abi.encode(bytes receipt, bytes32[] branch).
/// @dev Front-running posture: one secret receipt per completion, bound to its fulfiller, so a revealed receipt unlocks
///      nothing else; and a delivery settles only `minAge` seconds after it was made, so nobody can deliver and settle
///      on what the mempool just showed. A leaf has at least 20 bytes of preimage that are the fulfiller's address, so
///      an inner node passes for a leaf only if its last 20 bytes are an address that somebody controls.
contract BatchReceiptVerifier is StockVerifier {
    struct Batch {
        bytes32 root;
        uint64 minAge; // seconds
    }

    /// @dev A tree of 2^32 receipts is more than any tender can pay.
    uint256 private constant MAX_BRANCH = 32;

    event BatchRootCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 root, uint64 minAge);

    error ZeroMinAge();

    mapping(address taskContract => mapping(uint256 tokenId => Batch)) public batchOf;

    /// @notice Commit to the root of all receipts, once, as the tender's update authority.
    /// @param minAge seconds that a delivery must be old before it settles; greater than zero
    function commitBatchRoot(address taskContract, uint256 tokenId, bytes32 root, uint64 minAge)
        external
        onlyPublisher(taskContract, tokenId)
    {
        if (root == 0) revert EmptyCommitment();
        if (minAge == 0) revert ZeroMinAge();
        if (batchOf[taskContract][tokenId].root != 0) revert AlreadyCommitted(taskContract, tokenId);
        batchOf[taskContract][tokenId] = Batch(root, minAge);
        emit BatchRootCommitted(taskContract, tokenId, root, minAge);
    }

    function profile() external pure override returns (string memory) {
        return "x-batch-receipt-merkle-minage-v1";
    }

    /// @dev A proof that does not decode reverts, which the task contract treats as not accepted.
    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal view override returns (bool) {
        Batch memory batch = batchOf[taskContract][tokenId];
        if (batch.root == 0) return false;
        uint256 submittedAt = ITaskTender(taskContract).submissionOf(tokenId, submissionId).submittedAt;
        if (block.timestamp < submittedAt + batch.minAge) return false;
        (bytes memory receipt, bytes32[] memory branch) = abi.decode(proof, (bytes, bytes32[]));
        if (branch.length > MAX_BRANCH) return false;
        if (sha256(abi.encodePacked(receipt, fulfiller)) != resultHash) return false;
        return MerkleProof.processProof(branch, resultHash, _hashSortedPair) == batch.root;
    }

    function _hashSortedPair(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? sha256(abi.encodePacked(a, b)) : sha256(abi.encodePacked(b, a));
    }
}
