// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {ITaskTender} from "../task/ITaskTender.sol";

/// @title The account in whose name one deliverer's bonded deliveries are made
/// @notice Implementation behind the clones of a BondedGate, one for each deliverer. It is the fulfiller of record, so
///         rewards arrive here and never mix with anybody else's, and a verifier that binds a result to its fulfiller
///         binds it to this address alone. Only the gate can use it.
contract DeliveryDesk {
    address public immutable GATE = msg.sender;

    error NotGate(address caller, address gate);

    receive() external payable {}

    function deliver(ITaskTender task, uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId)
    {
        _onlyGate();
        return task.submitFulfillment(tokenId, resultHash, resultURI);
    }

    /// @notice Send all of `asset` that is here to `to`.
    /// @return moved what has left
    function empty(address asset, address to) external returns (uint256 moved) {
        _onlyGate();
        uint256 before = BoundedCall.balanceOf(asset, address(this));
        if (asset == address(0)) {
            assembly ("memory-safe") {
                pop(call(gas(), to, before, 0x00, 0x00, 0x00, 0x00))
            }
        } else {
            BoundedCall.call(asset, gasleft(), abi.encodeCall(IERC20.transfer, (to, before)));
        }
        uint256 left = BoundedCall.balanceOf(asset, address(this));
        return before > left ? before - left : 0;
    }

    function _onlyGate() private view {
        if (msg.sender != GATE) revert NotGate(msg.sender, GATE);
    }
}
