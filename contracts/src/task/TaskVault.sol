// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {BoundedCall} from "./BoundedCall.sol";

/// @title The account that holds one tender's money
/// @notice Implementation behind every vault clone (see VaultClone). Only the task contract that deployed the
///         implementation can move anything, and it does so only for a reward, a refund or a residual.
/// @dev Assumption about ERC-20 assets: `balanceOf` reports what a transfer can move. What a transfer did is judged by
///      the vault's balance difference; the reply, whatever its shape, decides nothing.
contract TaskVault {
    address public immutable KERNEL = msg.sender;

    error NotKernel(address caller, address kernel);
    error MovedTooMuch(address asset, uint256 moved, uint256 expected);

    /// @notice Send `amount` of `asset` to `to`, with at most `gasLimit` gas for the recipient or the token.
    /// @return moved what really left, from 0 to `amount`. A native transfer is all or nothing. An ERC-20 transfer that
    ///         takes more than `amount` from the vault is undone by revert.
    function release(address asset, address to, uint256 amount, uint256 gasLimit) external returns (uint256 moved) {
        if (msg.sender != KERNEL) revert NotKernel(msg.sender, KERNEL);
        if (asset == address(0)) return _sendNative(to, amount, gasLimit) ? amount : 0;

        uint256 before = BoundedCall.balanceOf(asset, address(this));
        BoundedCall.call(asset, gasLimit, abi.encodeCall(IERC20.transfer, (to, amount)));
        uint256 left = BoundedCall.balanceOf(asset, address(this));
        moved = before > left ? before - left : 0;
        if (moved > amount) revert MovedTooMuch(asset, moved, amount);
    }

    function _sendNative(address to, uint256 amount, uint256 gasLimit) private returns (bool success) {
        assembly ("memory-safe") {
            success := call(gasLimit, to, amount, 0x00, 0x00, 0x00, 0x00)
        }
    }
}
