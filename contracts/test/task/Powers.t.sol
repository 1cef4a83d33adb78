// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TaskTest} from "./TaskTest.sol";

/// @title Ownership, publication and judgment are three rights
contract PowersTest is TaskTest {
    uint256 private id;

    function setUp() public override {
        super.setUp();
        id = _funded(2);
        _submit(id);
    }

    /// @dev Everything that an authority could do, tried by `caller`, who holds neither.
    function _assertPowerless(address caller) private {
        bytes[9] memory calls = [
            abi.encodeCall(task.updateTask, (id, TD_HASH, NEXT_HASH)),
            abi.encodeCall(task.updateTaskWithDocument, (id, "x", NEXT_HASH)),
            abi.encodeCall(task.publishTaskDocument, (id, "x")),
            abi.encodeCall(task.setTaskURI, (id, "ipfs://x")),
            abi.encodeCall(task.setUpdateAuthority, (id, caller)),
            abi.encodeCall(task.freezeTask, (id)),
            abi.encodeCall(task.cancelTask, (id)),
            abi.encodeCall(task.acceptFulfillment, (id, 1)),
            abi.encodeCall(task.rejectFulfillment, (id, 1))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            vm.prank(caller);
            (bool success, bytes memory reply) = address(task).call(calls[i]);
            assertFalse(success);
            assertEq(bytes4(reply), i < 7 ? NotUpdateAuthority.selector : NotAcceptanceAuthority.selector);
        }
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, caller, judge));
        task.setAcceptanceAuthority(id, caller);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
    }

    function test_Transfer_MUST_NotChangeEitherAuthority() external {
        vm.prank(owner);
        task.transferFrom(owner, stranger, id);
        assertEq(task.ownerOf(id), stranger);
        assertEq(task.updateAuthorityOf(id), publisher);
        assertEq(task.acceptanceAuthorityOf(id), judge);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD, "the vault goes with the token");
        _assertPowerless(stranger);
        _assertPowerless(owner);
    }

    function test_Approval_MUST_NotConferAuthority() external {
        vm.prank(owner);
        task.approve(stranger, id);
        _assertPowerless(stranger);
    }

    function test_Operator_MUST_NotConferAuthority() external {
        vm.prank(owner);
        task.setApprovalForAll(stranger, true);
        _assertPowerless(stranger);
    }

    function test_Authorities_MUST_NotOwnTheToken() external {
        address[2] memory callers = [publisher, judge];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.prank(callers[i]);
            vm.expectRevert();
            task.transferFrom(owner, callers[i], id);
        }
    }

    function test_Publisher_MUST_NotJudge_AndJudgeMUST_NotPublish() external {
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, publisher, judge));
        vm.prank(publisher);
        task.acceptFulfillment(id, 1);
        vm.expectRevert(abi.encodeWithSelector(NotUpdateAuthority.selector, id, judge, publisher));
        vm.prank(judge);
        task.cancelTask(id);
    }
}
