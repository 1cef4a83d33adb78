// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Outcome} from "./IAgentErrors.sol";

/// @title What an Agent tells beyond the events of the standard
interface IAgentOwnEvents {
    // settlement

    /// @notice What went in and what it cost: `Settled` does not say. `consumed` includes `fee` for a mint; `produced` is
    ///         what is left after it for a redemption. `rate` is the one of the round, rounded as `kind` demands.
    event SettlementDetail(
        address indexed requester, uint8 kind, uint256 consumed, uint256 produced, uint256 fee, uint256 rate
    );
    event SettlementSkipped(address indexed requester, uint8 kind, Outcome outcome);
    event SettlementStopped(uint256 rate, uint256 anchor, uint256 allowance);
    event RateConfirmed(uint256 rate, address by);

    // requesters
    event LimitSet(address indexed requester, uint8 kind, uint256 rate);
    event Reclaimed(address indexed requester, uint8 kind, uint256 amount);
    event ClaimFailed(address indexed user, uint256 tokens);

    // constitution
    event Paused(address by);
    event Unpaused(address by);
    event GuardianUpdated(address indexed guardian);
    event GuardUpdated(uint32 corridorBpsPerDay, uint24 minRequestAgeSec);
    event FeesUpdated(uint16 mintFeeBps, uint16 redeemFeeBps);
    event FeeRecipientUpdated(address indexed recipient);
    event FeesClaimed(address indexed recipient, uint256 amount);
    event ValuationAdded(address indexed valuation);
    event ValuationRemoved(address indexed valuation);
    event Received(address indexed from, uint256 amount);
}
