// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskToken} from "../../src/task/ITaskToken.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title updateTask, setTaskURI, setUpdateAuthority, freezeTask: the publisher's powers
contract BindingTest is TaskTest {
    bytes32 private constant NEXT_TD = keccak256("next document");
    uint256 private id;

    function setUp() public override {
        super.setUp();
        id = _mint();
    }

    function _notPublisher(address caller) private {
        _refuses(abi.encodeWithSelector(NotUpdateAuthority.selector, id, caller, publisher));
        vm.prank(caller);
    }

    function _freeze() private {
        vm.prank(publisher);
        task.freezeTask(id);
    }

    // --- updateTask ---

    function test_UpdateTask_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        address[4] memory callers = [owner, judge, funder, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _notPublisher(callers[i]);
            task.updateTask(id, NEXT_TD, NEXT_HASH);
        }
    }

    function test_UpdateTask_MUST_RevertWhen_AHashIsZero() external {
        vm.startPrank(publisher);
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.updateTask(id, 0, NEXT_HASH);
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.updateTask(id, NEXT_TD, 0);
    }

    function test_UpdateTask_MUST_RevertWhen_Frozen() external {
        _freeze();
        _refuses(abi.encodeWithSelector(TaskIsFrozen.selector, id));
        vm.prank(publisher);
        task.updateTask(id, NEXT_TD, NEXT_HASH);
    }

    function test_UpdateTask_MUST_RevertWhen_TaskHashIsUnchanged() external {
        _refuses(abi.encodeWithSelector(TaskHashUnchanged.selector, id, TASK_HASH));
        vm.prank(publisher);
        task.updateTask(id, NEXT_TD, TASK_HASH);
    }

    function test_UpdateTask_MUST_SetBothHashesAndRaiseTheVersionByOne() external {
        vm.expectEmit(address(task));
        emit ITaskToken.TaskUpdated(id, NEXT_TD, NEXT_HASH, 2);
        vm.prank(publisher);
        task.updateTask(id, NEXT_TD, NEXT_HASH);
        assertEq(abi.encode(task.taskOf(id)), abi.encode(ITaskToken.TaskBinding(NEXT_TD, NEXT_HASH, 2)));
        vm.prank(publisher);
        task.updateTask(id, NEXT_TD, TASK_HASH); // an earlier hash may come back; only the current one may not
        assertEq(task.taskOf(id).version, 3);
    }

    function test_UpdateTask_MayKeepTdHash() external {
        vm.prank(publisher);
        task.updateTask(id, TD_HASH, NEXT_HASH);
        assertEq(task.taskOf(id).tdHash, TD_HASH);
        assertEq(task.taskOf(id).version, 2);
    }

    // --- setTaskURI ---

    function test_SetTaskURI_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        _notPublisher(owner);
        task.setTaskURI(id, "ipfs://mirror");
    }

    function test_SetTaskURI_RevertsWhen_Empty() external {
        _refuses(abi.encodeWithSelector(EmptyURI.selector));
        vm.prank(publisher);
        task.setTaskURI(id, "");
    }

    function test_SetTaskURI_MUST_EmitAndLeaveTheVersion_AlsoWhenFrozen() external {
        _freeze();
        vm.expectEmit(address(task));
        emit ITaskToken.TaskURIUpdated(id, "ipfs://mirror");
        vm.prank(publisher);
        task.setTaskURI(id, "ipfs://mirror");
        assertEq(task.taskURI(id), "ipfs://mirror");
        assertEq(abi.encode(task.taskOf(id)), abi.encode(ITaskToken.TaskBinding(TD_HASH, TASK_HASH, 1)));
    }

    // --- setUpdateAuthority ---

    function test_SetUpdateAuthority_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        _notPublisher(owner);
        task.setUpdateAuthority(id, owner);
    }

    function test_SetUpdateAuthority_MUST_RevertWhen_Zero() external {
        _refuses(abi.encodeWithSelector(ZeroAuthority.selector));
        vm.prank(publisher);
        task.setUpdateAuthority(id, address(0));
    }

    function test_SetUpdateAuthority_MUST_MovePublication_AlsoWhenFrozen() external {
        _freeze();
        vm.expectEmit(address(task));
        emit ITaskToken.TaskUpdateAuthorityChanged(id, publisher, stranger);
        vm.prank(publisher);
        task.setUpdateAuthority(id, stranger);
        assertEq(task.updateAuthorityOf(id), stranger);
        vm.prank(stranger);
        task.setTaskURI(id, "ipfs://mine");
        _refuses(abi.encodeWithSelector(NotUpdateAuthority.selector, id, publisher, stranger));
        vm.prank(publisher);
        task.setTaskURI(id, "ipfs://theirs");
    }

    // --- freezeTask ---

    function test_FreezeTask_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        _notPublisher(owner);
        task.freezeTask(id);
    }

    function test_FreezeTask_MUST_BeIrreversibleAndEmit() external {
        vm.expectEmit(address(task));
        emit ITaskToken.TaskFrozen(id);
        _freeze();
        assertTrue(task.isTaskFrozen(id));
        _refuses(abi.encodeWithSelector(TaskIsFrozen.selector, id));
        _freeze();
    }

    /// Freezing binds content, not the tender.
    function test_FreezeTask_MUST_LeaveTheTenderCallable() external {
        _freeze();
        _fund(id, funder, 2 * REWARD);
        _accept(id, _submit(id));
        _reject(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
    }
}
