// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";

/// @title What the ERC-6551 registry does, written from the standard's description for the tests
/// @notice Accounts are ERC-1167 clones by CREATE2 with salt, chain id, token contract and token id appended to the
///         code. The real registry has one address on every chain; this one has whatever address a test gives it.
contract MockERC6551Registry {
    event ERC6551AccountCreated(
        address account,
        address indexed implementation,
        bytes32 salt,
        uint256 chainId,
        address indexed tokenContract,
        uint256 indexed tokenId
    );

    error AccountCreationFailed();

    function createAccount(
        address implementation,
        bytes32 salt,
        uint256 chainId,
        address tokenContract,
        uint256 tokenId
    ) external returns (address created) {
        bytes memory code = _creationCode(implementation, salt, chainId, tokenContract, tokenId);
        address predicted = Create2.computeAddress(salt, keccak256(code));
        if (predicted.code.length != 0) return predicted;
        assembly ("memory-safe") {
            created := create2(0, add(code, 0x20), mload(code), salt)
        }
        if (created == address(0)) revert AccountCreationFailed();
        emit ERC6551AccountCreated(created, implementation, salt, chainId, tokenContract, tokenId);
    }

    function account(address implementation, bytes32 salt, uint256 chainId, address tokenContract, uint256 tokenId)
        external
        view
        returns (address)
    {
        return
            Create2.computeAddress(
                salt, keccak256(_creationCode(implementation, salt, chainId, tokenContract, tokenId))
            );
    }

    /// @dev Ten bytes that return the 173 after them: the proxy's 45, then four words.
    function _creationCode(
        address implementation,
        bytes32 salt,
        uint256 chainId,
        address tokenContract,
        uint256 tokenId
    ) private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d60ad80600a3d3981f3",
            hex"363d3d373d3d3d363d73",
            implementation,
            hex"5af43d82803e903d91602b57fd5bf3",
            abi.encode(salt, chainId, tokenContract, tokenId)
        );
    }
}
