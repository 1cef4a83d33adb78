// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ITaskErrors} from "./ITaskErrors.sol";

/// @title Calls to contracts that nobody vouches for
/// @notice At most one word of a reply is ever copied, so a reply of megabytes costs the callee, not the caller.
library BoundedCall {
    /// @dev Gas that ERC-165 allows an implementation of `supportsInterface` to use.
    uint256 internal constant PROBE_GAS = 30_000;
    /// @dev Gas that must be left before a probe, so that 63/64 of it covers PROBE_GAS. Without this a caller could
    ///      starve the probe and have a verifier mistaken for a judge.
    uint256 internal constant PROBE_GAS_REQUIRED = 40_000;

    /// @notice Call `target` with at most `gasLimit` gas.
    /// @return success whether the call itself succeeded
    /// @return size length of the reply in bytes
    /// @return word first word of the reply, zero padded
    function call(address target, uint256 gasLimit, bytes memory data)
        internal
        returns (bool success, uint256 size, uint256 word)
    {
        assembly ("memory-safe") {
            mstore(0x00, 0)
            success := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0x00, 0x20)
            size := returndatasize()
            word := mload(0x00)
        }
    }

    /// @notice As `call`, but the callee cannot change state.
    function staticCall(address target, uint256 gasLimit, bytes memory data)
        internal
        view
        returns (bool success, uint256 size, uint256 word)
    {
        assembly ("memory-safe") {
            mstore(0x00, 0)
            success := staticcall(gasLimit, target, add(data, 0x20), mload(data), 0x00, 0x20)
            size := returndatasize()
            word := mload(0x00)
        }
    }

    /// @notice Balance of `account` in `asset`; address(0) is the native currency.
    /// @dev Reverts with `UnreadableBalance` where the asset gives no word.
    function balanceOf(address asset, address account) internal view returns (uint256) {
        if (asset == address(0)) return account.balance;
        (bool success, uint256 size, uint256 balance) =
            staticCall(asset, gasleft(), abi.encodeCall(IERC20.balanceOf, (account)));
        if (!success || size < 32) revert ITaskErrors.UnreadableBalance(asset);
        return balance;
    }

    /// @notice Whether `account` declares `interfaceId` by ERC-165. Every malformed reply, revert, missing reply or
    ///         reply other than exactly one is a no; so is a contract that says yes to the invalid identifier.
    /// @dev Reverts with `InsufficientGas` rather than answer with less gas than a probe may use.
    function declaresInterface(address account, bytes4 interfaceId) internal view returns (bool) {
        if (account.code.length == 0) return false;
        return probe(account, interfaceId) && probe(account, IERC165.supportsInterface.selector)
            && !probe(account, 0xffffffff);
    }

    function probe(address account, bytes4 interfaceId) private view returns (bool) {
        if (gasleft() < PROBE_GAS_REQUIRED) revert ITaskErrors.InsufficientGas(gasleft(), PROBE_GAS_REQUIRED);
        (bool success, uint256 size, uint256 word) =
            staticCall(account, PROBE_GAS, abi.encodeCall(IERC165.supportsInterface, (interfaceId)));
        return success && size >= 32 && word == 1;
    }
}
