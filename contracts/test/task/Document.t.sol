// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IOnchainTaskDocument} from "../../src/task/IOnchainTaskDocument.sol";
import {ITaskToken} from "../../src/task/ITaskToken.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title publishTaskDocument, updateTaskWithDocument: the plaintext on the chain itself
contract DocumentTest is TaskTest {
    uint256 private constant MAX_BYTES = 24_575;
    bytes private constant TEXT = "# Task\n\nFind the input.\n";
    uint256 private id;
    bytes32 private textHash;

    function setUp() public override {
        super.setUp();
        textHash = sha256(TEXT);
        id = task.mintTask(owner, publisher, judge, textHash, TASK_HASH, "ipfs://task", _terms());
    }

    function _publish() private {
        vm.prank(publisher);
        task.publishTaskDocument(id, TEXT);
    }

    /// @dev Nothing but `byte_`, `size` times.
    function _filled(uint256 size, bytes1 byte_) private pure returns (bytes memory text) {
        text = new bytes(size);
        for (uint256 i = 0; i < size; i++) {
            text[i] = byte_;
        }
    }

    // --- reading ---

    function test_TaskDocument_MUST_RevertWhile_ThereIsNone() external {
        assertFalse(task.hasOnchainTaskDocument(id));
        _refuses(abi.encodeWithSelector(NoOnchainDocument.selector, id));
        task.taskDocument(id);
    }

    // --- publishTaskDocument ---

    function test_Publish_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        _refuses(abi.encodeWithSelector(NotUpdateAuthority.selector, id, owner, publisher));
        vm.prank(owner);
        task.publishTaskDocument(id, TEXT);
    }

    function test_Publish_RevertsWhen_AlreadyPublished() external {
        _publish();
        _refuses(abi.encodeWithSelector(DocumentAlreadyPublished.selector, id));
        _publish();
    }

    function test_Publish_MUST_RevertWhen_DocumentIsNotTheBoundOne() external {
        bytes memory other = "# Another";
        bytes32 got = sha256(other);
        _refuses(abi.encodeWithSelector(DocumentMismatch.selector, id, got, textHash));
        vm.prank(publisher);
        task.publishTaskDocument(id, other);
    }

    function test_Publish_MUST_StoreTheExactBytesAndLeaveBindingAndVersion() external {
        vm.expectEmit(address(task));
        emit IOnchainTaskDocument.TaskDocumentPublished(id, textHash);
        _publish();
        assertTrue(task.hasOnchainTaskDocument(id));
        assertEq(task.taskDocument(id), TEXT);
        assertEq(abi.encode(task.taskOf(id)), abi.encode(ITaskToken.TaskBinding(textHash, TASK_HASH, 1)));
    }

    function test_Publish_SucceedsAfterFreeze() external {
        vm.prank(publisher);
        task.freezeTask(id);
        _publish();
        assertEq(task.taskDocument(id), TEXT);
    }

    // --- updateTask beside a document ---

    function test_UpdateTask_MUST_RevertWhen_DocumentExistsAndTdHashWouldChange() external {
        _publish();
        _refuses(abi.encodeWithSelector(DocumentUpdateRequired.selector, id));
        vm.prank(publisher);
        task.updateTask(id, TD_HASH, NEXT_HASH);
    }

    function test_UpdateTask_SucceedsWhen_DocumentExistsAndTdHashStays() external {
        _publish();
        vm.prank(publisher);
        task.updateTask(id, textHash, NEXT_HASH);
        assertEq(task.taskDocument(id), TEXT);
        assertEq(task.taskOf(id).version, 2);
    }

    // --- updateTaskWithDocument ---

    function test_UpdateWithDocument_MUST_RevertWhen_CallerIsNotUpdateAuthority() external {
        _refuses(abi.encodeWithSelector(NotUpdateAuthority.selector, id, owner, publisher));
        vm.prank(owner);
        task.updateTaskWithDocument(id, TEXT, NEXT_HASH);
    }

    function test_UpdateWithDocument_MUST_RevertWhen_Frozen() external {
        _publish();
        vm.startPrank(publisher);
        task.freezeTask(id);
        _refuses(abi.encodeWithSelector(TaskIsFrozen.selector, id));
        task.updateTaskWithDocument(id, "new", NEXT_HASH);
    }

    function test_UpdateWithDocument_MUST_RevertWhen_TaskHashIsZeroOrUnchanged() external {
        vm.startPrank(publisher);
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.updateTaskWithDocument(id, TEXT, 0);
        _refuses(abi.encodeWithSelector(TaskHashUnchanged.selector, id, TASK_HASH));
        task.updateTaskWithDocument(id, TEXT, TASK_HASH);
    }

    /// Once true, true for ever; and the bytes always hash to tdHash.
    function testFuzz_UpdateWithDocument_MUST_KeepDocumentAndTdHashInStep(bytes calldata first, bytes calldata second)
        external
    {
        vm.startPrank(publisher);
        task.updateTaskWithDocument(id, first, NEXT_HASH);
        assertEq(task.taskDocument(id), first);
        assertEq(task.taskOf(id).tdHash, sha256(first));
        task.updateTaskWithDocument(id, second, TASK_HASH);
        assertEq(task.taskDocument(id), second);
        assertEq(task.taskOf(id).tdHash, sha256(second));
        assertEq(task.taskOf(id).version, 3);
        assertTrue(task.hasOnchainTaskDocument(id));
    }

    function test_UpdateWithDocument_MUST_EmitBothEvents() external {
        bytes32 newHash = sha256("new");
        vm.expectEmit(address(task));
        emit ITaskToken.TaskUpdated(id, newHash, NEXT_HASH, 2);
        vm.expectEmit(address(task));
        emit IOnchainTaskDocument.TaskDocumentPublished(id, newHash);
        vm.prank(publisher);
        task.updateTaskWithDocument(id, "new", NEXT_HASH);
    }

    // --- size ---

    function test_Document_MayBeEmpty() external {
        vm.prank(publisher);
        task.updateTaskWithDocument(id, "", NEXT_HASH);
        assertTrue(task.hasOnchainTaskDocument(id));
        assertEq(task.taskDocument(id), "");
    }

    /// 0xef may not begin the code of a contract, and here it does not.
    function test_Document_MayHaveTheLargestSize() external {
        bytes memory text = _filled(MAX_BYTES, 0xef);
        vm.prank(publisher);
        task.updateTaskWithDocument(id, text, NEXT_HASH);
        assertEq(keccak256(task.taskDocument(id)), keccak256(text));
    }

    function test_Document_RevertsWhen_OneByteTooLarge() external {
        bytes memory text = _filled(MAX_BYTES + 1, "a");
        _refuses(abi.encodeWithSelector(DocumentTooLarge.selector, MAX_BYTES + 1, MAX_BYTES));
        vm.prank(publisher);
        task.updateTaskWithDocument(id, text, NEXT_HASH);
    }
}
