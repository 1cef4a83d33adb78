// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";

/// @title Contracts that sit in the judgment slot and are no verifiers
abstract contract ContractJudge {
    function accept(ITaskTender task, uint256 tokenId, uint256 submissionId) external {
        task.acceptFulfillment(tokenId, submissionId);
    }

    function reject(ITaskTender task, uint256 tokenId, uint256 submissionId) external {
        task.rejectFulfillment(tokenId, submissionId);
    }

    function pass(ITaskTender task, uint256 tokenId, address newAuthority) external {
        task.setAcceptanceAuthority(tokenId, newAuthority);
    }
}

/// @notice Takes any call and replies nothing, as many wallets do.
contract SilentJudge is ContractJudge {
    fallback() external payable {}

    receive() external payable {}
}

/// @notice Replies to `supportsInterface` with `size` bytes, each of them `filler`.
contract GarbageJudge is ContractJudge {
    uint256 private immutable SIZE;
    uint8 private immutable FILLER;

    constructor(uint256 size, uint8 filler) {
        SIZE = size;
        FILLER = filler;
    }

    fallback() external {
        uint256 size = SIZE;
        uint8 filler = FILLER;
        assembly ("memory-safe") {
            let reply := mload(0x40)
            let word := mul(filler, 0x0101010101010101010101010101010101010101010101010101010101010101)
            for { let i := 0 } and(lt(i, size), lt(i, 256)) { i := add(i, 32) } { mstore(add(reply, i), word) }
            return(reply, size)
        }
    }
}

/// @notice Replies true to everything, also to the identifier that nobody may support.
contract YesJudge is ContractJudge {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0, 1)
            return(0, 32)
        }
    }
}

/// @notice Replies with a right answer and a megabyte behind it, which costs more gas than a probe has.
contract MegabyteJudge is ContractJudge {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0, 1)
            return(0, 1000000)
        }
    }
}

/// @notice Burns all the gas of a probe.
contract BurningJudge is ContractJudge {
    fallback() external {
        while (true) {}
    }
}

/// @notice Reverts a probe with a word that looks like true.
contract RevertingJudge is ContractJudge {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0, 1)
            revert(0, 32)
        }
    }
}

/// @notice Declares ITaskVerifier, and nothing else that ERC-165 asks for.
contract HalfVerifier is ContractJudge {
    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == 0x9977db15;
    }
}

/// @notice Answers like a verifier, with the word 2 where ERC-165 has the Boolean true.
contract TwoJudge is ContractJudge {
    function supportsInterface(bytes4 interfaceId) external pure returns (uint256) {
        return interfaceId == 0x9977db15 || interfaceId == 0x01ffc9a7 ? 2 : 0;
    }
}
