// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title What one requester has pending and claimable on one side (mint or redeem)
/// @dev `pending` and `consumed` are in the unit that goes in (Accept Token for mint, shares for redeem), `claimable` in
///      the unit that comes out. `consumed` is what the settlements behind `claimable` used up: the claim event wants it.
struct Position {
    uint256 pending;
    uint256 requestedAt;
    bool limited;
    uint256 claimable;
    uint256 consumed;
    uint256 epoch;
    uint256 form;
}

/// @dev One word in nearly every life: request, settlement and claim each write the same slot.
struct PositionSlots {
    uint256 head;
    uint256 pendingWord;
    uint256 claimable;
    uint256 consumed;
}

/// @title Codec of a position: five forms, chosen by what is in it
/// @dev The form is the low four bits of the head.
///        EMPTY    0
///        PENDING  limited (1), requestedAt (40), pending (211)
///        SETTLED  epoch (32), claimable (110), consumed (110)
///        BOTH     head as SETTLED; pendingWord: limited (1), requestedAt (40), pending (215)
///        WIDE     epoch (64) in the head, claimable and consumed in words of their own, pendingWord as BOTH
///      A settlement therefore turns one nonzero word into another (5,000 gas) instead of filling a fresh one (22,100).
library PositionCodec {
    uint256 private constant PENDING = 1;
    uint256 private constant SETTLED = 2;
    uint256 private constant BOTH = 3;
    uint256 private constant WIDE = 4;
    uint256 private constant MASK_110 = (1 << 110) - 1;
    /// @dev Largest pending amount that every form can hold; requests are bounded below it.
    uint256 internal constant MAX_PENDING = (1 << 211) - 1;

    function load(PositionSlots storage slots) internal view returns (Position memory p) {
        uint256 head = slots.head;
        uint256 form = head & 0xf;
        p.form = form;
        if (form == PENDING) {
            unpackPending(p, head >> 4);
        } else if (form == SETTLED || form == BOTH) {
            p.epoch = uint32(head >> 4);
            p.claimable = (head >> 36) & MASK_110;
            p.consumed = head >> 146;
            if (form == BOTH) unpackPending(p, slots.pendingWord);
        } else if (form == WIDE) {
            p.epoch = uint64(head >> 4);
            p.claimable = slots.claimable;
            p.consumed = slots.consumed;
            unpackPending(p, slots.pendingWord);
        }
    }

    /// @dev `p` must come from `load` of the same slots, because `p.form` tells which words are to be cleared.
    function store(PositionSlots storage slots, Position memory p) internal {
        uint256 form = formOf(p);
        uint256 old = p.form;
        if (form == PENDING) {
            slots.head = PENDING | (packPending(p) << 4);
        } else if (form == SETTLED || form == BOTH) {
            slots.head = form | (p.epoch << 4) | (p.claimable << 36) | (p.consumed << 146);
        } else if (form == WIDE) {
            slots.head = WIDE | (p.epoch << 4);
            slots.claimable = p.claimable;
            slots.consumed = p.consumed;
        } else {
            slots.head = 0;
        }
        if (form >= BOTH) slots.pendingWord = packPending(p);
        else if (old >= BOTH) slots.pendingWord = 0;
        if (old == WIDE && form != WIDE) {
            slots.claimable = 0;
            slots.consumed = 0;
        }
        p.form = form;
    }

    function formOf(Position memory p) private pure returns (uint256) {
        if (p.claimable == 0 && p.consumed == 0) return p.pending == 0 ? 0 : PENDING;
        if (p.claimable > MASK_110 || p.consumed > MASK_110 || p.epoch > type(uint32).max) return WIDE;
        return p.pending == 0 ? SETTLED : BOTH;
    }

    function packPending(Position memory p) private pure returns (uint256) {
        if (p.pending == 0) return 0;
        return (p.limited ? 1 : 0) | (p.requestedAt << 1) | (p.pending << 41);
    }

    function unpackPending(Position memory p, uint256 word) private pure {
        p.limited = word & 1 != 0;
        p.requestedAt = uint40(word >> 1);
        p.pending = word >> 41;
    }
}
