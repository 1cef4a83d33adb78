// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskToken} from "../../src/task/ITaskToken.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title mintTask: a tender is complete when it is born
contract MintTaskTest is TaskTest {
    function _mintRefused(ITaskTender.TenderTerms memory terms, bytes memory reason) private {
        _refuses(reason);
        _mint(terms);
    }

    // --- arguments ---

    function test_Mint_MUST_RevertWhen_UpdateAuthorityIsZero() external {
        _refuses(abi.encodeWithSelector(ZeroAuthority.selector));
        task.mintTask(owner, address(0), judge, TD_HASH, TASK_HASH, "ipfs://task", _terms());
    }

    function test_Mint_MUST_RevertWhen_AcceptanceAuthorityIsZero() external {
        _refuses(abi.encodeWithSelector(ZeroAuthority.selector));
        task.mintTask(owner, publisher, address(0), TD_HASH, TASK_HASH, "ipfs://task", _terms());
    }

    function test_Mint_MUST_RevertWhen_TdHashIsZero() external {
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.mintTask(owner, publisher, judge, 0, TASK_HASH, "ipfs://task", _terms());
    }

    function test_Mint_MUST_RevertWhen_TaskHashIsZero() external {
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.mintTask(owner, publisher, judge, TD_HASH, 0, "ipfs://task", _terms());
    }

    function test_Mint_RevertsWhen_URIIsEmpty() external {
        _refuses(abi.encodeWithSelector(EmptyURI.selector));
        task.mintTask(owner, publisher, judge, TD_HASH, TASK_HASH, "", _terms());
    }

    function test_Mint_RevertsWhen_OwnerIsZero() external {
        _refuses(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(0)));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "ipfs://task", _terms());
    }

    function test_Mint_RevertsWhen_SentMoney() external {
        vm.deal(address(this), 1);
        (bool success,) = address(task).call{value: 1}(
            abi.encodeCall(task.mintTask, (owner, publisher, judge, TD_HASH, TASK_HASH, "ipfs://task", _terms()))
        );
        assertFalse(success, "mintTask is not payable");
    }

    // --- terms ---

    function test_Terms_MUST_RevertWhen_RewardIsZero() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.rewardPerCompletion = 0;
        _mintRefused(terms, abi.encodeWithSelector(ZeroReward.selector));
    }

    function test_Terms_MUST_RevertWhen_JudgmentWindowIsZero() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = 0;
        _mintRefused(terms, abi.encodeWithSelector(ZeroJudgmentWindow.selector));
    }

    function test_Terms_MUST_RevertWhen_SettleByIsBeforeSubmitBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.submitBy = 100;
        terms.settleBy = 99;
        _mintRefused(terms, abi.encodeWithSelector(SettleByBeforeSubmitBy.selector, 99, 100));
        terms.settleBy = 100; // the same second is fine
        _mint(terms);
    }

    function test_Terms_MayHaveOneDeadlineWithoutTheOther() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = 99;
        _mint(terms);
        terms.settleBy = 0;
        terms.submitBy = 100;
        _mint(terms);
    }

    function test_Terms_MUST_RevertWhen_OnlyOneEpochFieldIsSet() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.epochLength = 1 days;
        _mintRefused(terms, abi.encodeWithSelector(EpochFieldsMustPair.selector, 1 days, 0));
        terms.maxCompletionsPerEpoch = 7;
        terms.epochLength = 0;
        _mintRefused(terms, abi.encodeWithSelector(EpochFieldsMustPair.selector, 0, 7));
        terms.epochLength = 1 days;
        _mint(terms);
    }

    // --- effects ---

    function test_Mint_MUST_PopulateBindingAuthoritiesAndVault() external {
        vm.prank(stranger); // anyone may mint
        uint256 id = _mint();
        ITaskToken.TaskBinding memory binding = task.taskOf(id);
        assertEq(binding.tdHash, TD_HASH);
        assertEq(binding.taskHash, TASK_HASH);
        assertEq(binding.version, 1);
        assertEq(task.taskURI(id), "ipfs://task");
        assertEq(task.ownerOf(id), owner);
        assertEq(task.updateAuthorityOf(id), publisher);
        assertEq(task.acceptanceAuthorityOf(id), judge);
        assertFalse(task.isTaskFrozen(id));
        assertFalse(task.isTenderCancelled(id));
        assertFalse(task.hasOnchainTaskDocument(id));
        assertEq(task.escrowBalanceOf(id), 0);
        assertGt(task.vaultOf(id).code.length, 0);
    }

    function test_Mint_MUST_EmitGenesisEventsInOrder() external {
        vm.recordLogs();
        _mint();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32[5] memory expected = [
            IERC721.Transfer.selector,
            ITaskToken.TaskUpdated.selector,
            ITaskToken.TaskUpdateAuthorityChanged.selector,
            ITaskTender.AcceptanceAuthorityChanged.selector,
            ITaskToken.TaskURIUpdated.selector
        ];
        assertEq(logs.length, expected.length);
        for (uint256 i = 0; i < expected.length; i++) {
            assertEq(logs[i].topics[0], expected[i]);
            assertEq(logs[i].emitter, address(task));
        }
    }

    function test_Mint_MUST_EmitGenesisEventsWithTheirValues() external {
        vm.expectEmit(address(task));
        emit ITaskToken.TaskUpdated(1, TD_HASH, TASK_HASH, 1);
        vm.expectEmit(address(task));
        emit ITaskToken.TaskUpdateAuthorityChanged(1, address(0), publisher);
        vm.expectEmit(address(task));
        emit ITaskTender.AcceptanceAuthorityChanged(1, address(0), judge);
        vm.expectEmit(address(task));
        emit ITaskToken.TaskURIUpdated(1, "ipfs://task");
        _mint();
    }

    function test_Mint_NumbersTokensFromOne() external {
        assertEq(task.nextId(), 1);
        assertEq(_mint(), 1);
        assertEq(_mint(), 2);
        assertEq(task.nextId(), 3);
        assertEq(task.name(), "Oikos Task");
        assertEq(task.symbol(), "TASK");
    }

    /// A receiver check would run the receiver's code in a half-built tender.
    function test_Mint_DoesNotCallTheOwner() external {
        assertEq(task.mintTask(address(this), publisher, judge, TD_HASH, TASK_HASH, "ipfs://task", _terms()), 1);
        assertEq(task.ownerOf(1), address(this));
    }
}
