// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskVerifier} from "../../src/task/ITaskVerifier.sol";

/// @title Verifiers for the tests, all of which declare themselves by ERC-165
abstract contract DeclaredVerifier is ITaskVerifier {
    function supportsInterface(bytes4 interfaceId) external view virtual returns (bool) {
        return interfaceId == type(ITaskVerifier).interfaceId || interfaceId == 0x01ffc9a7;
    }

    function pass(ITaskTender task, uint256 tokenId, address newAuthority) external {
        task.setAcceptanceAuthority(tokenId, newAuthority);
    }
}

/// @notice Accepts the proof "yes", and records what it was asked.
contract WordVerifier is DeclaredVerifier {
    address public taskContract;
    uint256 public tokenId;
    uint256 public submissionId;
    address public fulfiller;
    bytes32 public resultHash;

    function verifyFulfillment(
        address taskContract_,
        uint256 tokenId_,
        uint256 submissionId_,
        address fulfiller_,
        bytes32 resultHash_,
        bytes calldata proof
    ) external returns (bool) {
        (taskContract, tokenId, submissionId) = (taskContract_, tokenId_, submissionId_);
        (fulfiller, resultHash) = (fulfiller_, resultHash_);
        return keccak256(proof) == keccak256("yes");
    }
}

/// @notice Replies to a proof with the proof itself, so that a test decides the reply: 2, short, long, nothing.
contract EchoVerifier is DeclaredVerifier {
    function verifyFulfillment(address, uint256, uint256, address, bytes32, bytes calldata proof)
        external
        pure
        returns (bool)
    {
        bytes memory reply = proof;
        assembly ("memory-safe") {
            return(add(reply, 0x20), mload(reply))
        }
    }
}

/// @notice Replies true with a megabyte behind it.
contract MegabyteVerifier is DeclaredVerifier {
    function verifyFulfillment(address, uint256, uint256, address, bytes32, bytes calldata)
        external
        pure
        returns (bool)
    {
        assembly ("memory-safe") {
            let reply := mload(0x40)
            mstore(reply, 1)
            return(reply, 1000000)
        }
    }
}

/// @notice Reverts with a word that looks like true.
contract RevertingVerifier is DeclaredVerifier {
    function verifyFulfillment(address, uint256, uint256, address, bytes32, bytes calldata)
        external
        pure
        returns (bool)
    {
        assembly ("memory-safe") {
            mstore(0, 1)
            revert(0, 32)
        }
    }
}

/// @notice A streak: accepts one delivery of a fulfiller a day, and after a day without one accepts it no more.
contract StreakVerifier is DeclaredVerifier {
    mapping(address fulfiller => uint256) public lastDayOf;

    function verifyFulfillment(address, uint256, uint256, address fulfiller, bytes32, bytes calldata)
        external
        returns (bool)
    {
        uint256 today = block.timestamp / 1 days;
        uint256 lastDay = lastDayOf[fulfiller];
        if (lastDay != 0 && today != lastDay + 1) return false;
        lastDayOf[fulfiller] = today;
        return true;
    }
}

/// @notice Makes the call that is the proof, to the task contract, while it is asked; keeps what came back; accepts.
contract ReentrantVerifier is DeclaredVerifier {
    bool public succeeded;
    bytes public reply;

    function verifyFulfillment(address taskContract, uint256, uint256, address, bytes32, bytes calldata proof)
        external
        returns (bool)
    {
        (succeeded, reply) = taskContract.call(proof);
        return true;
    }
}

/// @notice Is a verifier only while it says so.
contract ToggleVerifier is DeclaredVerifier {
    bool public isDeclared = true;

    function setDeclared(bool value) external {
        isDeclared = value;
    }

    function supportsInterface(bytes4 interfaceId) external view override returns (bool) {
        if (!isDeclared) return false;
        return interfaceId == type(ITaskVerifier).interfaceId || interfaceId == 0x01ffc9a7;
    }

    function verifyFulfillment(address, uint256, uint256, address, bytes32, bytes calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }

    function accept(ITaskTender task, uint256 tokenId, uint256 submissionId) external {
        task.acceptFulfillment(tokenId, submissionId);
    }
}

/// @notice Needs about 29,000 gas for each answer about itself: slow, and still within what ERC-165 allows.
contract SlowVerifier is DeclaredVerifier {
    function supportsInterface(bytes4 interfaceId) external view override returns (bool) {
        uint256 until = gasleft() - 27_500;
        while (gasleft() > until) {}
        return interfaceId == type(ITaskVerifier).interfaceId || interfaceId == 0x01ffc9a7;
    }

    function verifyFulfillment(address, uint256, uint256, address, bytes32, bytes calldata)
        external
        pure
        returns (bool)
    {
        return true;
    }
}
