// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {AttestedOutcome} from "./AttestedOutcome.sol";

/// @title Settles what K of N attestors have signed: profile `x-signed-outcome-eip712-v1`
/// @notice The publisher names the attestors once. Each signs the outcome of one delivery, off-chain; whoever holds
///         enough signatures settles it.
/// @dev Front-running posture: a signed outcome names the delivery and its fulfiller, so whoever copies the proof from
///      the mempool can only settle that delivery, for that fulfiller. Nothing else is unlocked by it.
///
///      Assumptions about others: fewer than K attestors sign what is not so, and at most N - K keys are lost. An
///      attestor that is a contract cannot sign here; it may hold the judgment slot itself. The task contract answers
///      `updateAuthorityOf` truthfully; one that lies harms its own tenders, since everything here is kept by task
///      contract.
contract SignedOutcomeVerifier is AttestedOutcome {
    constructor() EIP712("Oikos Signed Outcome", "1") {}

    /// @notice Name the attestors, once, as the tender's update authority.
    /// @param attestors ascending addresses, at most 32
    /// @param threshold how many of them have to sign, from 1 to all
    function commitAttestors(address taskContract, uint256 tokenId, address[] calldata attestors, uint256 threshold)
        external
        onlyPublisher(taskContract, tokenId)
    {
        _commitAttestors(taskContract, tokenId, attestors, threshold);
    }

    function profile() external pure override returns (string memory) {
        return "x-signed-outcome-eip712-v1";
    }

    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal view override returns (bool) {
        return _isAttested(taskContract, tokenId, submissionId, fulfiller, resultHash, proof);
    }
}
