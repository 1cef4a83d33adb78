// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";

/// @title Contracts that deliver work and are paid for it
abstract contract Recipient {
    ITaskTender public immutable TASK;

    constructor(ITaskTender task) {
        TASK = task;
    }

    function deliver(uint256 tokenId, bytes32 resultHash) external returns (uint256) {
        return TASK.submitFulfillment(tokenId, resultHash, "ipfs://result");
    }

    /// @notice Let this contract call anything, as an account would.
    function perform(address target, uint256 value, bytes calldata data) external returns (bytes memory reply) {
        bool success;
        (success, reply) = target.call{value: value}(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(reply, 0x20), mload(reply))
            }
        }
    }

    receive() external payable virtual {}
}

/// @notice Accepts money like any wallet.
contract PlainRecipient is Recipient {
    constructor(ITaskTender task) Recipient(task) {}
}

/// @notice Refuses money until it is opened.
contract ToggleRecipient is Recipient {
    bool public isOpen;

    error Closed();

    constructor(ITaskTender task) Recipient(task) {}

    function setOpen(bool value) external {
        isOpen = value;
    }

    receive() external payable override {
        if (!isOpen) revert Closed();
    }
}

/// @notice Burns all the gas that it is given.
contract GasBurner is Recipient {
    constructor(ITaskTender task) Recipient(task) {}

    receive() external payable override {
        while (true) {}
    }
}

/// @notice Refuses money with a megabyte of reasons.
contract VerboseRefuser is Recipient {
    constructor(ITaskTender task) Recipient(task) {}

    receive() external payable override {
        assembly ("memory-safe") {
            revert(0, 1000000)
        }
    }
}

/// @notice Records a payment with four cold storage writes and two reads of the task contract: an ordinary contract.
contract FourSlotRecorder is Recipient {
    uint256 public tokenId;
    uint256 public amount;
    uint256 public completions;
    uint256 public escrow;
    uint256 public gasLeft;

    constructor(ITaskTender task) Recipient(task) {}

    /// @notice Name the tender beforehand, outside the measured payment.
    function expectFrom(uint256 tokenId_) external {
        tokenId = tokenId_;
    }

    receive() external payable override {
        amount = msg.value;
        completions = TASK.completionsOf(tokenId);
        escrow = TASK.escrowBalanceOf(tokenId);
        gasLeft = gasleft();
    }
}

/// @notice Funds another tender of the same task contract with what it earns.
contract Forwarder is Recipient {
    uint256 public destination;

    constructor(ITaskTender task) Recipient(task) {}

    function setDestination(uint256 tokenId) external {
        destination = tokenId;
    }

    receive() external payable override {
        TASK.fundTask{value: msg.value}(destination, msg.value);
    }
}

/// @notice Makes one prepared call when it is paid, keeps what came back, and accepts the money.
contract Reenterer is Recipient {
    bytes public data;
    bool public succeeded;
    bytes public reply;
    uint256 public calls;

    constructor(ITaskTender task) Recipient(task) {}

    function setCall(bytes calldata data_) external {
        data = data_;
    }

    receive() external payable override {
        if (data.length == 0) return;
        calls++;
        (succeeded, reply) = address(TASK).call(data);
    }
}
