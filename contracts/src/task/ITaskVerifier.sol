// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title ERC-8414 verifier: a contract in the judgment slot that settles deliveries by proof
/// @dev ERC-165 identifier 0x9977db15. A task contract never implements this; verifiers do.
interface ITaskVerifier {
    /// @notice Decide a submission mechanically. May be stateful.
    /// @dev Called by the task contract during `settleFulfillment`. False or a revert means that the proof does not
    ///      establish fulfillment; it is not a rejection.
    function verifyFulfillment(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) external returns (bool);
}
