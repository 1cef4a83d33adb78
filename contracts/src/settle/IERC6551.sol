// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title ERC-6551 account that is bound to a non-fungible token
/// @dev ERC-165 identifier 0x6faff5f1.
interface IERC6551Account {
    receive() external payable;

    /// @notice The token that the account is bound to. Never changes.
    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);

    /// @notice A number that differs whenever the account has acted.
    function state() external view returns (uint256);

    /// @notice 0x523e3260 where `signer` may act for the account.
    function isValidSigner(address signer, bytes calldata context) external view returns (bytes4 magicValue);
}

/// @title ERC-6551 execution of what a valid signer asks for
/// @dev ERC-165 identifier 0x51945447.
interface IERC6551Executable {
    /// @param operation 0 call, 1 delegatecall, 2 create, 3 create2
    function execute(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        payable
        returns (bytes memory result);
}
