// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {VerifierTest, IStockVerifier} from "./VerifierTest.sol";

/// @title handOver: a slot that a verifier holds stays transferable, but never under a delivery
abstract contract HandOverTest is VerifierTest {
    function _handOverRefused(address caller, bytes memory reason) private {
        vm.expectRevert(reason);
        vm.prank(caller);
        verifier.handOver(address(task), id, judge);
    }

    function test_HandOver_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        address[3] memory callers = [owner, judge, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _handOverRefused(
                callers[i], abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, callers[i], publisher)
            );
        }
    }

    function test_HandOver_RevertsWhile_ADeliveryIsPending() external {
        _deliver(worker, RESULT);
        _handOverRefused(
            publisher, abi.encodeWithSelector(IStockVerifier.DeliveriesPending.selector, address(task), id, 1)
        );
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 1);
        vm.prank(publisher);
        verifier.handOver(address(task), id, judge);
        assertEq(task.acceptanceAuthorityOf(id), judge);
    }

    function test_HandOver_MUST_MoveTheSlot() external {
        vm.prank(publisher);
        verifier.handOver(address(task), id, judge);
        assertEq(task.acceptanceAuthorityOf(id), judge);
        _accept(id, _deliver(worker, RESULT));
        assertEq(worker.balance, REWARD);
    }

    function test_HandOver_RevertsTo_Zero() external {
        vm.expectRevert(ZeroAuthority.selector);
        vm.prank(publisher);
        verifier.handOver(address(task), id, address(0));
    }

    function test_HandOver_RevertsWhen_TheVerifierDoesNotHoldTheSlot() external {
        uint256 judged = _mint();
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, judged, address(verifier), judge));
        vm.prank(publisher);
        verifier.handOver(address(task), judged, publisher);
    }
}

contract HashlockHandOverTest is HandOverTest {
    function setUp() public override {
        super.setUp();
        _open("HashlockVerifier");
    }
}

contract BatchReceiptHandOverTest is HandOverTest {
    function setUp() public override {
        super.setUp();
        _open("BatchReceiptVerifier");
    }
}
