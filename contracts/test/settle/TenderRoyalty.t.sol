// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITenderRoyalty} from "../mocks/companions/ICompanions.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title TenderRoyalty: ERC-2981 beside the kernel
contract TenderRoyaltyTest is TaskTest {
    ITenderRoyalty private royalty;
    address private receiver = makeAddr("receiver");
    uint256 private id;

    function setUp() public override {
        super.setUp();
        royalty = ITenderRoyalty(deployCode("TenderRoyalty.sol:TenderRoyalty", abi.encode(task)));
        id = _mint();
    }

    function _set(uint16 bps) private {
        vm.prank(publisher);
        royalty.setRoyalty(id, receiver, bps);
    }

    function _assertRoyalty(address expected, uint256 amount) private view {
        (address to, uint256 got) = royalty.royaltyInfo(id, 1 ether);
        assertEq(to, expected);
        assertEq(got, amount);
    }

    function test_SetRoyalty_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        address[3] memory callers = [owner, judge, receiver];
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.NotPublisher.selector, callers[i], publisher));
            vm.prank(callers[i]);
            royalty.setRoyalty(id, receiver, 500);
        }
    }

    function test_SetRoyalty_RevertsWhen_TheReceiverIsZeroOrTheRateTooHigh() external {
        vm.startPrank(publisher);
        vm.expectRevert(ITenderRoyalty.ZeroReceiver.selector);
        royalty.setRoyalty(id, address(0), 500);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.RoyaltyTooHigh.selector, 1_001, 1_000));
        royalty.setRoyalty(id, receiver, 1_001);
        royalty.setRoyalty(id, receiver, 1_000);
    }

    /// Who buys a tender knows the most that a later sale can cost.
    function test_SetRoyalty_MUST_HappenOnce() external {
        _set(500);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.RoyaltyAlreadySet.selector, id));
        _set(500);
    }

    function test_SetRoyalty_RecordsAndEmits() external {
        vm.expectEmit(address(royalty));
        emit ITenderRoyalty.RoyaltySet(id, receiver, 500);
        _set(500);
        _assertRoyalty(receiver, 0.05 ether);
        (address to, uint16 bps) = royalty.royaltyOf(id);
        assertEq(to, receiver);
        assertEq(bps, 500);
        assertEq(royalty.TASK(), address(task));
    }

    function test_LowerRoyalty_OnlyLowers() external {
        vm.startPrank(publisher);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.RoyaltyNotSet.selector, id));
        royalty.lowerRoyalty(id, 0);
        royalty.setRoyalty(id, receiver, 500);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.RoyaltyTooHigh.selector, 501, 500));
        royalty.lowerRoyalty(id, 501);
        royalty.lowerRoyalty(id, 100);
        vm.stopPrank();
        _assertRoyalty(receiver, 0.01 ether);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.NotPublisher.selector, owner, publisher));
        vm.prank(owner);
        royalty.lowerRoyalty(id, 0);
    }

    function test_PassRoyalty_IsTheReceiversAlone() external {
        _set(500);
        vm.expectRevert(abi.encodeWithSelector(ITenderRoyalty.NotReceiver.selector, publisher, receiver));
        vm.prank(publisher);
        royalty.passRoyalty(id, stranger);
        vm.startPrank(receiver);
        vm.expectRevert(ITenderRoyalty.ZeroReceiver.selector);
        royalty.passRoyalty(id, address(0));
        royalty.passRoyalty(id, stranger);
        _assertRoyalty(stranger, 0.05 ether);
    }

    function test_RoyaltyInfo_IsNothingWhereNoneIsSet() external view {
        _assertRoyalty(address(0), 0);
    }

    function testFuzz_RoyaltyInfo_IsRoundedDownAndNeverOverflows(uint256 price, uint16 bps) external {
        bps = uint16(bound(bps, 0, 1_000));
        _set(bps);
        (, uint256 amount) = royalty.royaltyInfo(id, price);
        assertEq(amount, price / 10_000 * bps + price % 10_000 * bps / 10_000);
    }

    function test_Royalty_DeclaresItself() external view {
        assertTrue(royalty.supportsInterface(0x2a55205a));
        assertTrue(royalty.supportsInterface(0x01ffc9a7));
        assertFalse(royalty.supportsInterface(0xffffffff));
    }

    /// The kernel says nothing about royalties, on purpose.
    function test_Kernel_DeclaresNoRoyalties() external view {
        assertFalse(task.supportsInterface(0x2a55205a));
    }
}
