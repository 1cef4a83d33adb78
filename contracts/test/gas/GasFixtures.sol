// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";

/// @notice A bare ERC-20, so that the figures show the task market and not the token. Read by bench/gas.ts.
contract PlainToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) private {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}

/// @notice A fulfiller that refuses payment until it is opened; being paid costs it one storage read.
contract DoorFulfiller {
    bool public isOpen;

    error Closed();

    function deliver(ITaskTender task, uint256 tokenId, bytes32 resultHash) external returns (uint256) {
        return task.submitFulfillment(tokenId, resultHash, "");
    }

    function open() external {
        isOpen = true;
    }

    receive() external payable {
        if (!isOpen) revert Closed();
    }
}
