// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title How far a number may move in a time
/// @notice A move of `anchor` to `next` is inside when |next - anchor| <= base * bpsPerDay * elapsed / (10,000 days) + 1.
/// @dev Three traps are avoided. The allowance is never rounded down to nothing: one unit is always allowed, so that a
///      number which grows slowly is not halted by its own resolution. `base` is at least `floor`, so that zero is left
///      again. And idle time counts for at most MAX_ELAPSED_SEC, so that no silence buys an unbounded move.
library Corridor {
    uint256 internal constant MAX_ELAPSED_SEC = 7 days;
    uint256 private constant DIVISOR = 10_000 * 1 days;

    /// @param bpsPerDay below 2^32
    /// @return most that `anchor` may move in either direction
    function allowance(uint256 anchor, uint256 floor, uint256 bpsPerDay, uint256 elapsedSec)
        internal
        pure
        returns (uint256)
    {
        uint256 base = Math.max(anchor, floor);
        // unbounded in practice; below it the product fits: 2^200 * 2^32 * 2^20
        if (base >> 200 != 0) return type(uint256).max;
        return base * bpsPerDay * Math.min(elapsedSec, MAX_ELAPSED_SEC) / DIVISOR + 1;
    }

    function contains(uint256 anchor, uint256 next, uint256 floor, uint256 bpsPerDay, uint256 elapsedSec)
        internal
        pure
        returns (bool)
    {
        uint256 move = next > anchor ? next - anchor : anchor - next;
        return move <= allowance(anchor, floor, bpsPerDay, elapsedSec);
    }
}
