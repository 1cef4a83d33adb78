// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {StockVerifier} from "./StockVerifier.sol";

/// @title Settles whoever holds one of many secrets, each once: profile `x-merkle-secrets-sha256-minage-v1`
/// @notice A secret is 32 bytes that nobody can guess: a random number, or a digest of an answer together with one. Its
///         leaf is sha256(0x00 || secret); a node is sha256(0x01 || a || b) with a <= b. The resultHash of a delivery
///         is sha256(secret || fulfiller) with the fulfiller as 20 bytes, and the proof is abi.encode(bytes32 secret,
///         bytes32[] branch). Receipts that are bound to a fulfiller beforehand are the batch receipt profile; here
///         whoever learns a secret first may use it.
/// @dev Front-running posture: a secret settles one completion and no other secret is learned from it, since a branch
///      shows digests only. A copied proof cannot settle a copied delivery, whose resultHash names another fulfiller;
///      and a delivery settles only `minAge` seconds after it was made, so whoever learns a secret from the mempool
///      delivers too late, unless the first settlement fails and waits longer than `minAge`. Settle when the epoch has
///      room.
///
///      Assumptions about others: the publisher's process gives each secret to one party and keeps the rest; the task
///      contract reports `submittedAt` as it was.
contract MerkleSecretVerifier is StockVerifier {
    struct Secrets {
        bytes32 root;
        uint64 minAge; // seconds
    }

    /// @dev A tree of 2^32 secrets is more than any tender can pay.
    uint256 private constant MAX_BRANCH = 32;

    event SecretsCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 root, uint64 minAge);
    event SecretSpent(address indexed taskContract, uint256 indexed tokenId, bytes32 indexed leaf);

    error MinAgeOutOfRange(uint64 minAge, uint64 judgmentWindow);

    mapping(address taskContract => mapping(uint256 tokenId => Secrets)) public secretsOf;
    mapping(address taskContract => mapping(uint256 tokenId => mapping(bytes32 leaf => bool))) public isSpent;

    /// @notice Commit to the root of all secrets, once, as the tender's update authority.
    /// @param minAge seconds that a delivery must be old before it settles; greater than zero, and below the judgment
    ///        window, after which anyone may release the delivery
    function commitSecrets(address taskContract, uint256 tokenId, bytes32 root, uint64 minAge)
        external
        onlyPublisher(taskContract, tokenId)
    {
        if (root == 0) revert EmptyCommitment();
        uint64 window = ITaskTender(taskContract).tenderTermsOf(tokenId).judgmentWindow;
        if (minAge == 0 || minAge >= window) revert MinAgeOutOfRange(minAge, window);
        if (secretsOf[taskContract][tokenId].root != 0) revert AlreadyCommitted(taskContract, tokenId);
        secretsOf[taskContract][tokenId] = Secrets(root, minAge);
        emit SecretsCommitted(taskContract, tokenId, root, minAge);
    }

    function profile() external pure override returns (string memory) {
        return "x-merkle-secrets-sha256-minage-v1";
    }

    /// @dev A proof that does not decode reverts, which the task contract treats as not accepted. No node is zero, so a
    ///      tender without a root accepts nothing.
    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal override returns (bool) {
        Secrets memory secrets = secretsOf[taskContract][tokenId];
        uint256 submittedAt = ITaskTender(taskContract).submissionOf(tokenId, submissionId).submittedAt;
        if (block.timestamp < submittedAt + secrets.minAge) return false;
        (bytes32 secret, bytes32[] memory branch) = abi.decode(proof, (bytes32, bytes32[]));
        if (branch.length > MAX_BRANCH) return false;
        if (sha256(abi.encodePacked(secret, fulfiller)) != resultHash) return false;
        bytes32 leaf = sha256(abi.encodePacked(bytes1(0x00), secret));
        if (MerkleProof.processProof(branch, leaf, _hashNode) != secrets.root) return false;
        if (isSpent[taskContract][tokenId][leaf]) return false;
        isSpent[taskContract][tokenId][leaf] = true;
        emit SecretSpent(taskContract, tokenId, leaf);
        return true;
    }

    function _hashNode(bytes32 a, bytes32 b) private pure returns (bytes32) {
        return a < b ? sha256(abi.encodePacked(bytes1(0x01), a, b)) : sha256(abi.encodePacked(bytes1(0x01), b, a));
    }
}
