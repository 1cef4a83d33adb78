// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {MockERC20} from "../mocks/MockERC20.sol";

/// @title The people and the steps that the tests of the task market share
/// @notice Every test file is the branch tree of one entry point or one property: its headings are the branches, in
///         the order in which the contract checks them, and its functions are the leaves.
abstract contract TaskTest is Test, ITaskErrors {
    uint256 internal constant START = 1_800_000_000; // unix seconds
    uint64 internal constant WINDOW = 3 days;
    uint256 internal constant REWARD = 1 ether;
    // not sha256: that is a call, and would use up a prank
    bytes32 internal constant TD_HASH = keccak256("# Task");
    bytes32 internal constant TASK_HASH = keccak256("root");
    bytes32 internal constant RESULT = keccak256("result");
    bytes32 internal constant NEXT_HASH = keccak256("next root");

    ITaskMarket internal task;
    address internal owner = makeAddr("owner");
    address internal publisher = makeAddr("publisher");
    address internal judge = makeAddr("judge");
    address internal funder = makeAddr("funder");
    address internal worker = makeAddr("worker");
    address internal stranger = makeAddr("stranger");

    function setUp() public virtual {
        vm.warp(START);
        task = ITaskMarket(deployCode("TaskToken.sol:TaskToken", abi.encode("Oikos Task", "TASK")));
    }

    // --- terms and mints ---

    /// @dev Native, judged, without bounds, deadlines or epochs; a test changes the field that it is about.
    function _terms() internal pure returns (ITaskTender.TenderTerms memory terms) {
        terms.rewardPerCompletion = REWARD;
        terms.judgmentWindow = WINDOW;
    }

    function _mint(ITaskTender.TenderTerms memory terms, address authority) internal returns (uint256) {
        return task.mintTask(owner, publisher, authority, TD_HASH, TASK_HASH, "ipfs://task", terms);
    }

    function _mint(ITaskTender.TenderTerms memory terms) internal returns (uint256) {
        return _mint(terms, judge);
    }

    function _mint() internal returns (uint256) {
        return _mint(_terms(), judge);
    }

    /// @dev A tender like `_terms` in `asset`.
    function _mintIn(address asset) internal returns (uint256) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = asset;
        return _mint(terms, judge);
    }

    /// @dev A native tender with enough for `rewards` completions, from `funder`.
    function _funded(uint256 rewards) internal returns (uint256 tokenId) {
        tokenId = _mint();
        _fund(tokenId, funder, rewards * REWARD);
    }

    // --- steps ---

    function _fund(uint256 tokenId, address from, uint256 amount) internal {
        address asset = task.tenderTermsOf(tokenId).asset;
        if (asset == address(0)) {
            vm.deal(from, from.balance + amount);
            vm.prank(from);
            task.fundTask{value: amount}(tokenId, amount);
        } else {
            MockERC20(asset).mint(from, amount);
            vm.startPrank(from);
            MockERC20(asset).approve(address(task), amount);
            task.fundTask(tokenId, amount);
            vm.stopPrank();
        }
    }

    /// @dev A gift: money that reaches the vault by a plain transfer.
    function _give(uint256 tokenId, uint256 amount) internal {
        address asset = task.tenderTermsOf(tokenId).asset;
        address vault = task.vaultOf(tokenId);
        if (asset == address(0)) vm.deal(vault, vault.balance + amount);
        else MockERC20(asset).mint(vault, amount);
    }

    function _submit(uint256 tokenId, address fulfiller) internal returns (uint256) {
        vm.prank(fulfiller);
        return task.submitFulfillment(tokenId, RESULT, "ipfs://result");
    }

    function _submit(uint256 tokenId) internal returns (uint256) {
        return _submit(tokenId, worker);
    }

    function _accept(uint256 tokenId, uint256 submissionId) internal {
        vm.prank(judge);
        task.acceptFulfillment(tokenId, submissionId);
    }

    function _reject(uint256 tokenId, uint256 submissionId) internal {
        vm.prank(judge);
        task.rejectFulfillment(tokenId, submissionId);
    }

    function _cancel(uint256 tokenId) internal {
        vm.prank(publisher);
        task.cancelTask(tokenId);
    }

    function _reclaim(uint256 tokenId, address from) internal {
        vm.prank(from);
        task.reclaimEscrow(tokenId);
    }

    function _reclaimResidual(uint256 tokenId) internal {
        vm.prank(owner);
        task.reclaimResidual(tokenId);
    }

    // --- reading ---

    function _status(uint256 tokenId, uint256 submissionId) internal view returns (ITaskTender.SubmissionStatus) {
        return task.submissionOf(tokenId, submissionId).status;
    }

    function _assertStatus(uint256 tokenId, uint256 submissionId, ITaskTender.SubmissionStatus expected) internal view {
        assertEq(uint8(_status(tokenId, submissionId)), uint8(expected), "status");
    }

    function _balance(address asset, address account) internal view returns (uint256) {
        return asset == address(0) ? account.balance : MockERC20(asset).balanceOf(account);
    }

    /// @dev Expect the next call to be refused with exactly `reason`.
    function _refuses(bytes memory reason) internal {
        vm.expectRevert(reason);
    }
}
