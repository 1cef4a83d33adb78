// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Closing} from "./Closing.sol";

/// @title One run of the market from fixed seeds
contract Episode {
    Closing public handler = new Closing();

    /// @dev Stops at the first difference between the market and the rules.
    function run(uint256 episode, uint256 steps) external returns (string memory violation) {
        bytes4[] memory actions = handler.actions();
        for (uint256 step = 0; step < steps; step++) {
            uint256 seed = uint256(keccak256(abi.encode(episode, step)));
            (bool success,) = address(handler).call(abi.encodeWithSelector(actions[seed % actions.length], seed));
            if (!success) return "handler reverted";
            violation = handler.violation();
            if (bytes(violation).length != 0) return violation;
        }
        handler.closeEverything();
        return handler.violation();
    }
}
