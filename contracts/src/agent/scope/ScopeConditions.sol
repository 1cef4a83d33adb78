// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Condition, Op, Verdict} from "./IScope.sol";

/// @title Conditions on the arguments of a call
/// @dev Words are compared whole, so an address with dirty upper bits equals nothing.
library ScopeConditions {
    uint256 private constant MASK_232 = (1 << 232) - 1;
    uint256 private constant SELECTOR_BYTES = 4;
    /// @dev Most elements of an array that EachInSet reads: 2,100 gas each.
    uint256 internal constant MAX_ELEMENTS = 32;

    /// @dev offset (16), operation (8), value (232), from the low end
    function pack(Condition calldata condition) internal pure returns (uint256) {
        return uint256(condition.offset) | (uint256(condition.op) << 16) | (uint256(condition.value) << 24);
    }

    function unpack(uint256 word) internal pure returns (Condition memory) {
        return Condition(uint16(word), Op(uint8(word >> 16)), uint232(word >> 24));
    }

    /// @param members of the Agent's sets
    function check(
        uint256 packed,
        address agent,
        bytes calldata data,
        mapping(uint256 set => mapping(uint256 member => bool)) storage members
    ) internal view returns (Verdict) {
        Op op = Op(uint8(packed >> 16));
        uint256 value = packed >> 24;
        if (op == Op.LengthIs) return verdictOf(data.length == value);
        (bool found, uint256 word) = wordAt(data, uint16(packed));
        if (!found) return Verdict.Malformed;
        if (op == Op.SelfIs) return verdictOf(word == uint160(agent));
        if (op == Op.Equal) return verdictOf(word == value);
        if (op == Op.NotEqual) return verdictOf(word != value);
        if (op == Op.AtMost) return verdictOf(word <= value);
        if (op == Op.AtLeast) return verdictOf(word >= value);
        if (op == Op.HashIs) return verdictOf(uint256(keccak256(abi.encode(word))) >> 24 == value);
        if (op == Op.InSet) return verdictOf(members[value][word]);
        return checkEach(data, word, members[value]);
    }

    /// @return found whether the call data holds a whole word there
    /// @return word 32 bytes at `offset` after the selector
    function wordAt(bytes calldata data, uint256 offset) internal pure returns (bool found, uint256 word) {
        // data has at most 2^64 bytes, and an offset above that is refused before it is added
        if (offset > data.length || data.length < SELECTOR_BYTES + 32 + offset) return (false, 0);
        return (true, uint256(bytes32(data[SELECTOR_BYTES + offset:])));
    }

    function checkEach(bytes calldata data, uint256 offset, mapping(uint256 member => bool) storage members)
        private
        view
        returns (Verdict)
    {
        (bool found, uint256 count) = wordAt(data, offset);
        if (!found || count > MAX_ELEMENTS) return Verdict.Malformed;
        for (uint256 i = 1; i <= count; ++i) {
            (bool inside, uint256 element) = wordAt(data, offset + 32 * i);
            if (!inside) return Verdict.Malformed;
            if (!members[element]) return Verdict.ConditionFailed;
        }
        return Verdict.Allowed;
    }

    function verdictOf(bool holds) private pure returns (Verdict) {
        return holds ? Verdict.Allowed : Verdict.ConditionFailed;
    }
}
