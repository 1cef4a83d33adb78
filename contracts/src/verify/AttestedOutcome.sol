// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {StockVerifier} from "./StockVerifier.sol";

/// @title Outcomes that K of N named keys have signed
/// @notice What an attestor signs is the EIP-712 message `Outcome`: one delivery of one tender of one task contract,
///         with its fulfiller and its result, in the domain of this verifier on this chain. There is nothing to sign
///         for a bad delivery: an outcome that nobody signs expires.
abstract contract AttestedOutcome is StockVerifier, EIP712 {
    struct Attestation {
        uint8 threshold;
        mapping(address attestor => bool) isAttestor;
    }

    /// @dev Bounds what a proof costs: 32 recoveries are about 150,000 gas.
    uint256 private constant MAX_ATTESTORS = 32;
    bytes32 private constant OUTCOME_TYPEHASH = keccak256(
        "Outcome(address taskContract,uint256 tokenId,uint256 submissionId,address fulfiller,bytes32 resultHash)"
    );

    event AttestorsCommitted(
        address indexed taskContract, uint256 indexed tokenId, address[] attestors, uint256 threshold
    );

    error AttestorsNotAscending(address previous, address attestor);
    error TooManyAttestors(uint256 count, uint256 max);
    error ThresholdOutOfRange(uint256 threshold, uint256 attestors);

    mapping(address taskContract => mapping(uint256 tokenId => Attestation)) private _attestations;

    /// @notice How many signatures a proof holds; 0 until the publisher has committed.
    function thresholdOf(address taskContract, uint256 tokenId) external view returns (uint256) {
        return _attestations[taskContract][tokenId].threshold;
    }

    function isAttestor(address taskContract, uint256 tokenId, address account) external view returns (bool) {
        return _attestations[taskContract][tokenId].isAttestor[account];
    }

    /// @notice The digest that an attestor signs for a delivery.
    function outcomeDigest(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash
    ) public view returns (bytes32) {
        return _hashTypedDataV4(
            keccak256(abi.encode(OUTCOME_TYPEHASH, taskContract, tokenId, submissionId, fulfiller, resultHash))
        );
    }

    /// @param attestors ascending, so that none is zero and none occurs twice
    function _commitAttestors(address taskContract, uint256 tokenId, address[] calldata attestors, uint256 threshold)
        internal
    {
        if (attestors.length > MAX_ATTESTORS) revert TooManyAttestors(attestors.length, MAX_ATTESTORS);
        if (threshold == 0 || threshold > attestors.length) revert ThresholdOutOfRange(threshold, attestors.length);
        Attestation storage a = _attestations[taskContract][tokenId];
        if (a.threshold != 0) revert AlreadyCommitted(taskContract, tokenId);
        a.threshold = uint8(threshold); // at most MAX_ATTESTORS
        address previous;
        for (uint256 i = 0; i < attestors.length; i++) {
            if (attestors[i] <= previous) revert AttestorsNotAscending(previous, attestors[i]);
            previous = attestors[i];
            a.isAttestor[previous] = true;
        }
        emit AttestorsCommitted(taskContract, tokenId, attestors, threshold);
    }

    /// @param proof abi.encode(bytes[] signatures): exactly the threshold of them, each 65 bytes r, s, v, in ascending
    ///        order of their signers, so that no signer counts twice. A proof that does not decode reverts, which the
    ///        task contract treats as not accepted.
    function _isAttested(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal view returns (bool) {
        Attestation storage a = _attestations[taskContract][tokenId];
        uint256 threshold = a.threshold;
        if (threshold == 0) return false;
        bytes[] memory signatures = abi.decode(proof, (bytes[]));
        if (signatures.length != threshold) return false;
        bytes32 digest = outcomeDigest(taskContract, tokenId, submissionId, fulfiller, resultHash);
        address previous;
        for (uint256 i = 0; i < threshold; i++) {
            // no signer is zero: a signature that recovers to nobody is not above `previous`
            (address signer,,) = ECDSA.tryRecover(digest, signatures[i]);
            if (signer <= previous || !a.isAttestor[signer]) return false;
            previous = signer;
        }
        return true;
    }
}
