// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskToken} from "../../src/task/ITaskToken.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title cancelTask: stop buying, without un-receiving
contract CancelTaskTest is TaskTest {
    // --- role ---

    function test_Cancel_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        uint256 id = _funded(1);
        address[4] memory callers = [owner, judge, funder, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _refuses(abi.encodeWithSelector(NotUpdateAuthority.selector, id, callers[i], publisher));
            vm.prank(callers[i]);
            task.cancelTask(id);
        }
    }

    // --- state of the tender ---

    function test_Cancel_MUST_BeIrreversible() external {
        uint256 id = _funded(1);
        _cancel(id);
        _refuses(abi.encodeWithSelector(TenderIsCancelled.selector, id));
        _cancel(id);
        assertTrue(task.isTenderCancelled(id));
    }

    // --- effects ---

    function test_Cancel_MUST_EmitAndLeaveTheBinding() external {
        uint256 id = _funded(1);
        vm.expectEmit(address(task));
        emit ITaskTender.TenderCancelled(id);
        _cancel(id);
        assertTrue(task.isTenderCancelled(id));
        assertFalse(task.isTaskFrozen(id));
        assertEq(abi.encode(task.taskOf(id)), abi.encode(ITaskToken.TaskBinding(TD_HASH, TASK_HASH, 1)));
        assertEq(task.escrowBalanceOf(id), REWARD);
    }

    function test_Cancel_LeavesOtherTendersAlone() external {
        uint256 first = _funded(1);
        uint256 second = _funded(1);
        _cancel(first);
        assertFalse(task.isTenderCancelled(second));
        _accept(second, _submit(second));
    }

    /// A demander may stop buying; it may not take back its obligation for what it has been given.
    function test_Cancel_MUST_NotVoidDeliveredWork() external {
        uint256 id = _funded(3);
        for (uint256 i = 0; i < 3; i++) {
            _submit(id);
        }
        _cancel(id);
        assertEq(task.pendingOf(id), 3);
        assertEq(task.lockedEscrowOf(id), 3 * REWARD);
        _accept(id, 1);
        _reject(id, 2);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 3);
        assertEq(worker.balance, 2 * REWARD);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
    }
}
