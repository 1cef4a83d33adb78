// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Corridor} from "../Corridor.sol";
import {IValuation} from "./IValuation.sol";

/// @title An ERC-4626 position at what the vault would pay for it
/// @notice Serves every Agent that holds shares of the vault. The share price that the vault reports is relied on only
///         inside a corridor around a checkpoint: a vault that is moved inside one transaction (a donation, a flash loan)
///         moves the value, but not far enough without stopping settlement.
/// @dev Assumption: `previewRedeem` is the vault's own exit price, fees included, and does not revert for a held balance.
contract Erc4626Valuation is IValuation {
    address public immutable asset;
    IERC4626 public immutable VAULT;
    /// @dev Shares whose price is followed: one whole share.
    uint256 public immutable UNIT;
    uint32 public immutable BPS_PER_DAY;

    uint216 public price;
    uint40 public checkedAt;

    event Checkpoint(uint256 price);

    error PriceOutsideCorridor(uint256 price, uint256 checkpoint, uint256 allowance);
    error ZeroPrice();

    constructor(IERC4626 vault, uint32 bpsPerDay) {
        VAULT = vault;
        asset = vault.asset();
        UNIT = 10 ** vault.decimals();
        BPS_PER_DAY = bpsPerDay;
        uint256 current = vault.previewRedeem(UNIT);
        if (current == 0) revert ZeroPrice();
        _checkpoint(current);
    }

    function valueOf(address agent) external view returns (uint256 assets, bool fresh) {
        uint256 shares = VAULT.balanceOf(agent);
        if (shares == 0) return (0, true);
        return (VAULT.previewRedeem(shares), _isInside(VAULT.previewRedeem(UNIT)));
    }

    /// @notice Move the checkpoint to the current price. Anyone may, inside the corridor.
    function poke() external {
        uint256 current = VAULT.previewRedeem(UNIT);
        if (!_isInside(current)) {
            revert PriceOutsideCorridor(
                current, price, Corridor.allowance(price, 0, BPS_PER_DAY, block.timestamp - checkedAt)
            );
        }
        // an unchanged price keeps its checkpoint, so that poking cannot eat up the time a slow price needs for one unit
        if (current != price) _checkpoint(current);
    }

    function _isInside(uint256 current) private view returns (bool) {
        return Corridor.contains(price, current, 0, BPS_PER_DAY, block.timestamp - checkedAt);
    }

    function _checkpoint(uint256 current) private {
        // proof of fit: a price of 2^216 base units for one share is beyond any supply; checked all the same
        if (current > type(uint216).max) revert PriceOutsideCorridor(current, price, type(uint216).max);
        price = uint216(current);
        checkedAt = uint40(block.timestamp);
        emit Checkpoint(current);
    }
}
