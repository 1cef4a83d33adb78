// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskMarket} from "../mocks/ITaskMarket.sol";

/// @title Tries every entry point that changes a tender, from inside a call that the tender makes
/// @notice Each must be refused because of the lock, before any role or argument is looked at. Whatever else happens
///         is counted as a breach.
contract Intruder {
    ITaskMarket private immutable MARKET;

    uint256 public attempts;
    uint256 public breaches;
    bytes public lastBreach;

    constructor(ITaskMarket market) {
        MARKET = market;
    }

    receive() external payable {}

    function intrude(uint256 tokenId) external {
        attempts += 1;
        _try(tokenId, abi.encodeCall(ITaskTender.fundTask, (tokenId, 1)));
        _try(tokenId, abi.encodeCall(ITaskTender.submitFulfillment, (tokenId, bytes32(uint256(1)), "")));
        _try(tokenId, abi.encodeCall(ITaskTender.acceptFulfillment, (tokenId, 1)));
        _try(tokenId, abi.encodeCall(ITaskTender.settleFulfillment, (tokenId, 1, "")));
        _try(tokenId, abi.encodeCall(ITaskTender.rejectFulfillment, (tokenId, 1)));
        _try(tokenId, abi.encodeCall(ITaskTender.claimUnjudged, (tokenId, 1)));
        _try(tokenId, abi.encodeWithSignature("claimShortfall(uint256,uint256)", tokenId, 1));
        _try(tokenId, abi.encodeCall(ITaskTender.releaseExpired, (tokenId, 1)));
        _try(tokenId, abi.encodeCall(ITaskTender.setAcceptanceAuthority, (tokenId, address(this))));
        _try(tokenId, abi.encodeCall(ITaskTender.cancelTask, (tokenId)));
        _try(tokenId, abi.encodeCall(ITaskTender.withdrawCredit, (tokenId, address(this))));
        _try(tokenId, abi.encodeCall(ITaskTender.reclaimEscrow, (tokenId)));
        _try(tokenId, abi.encodeCall(ITaskTender.reclaimResidual, (tokenId)));
        _try(tokenId, abi.encodeWithSignature("reclaimForeign(uint256,address)", tokenId, address(1)));
    }

    function _try(uint256 tokenId, bytes memory data) private {
        (bool success, bytes memory reply) = address(MARKET).call(data);
        bytes memory locked = abi.encodeWithSelector(ITaskErrors.TenderLocked.selector, tokenId);
        if (success || keccak256(reply) != keccak256(locked)) {
            breaches += 1;
            lastBreach = data;
        }
    }
}
