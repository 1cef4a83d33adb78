// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IFundingRouter, IPullPayments} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {BlacklistERC20, BoastfulERC20, FeeERC20, NoReturnERC20, SilentERC20} from "../mocks/OddERC20.sol";
import {ToggleRecipient} from "../mocks/Recipients.sol";
import {FundingRouterTest} from "./FundingRouterTest.sol";

/// @title FundingRouter: a fee where tenders are funded, and refunds by its own ledger
contract FundingRouterFundingTest is FundingRouterTest {
    // --- deployment ---

    function test_Deploy_RevertsWhen_TheTreasuryIsZeroOrTheRouter() external {
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, address(0)));
        _deploy(address(0), FEE_BPS);
        address next = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, next));
        _deploy(next, FEE_BPS);
    }

    function test_Deploy_RevertsWhen_TheFeeIsTooHigh() external {
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.FeeTooHigh.selector, 1_001, 1_000));
        _deploy(treasury, 1_001);
        assertEq(_deploy(treasury, 1_000).feeOf(100), 10);
        assertEq(_deploy(treasury, 0).feeOf(100), 0);
    }

    function test_Deploy_RecordsTreasuryAndRate() external view {
        assertEq(router.TREASURY(), treasury);
        assertEq(router.FEE_BPS(), FEE_BPS);
    }

    // --- fund ---

    function test_Fund_ForwardsTheNetAndKeepsTheFee() external {
        uint256 id = _mint();
        vm.expectEmit(address(task));
        emit ITaskTender.TenderFunded(id, address(router), 0.975 ether, 0.975 ether);
        vm.deal(funder, 1 ether);
        vm.prank(funder);
        assertEq(router.fund{value: 1 ether}(address(task), id, 1 ether), 0.975 ether);
        assertEq(task.escrowBalanceOf(id), 0.975 ether);
        assertEq(task.contributionOf(id, address(router)), 0.975 ether, "funder of record");
        assertEq(router.contributionOf(address(task), id, funder), 0.975 ether, "its own ledger");
        assertEq(router.owedOf(address(0), treasury), 0.025 ether);
        router.withdraw(address(0), treasury);
        assertEq(treasury.balance, 0.025 ether);
    }

    function test_Fund_RecordsAndEmits() external {
        uint256 id = _mintIn(address(token));
        token.mint(funder, 1_000);
        vm.startPrank(funder);
        token.approve(address(router), 1_000);
        vm.expectEmit(address(router));
        emit IFundingRouter.Funded(address(task), id, funder, 975, 25);
        router.fund(address(task), id, 1_000);
        vm.stopPrank();
        (uint256 contributed, uint256 outstanding, uint256 pool, uint256 left, bool collected) =
            router.potOf(address(task), id);
        assertEq(contributed, 975);
        assertEq(outstanding, 975);
        assertEq(pool, 0);
        assertEq(left, 0);
        assertFalse(collected);
        assertEq(task.escrowBalanceOf(id), 975);
        assertEq(token.balanceOf(address(router)), 25);
        assertEq(token.allowance(address(router), address(task)), 0, "no allowance survives a call");
    }

    /// The fee is rounded down: in favour of who funds.
    function test_Fund_RoundsTheFeeDown() external {
        uint256 id = _mintIn(address(token));
        _route(id, funder, 39); // 0.975
        assertEq(task.escrowBalanceOf(id), 39);
        _route(id, funder, 79); // 1.975
        assertEq(task.escrowBalanceOf(id), 39 + 78);
        assertEq(router.owedOf(address(token), treasury), 1);
        assertEq(
            router.feeOf(type(uint256).max),
            type(uint256).max / 10_000 * 250 + type(uint256).max % 10_000 * 250 / 10_000
        );
    }

    function test_Fund_RevertsWhen_TheAmountIsZeroOrNotWhatWasSent() external {
        uint256 id = _mint();
        vm.deal(funder, 3);
        vm.startPrank(funder);
        vm.expectRevert(IPullPayments.ZeroAmount.selector);
        router.fund(address(task), id, 0);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.WrongNativeValue.selector, 3, 2));
        router.fund{value: 3}(address(task), id, 2);
    }

    function test_Fund_RevertsWhen_TheTenderRefuses() external {
        uint256 id = _mint();
        _cancel(id);
        vm.deal(funder, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(TenderIsCancelled.selector, id));
        vm.prank(funder);
        router.fund{value: 1 ether}(address(task), id, 1 ether);
        assertEq(router.owedOf(address(0), treasury), 0, "no fee without funding");
    }

    function test_Fund_RefusesATokenThatKeepsAPart() external {
        FeeERC20 fee = new FeeERC20();
        uint256 id = _mintIn(address(fee));
        fee.mint(funder, 1_000);
        vm.startPrank(funder);
        fee.approve(address(router), 1_000);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.DepositMismatch.selector, address(fee), 990, 1_000));
        router.fund(address(task), id, 1_000);
    }

    /// What arrives beyond the amount would be on nobody's account.
    function test_Fund_RefusesATokenThatBringsMore() external {
        BoastfulERC20 token_ = new BoastfulERC20();
        token_.setMovedPercent(150);
        uint256 id = _mintIn(address(token_));
        token_.mint(funder, 1_500);
        vm.startPrank(funder);
        token_.approve(address(router), 1_000);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.DepositMismatch.selector, address(token_), 1_500, 1_000));
        router.fund(address(task), id, 1_000);
    }

    function test_Fund_TakesTokensWhoseApprovalsReplyNothing() external {
        SilentERC20 silent = new SilentERC20();
        uint256 id = _mintIn(address(silent));
        silent.mint(funder, 1_000);
        vm.startPrank(funder);
        (bool approved,) = address(silent).call(abi.encodeCall(MockERC20.approve, (address(router), 1_000)));
        assertTrue(approved);
        router.fund(address(task), id, 1_000);
        assertEq(task.escrowBalanceOf(id), 975);
    }

    function test_Fund_TakesTokensWithoutAReturnValue() external {
        NoReturnERC20 silent = new NoReturnERC20();
        uint256 id = _mintIn(address(silent));
        _route(id, funder, 1_000);
        assertEq(task.escrowBalanceOf(id), 975);
    }

    /// What is sent here otherwise could not be given back, so it is refused.
    function test_Receive_RefusesWhatNobodyAskedFor() external {
        vm.deal(stranger, 1 ether);
        vm.prank(stranger);
        (bool success, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(IFundingRouter.UnexpectedPayment.selector, stranger));
    }

    // --- refund ---

    function test_Refund_RevertsWhen_NothingWasContributed() external {
        uint256 id = _mint();
        _route(id, funder, REWARD);
        _cancel(id);
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.NothingToRefund.selector, address(task), id, stranger));
        router.refund(address(task), id, stranger);
    }

    function test_Refund_RevertsWhile_TheTenderIsOpenOrPending() external {
        uint256 id = _mint();
        _route(id, funder, 2 * REWARD);
        vm.expectRevert(abi.encodeWithSelector(TenderStillOpen.selector, id, 0));
        router.refund(address(task), id, funder);
        _submit(id);
        _cancel(id);
        vm.expectRevert(abi.encodeWithSelector(DeliveriesPending.selector, id, 1));
        router.refund(address(task), id, funder);
    }

    function test_Refund_PassesOnWhatTheTenderGivesBack() external {
        uint256 id = _mint();
        _route(id, funder, 4 * REWARD);
        _cancel(id);
        uint256 net = _net(4 * REWARD);
        vm.expectEmit(address(router));
        emit IFundingRouter.RefundCollected(address(task), id, net);
        vm.expectEmit(address(router));
        emit IFundingRouter.Refunded(address(task), id, funder, net);
        vm.prank(stranger);
        assertEq(router.refund(address(task), id, funder), net);
        assertEq(funder.balance, net);
        assertEq(router.contributionOf(address(task), id, funder), 0);
        assertEq(address(router).balance, router.owedOf(address(0), treasury));
    }

    function test_Refund_MUST_NotBeClaimedTwice() external {
        uint256 id = _mint();
        _route(id, funder, 4 * REWARD);
        _route(id, second, 4 * REWARD);
        _cancel(id);
        router.refund(address(task), id, funder);
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.NothingToRefund.selector, address(task), id, funder));
        router.refund(address(task), id, funder);
        router.refund(address(task), id, second);
        assertEq(second.balance, _net(4 * REWARD));
    }

    /// After a completion the loss is shared in proportion, whoever claims first.
    function test_Refund_SharesTheLossInProportion() external {
        uint256 id = _mint();
        router = _deploy(treasury, 0);
        _route(id, funder, 3 * REWARD);
        _route(id, second, REWARD);
        _fund(id, stranger, 4 * REWARD);
        _accept(id, _submit(id));
        _cancel(id);
        // 7 of 8 rewards are left; the router's half of them is 3.5
        router.refund(address(task), id, second);
        router.refund(address(task), id, funder);
        assertEq(second.balance, 0.875 ether);
        assertEq(funder.balance, 2.625 ether);
        assertEq(address(router).balance, 0);
    }

    /// A share is rounded down, and whoever comes last gets what is left: nothing stays behind.
    function test_Refund_MUST_LeaveNothingBehind() external {
        router = _deploy(treasury, 0);
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1;
        uint256 id = _mint(terms);
        _route(id, funder, 3);
        _route(id, second, 3);
        _route(id, stranger, 4);
        _accept(id, _submit(id));
        _accept(id, _submit(id));
        _cancel(id);
        // 8 of 10 are left: 2.4, 2.4, 3.2
        assertEq(router.refund(address(task), id, funder), 2);
        assertEq(router.refund(address(task), id, stranger), 3);
        assertEq(router.refund(address(task), id, second), 3);
        assertEq(token.balanceOf(address(router)), 0);
        (, uint256 outstanding,, uint256 left, bool collected) = router.potOf(address(task), id);
        assertEq(outstanding, 0);
        assertEq(left, 0);
        assertTrue(collected);
    }

    function test_Refund_ClosesAContributionOfWhichNothingIsLeft() external {
        uint256 id = _mint();
        router = _deploy(treasury, 0);
        _route(id, funder, REWARD);
        _accept(id, _submit(id));
        _cancel(id);
        assertEq(router.refund(address(task), id, funder), 0);
        assertEq(router.contributionOf(address(task), id, funder), 0);
    }

    function test_Fund_RevertsAfter_TheFirstRefund() external {
        uint256 id = _mint();
        _route(id, funder, REWARD);
        _cancel(id);
        router.refund(address(task), id, funder);
        vm.deal(funder, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.RefundsStarted.selector, address(task), id));
        vm.prank(funder);
        router.fund{value: 1}(address(task), id, 1);
    }

    /// A funder that cannot be paid is owed, and stands in nobody's way.
    function test_Refund_OwesAFunderThatCannotBePaid() external {
        uint256 id = _mint();
        ToggleRecipient closed = new ToggleRecipient(task);
        _route(id, address(closed), REWARD);
        _route(id, funder, REWARD);
        _cancel(id);
        router.refund(address(task), id, address(closed));
        assertEq(router.owedOf(address(0), address(closed)), _net(REWARD));
        router.refund(address(task), id, funder);
        assertEq(funder.balance, _net(REWARD));
        closed.perform(address(router), 0, abi.encodeCall(IPullPayments.withdrawTo, (address(0), stranger)));
        assertEq(stranger.balance, _net(REWARD));
    }

    function test_Refund_OwesAFunderThatATokenRefuses() external {
        BlacklistERC20 black = new BlacklistERC20();
        uint256 id = _mintIn(address(black));
        _route(id, funder, 1_000);
        _cancel(id);
        black.setListed(funder, true);
        router.refund(address(task), id, funder);
        assertEq(router.owedOf(address(black), funder), 975);
        black.setListed(funder, false);
        router.withdraw(address(black), funder);
        assertEq(black.balanceOf(funder), 975);
    }

    /// Any contributions and completions: Σ refunds is what the tender gave back, and nobody gets more than a share.
    function testFuzz_Refund_SharesExactly(uint64[4] memory amounts, uint8 completions, uint256 order) external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1e9;
        uint256 id = _mint(terms);
        uint256 total;
        for (uint256 i = 0; i < 4; i++) {
            amounts[i] = uint64(bound(amounts[i], 1, 1e12));
            _route(id, address(uint160(100 + i)), amounts[i]);
            total += _net(amounts[i]);
        }
        uint256 done = bound(completions, 0, total / 1e9 < 20 ? total / 1e9 : 20);
        for (uint256 i = 0; i < done; i++) {
            _accept(id, _submit(id));
        }
        _cancel(id);
        uint256 back = total - done * 1e9;
        uint256 paid;
        for (uint256 i = 0; i < 4; i++) {
            uint256 who = (i + order % 4) % 4;
            uint256 share = router.refund(address(task), id, address(uint160(100 + who)));
            uint256 ideal = _net(amounts[who]) * back / total;
            assertGe(share, ideal, "rounded down");
            assertLe(share, ideal + 3, "and less than a unit for each funder");
            paid += share;
        }
        assertEq(paid, back);
        assertEq(token.balanceOf(address(router)), router.owedOf(address(token), treasury));
    }
}
