// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAgentErrors} from "./IAgentErrors.sol";

/// @title The immutable arguments in the code of every Agent
/// @notice What can never change costs 200 gas a byte in the code, instead of 22,100 gas a slot, and is read for 100.
/// @dev Layout after the 45 bytes of the proxy: acceptToken (20), initialRate (16), reclaimHorizon (4), fixedPrice (1),
///      length of the name (1), name, symbol.
library AgentArguments {
    uint256 private constant PROXY_BYTES = 45;
    uint256 private constant FIXED_BYTES = 42;
    /// @dev Bounds of the two texts. The name is part of the permit domain, which is hashed at each permit.
    uint256 internal constant MAX_NAME_BYTES = 64;
    uint256 internal constant MAX_SYMBOL_BYTES = 16;

    function encode(
        address token,
        uint128 initialRate,
        uint32 reclaimHorizonSec,
        bool fixedPrice,
        string calldata shareName,
        string calldata shareSymbol
    ) internal pure returns (bytes memory) {
        uint256 size = bytes(shareName).length;
        if (size > MAX_NAME_BYTES) revert IAgentErrors.TextTooLong(size, MAX_NAME_BYTES);
        if (bytes(shareSymbol).length > MAX_SYMBOL_BYTES) {
            revert IAgentErrors.TextTooLong(bytes(shareSymbol).length, MAX_SYMBOL_BYTES);
        }
        return abi.encodePacked(token, initialRate, reclaimHorizonSec, fixedPrice, uint8(size), shareName, shareSymbol);
    }

    function acceptToken() internal view returns (address) {
        return address(uint160(word(0) >> 96));
    }

    /// @return rate the rate at birth, Accept Token base units per 1e18 share base units
    /// @return fixedPrice whether it is the rate forever
    function pricing() internal view returns (uint256 rate, bool fixedPrice) {
        uint256 packed = word(20);
        return (packed >> 128, (packed >> 88) & 0xff != 0);
    }

    /// @return seconds after the most recent request after which it can be reclaimed
    function reclaimHorizon() internal view returns (uint256) {
        return word(36) >> 224;
    }

    function name() internal view returns (string memory) {
        return text(FIXED_BYTES, word(41) >> 248);
    }

    function symbol() internal view returns (string memory) {
        uint256 start = FIXED_BYTES + (word(41) >> 248);
        return text(start, address(this).code.length - PROXY_BYTES - start);
    }

    /// @dev The code is that of the clone: the implementation runs by delegate call, so `address()` is the clone.
    function word(uint256 offset) private view returns (uint256 value) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, add(PROXY_BYTES, offset), 0x20)
            value := mload(0x00)
        }
    }

    function text(uint256 offset, uint256 size) private view returns (string memory value) {
        value = new string(size);
        assembly ("memory-safe") {
            extcodecopy(address(), add(value, 0x20), add(PROXY_BYTES, offset), size)
        }
    }
}
