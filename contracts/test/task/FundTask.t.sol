// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {BoastfulERC20, FalseReturnERC20, FeeERC20, LyingERC20, NoReturnERC20} from "../mocks/OddERC20.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title fundTask: money comes in, attributed to whoever sent it
contract FundTaskTest is TaskTest {
    uint64 private constant END = uint64(START + 1000);

    function _mintUntil(uint64 settleBy) private returns (uint256) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = settleBy;
        return _mint(terms);
    }

    function _fundRefused(uint256 tokenId, uint256 value, uint256 amount, bytes memory reason) private {
        vm.deal(funder, value);
        _refuses(reason);
        vm.prank(funder);
        task.fundTask{value: value}(tokenId, amount);
    }

    function _wrongValue(uint256 got, uint256 expected) private pure returns (bytes memory) {
        return abi.encodeWithSelector(WrongNativeValue.selector, got, expected);
    }

    // --- arguments ---

    function test_Funding_RevertsWhen_AmountIsZero() external {
        _fundRefused(_mint(), 0, 0, abi.encodeWithSelector(ZeroAmount.selector));
    }

    function test_Funding_MUST_RevertWhen_NativeValueIsNotTheAmount() external {
        uint256 id = _mint();
        _fundRefused(id, 4, 5, _wrongValue(4, 5));
        _fundRefused(id, 6, 5, _wrongValue(6, 5));
        _fundRefused(id, 0, 5, _wrongValue(0, 5));
    }

    function test_Funding_MUST_RevertWhen_AnERC20TenderIsSentValue() external {
        uint256 id = _mintIn(address(new MockERC20()));
        _fundRefused(id, 1, 1, _wrongValue(1, 0));
    }

    // --- state of the tender ---

    function test_Funding_MUST_RevertWhen_Cancelled() external {
        uint256 id = _mint();
        _cancel(id);
        _fundRefused(id, 1, 1, abi.encodeWithSelector(TenderIsCancelled.selector, id));
    }

    function test_Funding_MUST_RevertWhen_CancelledWithDeliveriesPending() external {
        uint256 id = _funded(1);
        _submit(id);
        _cancel(id);
        _fundRefused(id, 1, 1, abi.encodeWithSelector(TenderIsCancelled.selector, id));
    }

    function test_Funding_MUST_RevertWhen_RefundsHaveStarted() external {
        uint256 id = _mintUntil(END);
        _fund(id, funder, 5);
        _fund(id, stranger, 5);
        vm.warp(END + 1);
        _reclaim(id, stranger);
        _fundRefused(id, 1, 1, abi.encodeWithSelector(RefundsStarted.selector, id));
    }

    // --- clock ---

    function test_Funding_SucceedsAt_SettleBy() external {
        uint256 id = _mintUntil(END);
        vm.warp(END);
        _fund(id, funder, 5);
        assertEq(task.escrowBalanceOf(id), 5);
    }

    function test_Funding_RevertsWhen_AfterSettleByAndNothingIsPending() external {
        uint256 id = _mintUntil(END);
        vm.warp(END + 1);
        _fundRefused(id, 1, 1, abi.encodeWithSelector(SettlementClosed.selector, id, END));
    }

    /// Money can still serve a delivery that waits for its default.
    function test_Funding_SucceedsWhen_AfterSettleByAndADeliveryIsPending() external {
        uint256 id = _mintUntil(END);
        _fund(id, funder, REWARD);
        _submit(id);
        vm.warp(END + 1);
        _fund(id, stranger, 7);
        assertEq(task.escrowBalanceOf(id), REWARD + 7);
        assertEq(task.contributionOf(id, stranger), 7);
    }

    function test_Funding_MayHappenAfterFreezeAndAfterSubmitBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.submitBy = END;
        uint256 id = _mint(terms);
        vm.prank(publisher);
        task.freezeTask(id);
        vm.warp(END + 1);
        _fund(id, funder, 5);
        assertEq(task.escrowBalanceOf(id), 5);
    }

    // --- money ---

    function test_Funding_MUST_ForwardNativeToTheVaultAndAttributeIt() external {
        uint256 id = _mint();
        _fund(id, funder, 5);
        vm.deal(stranger, 7);
        vm.expectEmit(address(task));
        emit ITaskTender.TenderFunded(id, stranger, 7, 12);
        vm.prank(stranger);
        task.fundTask{value: 7}(id, 7);
        assertEq(task.vaultOf(id).balance, 12);
        assertEq(address(task).balance, 0);
        assertEq(task.contributionOf(id, funder), 5);
        assertEq(task.contributionOf(id, stranger), 7);
    }

    function test_Funding_MUST_AddUpPerFunder() external {
        uint256 id = _mint();
        _fund(id, funder, 5);
        _give(id, 100);
        _fund(id, funder, 6);
        assertEq(task.contributionOf(id, funder), 11);
        (, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(funders, 11);
        assertEq(residual, 100);
    }

    function test_Funding_MUST_MoveExactlyTheAmountOfAnERC20() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        token.mint(funder, 10);
        vm.startPrank(funder);
        token.approve(address(task), 10);
        vm.expectEmit(address(task));
        emit ITaskTender.TenderFunded(id, funder, 6, 6);
        task.fundTask(id, 6);
        assertEq(token.balanceOf(task.vaultOf(id)), 6);
        assertEq(token.balanceOf(funder), 4);
        assertEq(token.allowance(funder, address(task)), 4);
    }

    function test_Funding_SpendsTheAllowanceOfTheCallerOnly() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        token.mint(funder, 10);
        vm.prank(funder);
        token.approve(address(task), 10);
        _refuses(abi.encodeWithSelector(FundingMismatch.selector, id, 0, 5));
        vm.prank(stranger);
        task.fundTask(id, 5);
    }

    function test_Funding_AcceptsATokenThatRepliesNothing() external {
        uint256 id = _mintIn(address(new NoReturnERC20()));
        _fund(id, funder, 5);
        assertEq(task.escrowBalanceOf(id), 5);
    }

    /// The money came, whatever the token says about it.
    function testFuzz_Funding_BelievesTheBalanceAndNotTheReply(uint256 replyBytes) external {
        LyingERC20 token = new LyingERC20();
        uint256 id = _mintIn(address(token));
        token.setReplyBytes(bound(replyBytes, 0, 100_000));
        _fund(id, funder, 5);
        assertEq(task.contributionOf(id, funder), 5);
    }

    function _mismatch(MockERC20 token, uint256 amount, uint256 received) private {
        uint256 id = _mintIn(address(token));
        token.mint(funder, amount);
        vm.startPrank(funder);
        token.approve(address(task), amount);
        _refuses(abi.encodeWithSelector(FundingMismatch.selector, id, received, amount));
        task.fundTask(id, amount);
        vm.stopPrank();
        assertEq(task.contributionOf(id, funder), 0);
        assertEq(token.balanceOf(funder), amount, "nothing is lost");
        token.shrink(funder, amount);
    }

    function test_Funding_MUST_RevertWhen_TheTokenTakesAFee() external {
        _mismatch(new FeeERC20(), 1000, 990);
    }

    function test_Funding_MUST_RevertWhen_TheTokenRepliesFalseAndMovesNothing() external {
        FalseReturnERC20 token = new FalseReturnERC20();
        token.setClosed(true);
        _mismatch(token, 1000, 0);
    }

    function test_Funding_MUST_RevertWhen_TheTokenRepliesTrueAndMovesLessOrMore() external {
        BoastfulERC20 token = new BoastfulERC20();
        token.setMovedPercent(0);
        _mismatch(token, 1000, 0);
        token.setMovedPercent(99);
        _mismatch(token, 1000, 990);
        token.setMovedPercent(150);
        token.mint(funder, 1500);
        uint256 id = _mintIn(address(token));
        vm.startPrank(funder);
        token.approve(address(task), 1000);
        _refuses(abi.encodeWithSelector(FundingMismatch.selector, id, 1500, 1000));
        task.fundTask(id, 1000);
    }

    function test_Funding_RevertsWhen_TheAssetIsNoContract() external {
        uint256 id = _mintIn(stranger);
        _refuses(abi.encodeWithSelector(UnreadableBalance.selector, stranger));
        task.fundTask(id, 1);
    }

    /// More than 2^256 - 1 in total: refused, and what is there stays usable.
    function test_Funding_RevertsWhen_TheSumOverflows() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, type(uint256).max - 1);
        token.shrink(task.vaultOf(id), type(uint256).max - 1);
        token.mint(stranger, 2);
        vm.startPrank(stranger);
        token.approve(address(task), 2);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11), address(task));
        task.fundTask(id, 2);
    }
}
