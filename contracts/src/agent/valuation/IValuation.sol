// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A view of something that an Agent owns, in units of its Accept Token
/// @notice Listed by the Agent's Owner. The value is always readable; whether it may be settled on is a second answer,
///         so that staleness stops settlement and nothing else.
interface IValuation {
    /// @notice Token in whose base units values are given.
    function asset() external view returns (address);

    /// @return assets value of what `agent` owns, in base units of `asset`
    /// @return fresh whether a settlement may rely on it now
    function valueOf(address agent) external view returns (uint256 assets, bool fresh);
}
