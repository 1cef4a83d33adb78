// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title ERC-8414 task binding: which task a token stands for, who may publish it, whether it may still change
/// @notice Identity is (tdHash, taskHash, version). The URI is a transport hint and never identity.
/// @dev ERC-165 identifier 0xcdaeb26d. Every view reverts for a token that does not exist.
interface ITaskToken {
    struct TaskBinding {
        bytes32 tdHash; // SHA-256 of the plaintext primary Markdown document
        bytes32 taskHash; // SHA-256 of the encoded TaskRoot as published
        uint64 version; // starts at 1, raised by exactly 1 per update
    }

    event TaskUpdated(uint256 indexed tokenId, bytes32 tdHash, bytes32 taskHash, uint64 version);
    event TaskURIUpdated(uint256 indexed tokenId, string taskURI);
    event TaskUpdateAuthorityChanged(
        uint256 indexed tokenId, address indexed previousAuthority, address indexed newAuthority
    );
    event TaskFrozen(uint256 indexed tokenId);

    /// @notice The current binding of `tokenId`.
    function taskOf(uint256 tokenId) external view returns (TaskBinding memory);

    /// @notice Where the package may be found. Verify what you fetch against the binding.
    function taskURI(uint256 tokenId) external view returns (string memory);

    /// @notice The only address that may publish, freeze and cancel.
    function updateAuthorityOf(uint256 tokenId) external view returns (address);

    /// @notice True once the content can never change again.
    function isTaskFrozen(uint256 tokenId) external view returns (bool);

    /// @notice Publish the next version. Both hashes are set in one step; `taskHash` must differ from the current one.
    function updateTask(uint256 tokenId, bytes32 tdHash, bytes32 taskHash) external;

    /// @notice Replace the transport hint. The version stays.
    function setTaskURI(uint256 tokenId, string calldata taskURI) external;

    /// @notice Hand publication to another address, never to zero.
    function setUpdateAuthority(uint256 tokenId, address newAuthority) external;

    /// @notice End all content updates for ever.
    function freezeTask(uint256 tokenId) external;
}
