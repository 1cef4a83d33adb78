// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title ERC-8414 on-chain document: the plaintext primary document, read from the chain itself
/// @dev ERC-165 identifier 0xeb078d05.
interface IOnchainTaskDocument {
    event TaskDocumentPublished(uint256 indexed tokenId, bytes32 tdHash);

    /// @notice Whether a plaintext copy exists. Reverts for a nonexistent token. Once true, true for ever.
    function hasOnchainTaskDocument(uint256 tokenId) external view returns (bool);

    /// @notice The exact bytes of the primary document. Reverts while there is no copy.
    function taskDocument(uint256 tokenId) external view returns (bytes memory document);

    /// @notice Update binding and on-chain document in one step; tdHash is sha256(document), computed in the contract.
    function updateTaskWithDocument(uint256 tokenId, bytes calldata document, bytes32 taskHash) external;

    /// @notice Publish the current document without a version change; sha256(document) must equal the bound tdHash.
    function publishTaskDocument(uint256 tokenId, bytes calldata document) external;
}
