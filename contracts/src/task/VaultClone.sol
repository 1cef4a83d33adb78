// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "./ITaskTender.sol";

/// @title Minimal clone of TaskVault that carries the tender's terms as immutable arguments
/// @notice An ERC-1167 style proxy with two differences. A call without data stops at once, so that a plain transfer
///         succeeds even with the 2,300 gas of a Solidity `transfer`. And the terms, which never change, are part of
///         the code: 200 gas a byte once, instead of 22,100 gas a slot, and read with the account that is touched anyway.
/// @dev Layout of the runtime code, 150 bytes:
///        0   36 6005 57 00 5b          if calldatasize is 0: stop
///        6   36 5f 5f 37               copy the calldata
///        10  5f 5f 36 5f 73 <20> 5a f4 delegate it to the implementation
///        37  3d 5f 5f 3e               copy the reply
///        41  5f 3d 91 6030 57 fd 5b f3 return it, or revert with it
///        50  asset (20) reward (32) maxCompletions submitBy settleBy epochLength maxCompletionsPerEpoch
///            judgmentWindow (8 each)
library VaultClone {
    uint256 private constant PROXY_BYTES = 50;
    uint256 private constant TERMS_BYTES = 100;

    error VaultNotDeployed();

    /// @notice Deploy a clone of `implementation` for `terms`.
    function deploy(address implementation, ITaskTender.TenderTerms calldata terms) internal returns (address vault) {
        bytes memory initCode = abi.encodePacked(
            hex"60968060095f395ff3", // return the 150 bytes that follow these 9
            hex"36600557005b365f5f375f5f365f73",
            implementation,
            hex"5af43d5f5f3e5f3d91603057fd5bf3",
            abi.encodePacked(terms.asset, terms.rewardPerCompletion, terms.maxCompletions, terms.submitBy),
            abi.encodePacked(terms.settleBy, terms.epochLength, terms.maxCompletionsPerEpoch, terms.judgmentWindow)
        );
        assembly ("memory-safe") {
            vault := create(0, add(initCode, 0x20), mload(initCode))
        }
        if (vault == address(0)) revert VaultNotDeployed();
    }

    /// @notice The terms that `vault` was deployed with.
    function readTerms(address vault) internal view returns (ITaskTender.TenderTerms memory terms) {
        uint256 head;
        uint256 reward;
        uint256 tail;
        uint256 rest;
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            // 100 bytes of terms; the scratch beyond them is never read
            extcodecopy(vault, buffer, PROXY_BYTES, TERMS_BYTES)
            head := shr(96, mload(buffer))
            reward := mload(add(buffer, 20))
            tail := mload(add(buffer, 52))
            rest := mload(add(buffer, 68))
        }
        terms.asset = address(uint160(head));
        terms.rewardPerCompletion = reward;
        // 52: max, submitBy, settleBy, epochLength. 68: settleBy, epochLength, per epoch, window.
        terms.maxCompletions = uint64(tail >> 192);
        terms.submitBy = uint64(tail >> 128);
        terms.settleBy = uint64(tail >> 64);
        terms.epochLength = uint64(tail);
        terms.maxCompletionsPerEpoch = uint64(rest >> 64);
        terms.judgmentWindow = uint64(rest);
    }
}
