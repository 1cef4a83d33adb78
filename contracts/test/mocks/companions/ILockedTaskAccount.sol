// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title What a locked account of a task token offers
interface ILockedTaskAccount {
    event Swept(address indexed asset, address indexed vault, uint256 amount);

    error AccountLocked();
    error NotTokenBound();
    error OtherChain(uint256 chainId);
    error NothingToSweep(address asset);
    error SweepFailed(address asset, address vault, uint256 amount);

    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);
    function state() external view returns (uint256);
    function owner() external view returns (address);
    function isValidSigner(address signer, bytes calldata context) external view returns (bytes4);
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
    function execute(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        payable
        returns (bytes memory);
    function sweep(address asset) external returns (uint256 moved);
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
