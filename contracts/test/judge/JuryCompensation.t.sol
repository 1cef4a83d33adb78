// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IPullPayments} from "../mocks/companions/ICompanions.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {FeeERC20} from "../mocks/OddERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {JuryTest} from "./JuryTest.sol";

/// @title JuryPanel: what jurors are paid
contract JuryCompensationTest is JuryTest {
    uint256 private constant FEE = 0.3 ether;

    function _promise(address asset, uint256 fee) private {
        vm.prank(publisher);
        panel.promiseFee(address(task), id, asset, fee);
    }

    function _fundFees(uint256 amount) private {
        vm.deal(funder, funder.balance + amount);
        vm.prank(funder);
        panel.fundFees{value: amount}(address(task), id, amount);
    }

    function _escrow() private view returns (uint256 escrow) {
        (,,, escrow) = panel.promiseOf(address(task), id);
    }

    function _owed(uint256 juror) private view returns (uint256) {
        return panel.owedOf(address(0), jury[juror]);
    }

    function _acceptBy(uint256 a, uint256 b, uint256 submissionId) private {
        _vote(a, submissionId, true);
        _vote(b, submissionId, true);
    }

    // --- promiseFee ---

    function test_PromiseFee_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        address[3] memory callers = [owner, jury[0], funder];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NotPublisher.selector, callers[i], publisher));
            vm.prank(callers[i]);
            panel.promiseFee(address(task), id, address(0), FEE);
        }
    }

    function test_PromiseFee_RevertsWhen_Zero() external {
        vm.expectRevert(IPullPayments.ZeroAmount.selector);
        _promise(address(0), 0);
    }

    function test_PromiseFee_IsMadeOnce() external {
        _promise(address(0), FEE);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.FeeAlreadyPromised.selector, address(task), id));
        _promise(address(0), 2 * FEE);
    }

    function test_PromiseFee_RecordsAndEmits() external {
        vm.expectEmit(address(panel));
        emit IJuryPanel.FeePromised(address(task), id, publisher, address(7), FEE);
        _promise(address(7), FEE);
        (address sponsor, address asset, uint256 fee, uint256 escrow) = panel.promiseOf(address(task), id);
        assertEq(sponsor, publisher);
        assertEq(asset, address(7));
        assertEq(fee, FEE);
        assertEq(escrow, 0);
    }

    // --- fundFees ---

    function test_FundFees_RevertsWithout_APromise() external {
        vm.deal(funder, 1);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NoFeePromised.selector, address(task), id));
        vm.prank(funder);
        panel.fundFees{value: 1}(address(task), id, 1);
    }

    function test_FundFees_RevertsWhen_TheAmountIsZeroOrNotWhatWasSent() external {
        _promise(address(0), FEE);
        vm.deal(funder, 3);
        vm.startPrank(funder);
        vm.expectRevert(IPullPayments.ZeroAmount.selector);
        panel.fundFees(address(task), id, 0);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.WrongNativeValue.selector, 3, 2));
        panel.fundFees{value: 3}(address(task), id, 2);
    }

    function test_FundFees_RefusesATokenThatKeepsAPart() external {
        FeeERC20 token = new FeeERC20();
        _promise(address(token), FEE);
        token.mint(funder, 100);
        vm.startPrank(funder);
        token.approve(address(panel), 100);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.DepositMismatch.selector, address(token), 99, 100));
        panel.fundFees(address(task), id, 100);
    }

    function test_FundFees_RefusesNativeCurrencyForATokenFee() external {
        MockERC20 token = new MockERC20();
        _promise(address(token), FEE);
        token.mint(funder, 100);
        vm.deal(funder, 1);
        vm.startPrank(funder);
        token.approve(address(panel), 100);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.WrongNativeValue.selector, 1, 0));
        panel.fundFees{value: 1}(address(task), id, 100);
    }

    function test_FundFees_AddsToTheEscrow() external {
        _promise(address(0), FEE);
        vm.expectEmit(address(panel));
        emit IJuryPanel.FeeFunded(address(task), id, funder, FEE);
        _fundFees(FEE);
        _fundFees(1);
        assertEq(_escrow(), FEE + 1);
        assertEq(address(panel).balance, FEE + 1);
    }

    // --- paid on acceptance, and only then ---

    function test_Fee_IsSharedByThoseWhoVotedForAndAgainst() external {
        _promise(address(0), FEE);
        _fundFees(2 * FEE);
        uint256 submissionId = _submit(id);
        _vote(1, submissionId, false);
        _vote(0, submissionId, true);
        vm.expectEmit(address(panel));
        emit IJuryPanel.FeePaid(address(task), id, submissionId, FEE / 3);
        _vote(2, submissionId, true);
        for (uint256 i = 0; i < 3; i++) {
            assertEq(_owed(i), FEE / 3);
            panel.withdraw(address(0), jury[i]);
            assertEq(jury[i].balance, FEE / 3);
        }
        assertEq(_escrow(), FEE);
    }

    function test_Fee_LeavesOutWhoDidNotVote() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        _acceptBy(0, 2, _submit(id));
        assertEq(_owed(0), FEE / 2);
        assertEq(_owed(1), 0);
        assertEq(_owed(2), FEE / 2);
    }

    function test_Fee_MUST_NotBePaidForARefusal() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        _vote(1, submissionId, false);
        submissionId = _submit(id);
        _vote(0, submissionId, true);
        vm.warp(START + VOTE_WINDOW + 1);
        panel.finalizeTimeout(address(task), id, submissionId);
        for (uint256 i = 0; i < 3; i++) {
            assertEq(_owed(i), 0);
        }
        assertEq(_escrow(), FEE);
    }

    /// Silence is no ruling.
    function test_Fee_IsNotPaidWhere_TheClockDecidedWithoutAVerdict() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, submissionId);
        assertEq(_owed(0), 0);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NothingKept.selector, address(task), id, submissionId));
        panel.execute(address(task), id, submissionId);
    }

    /// A share is rounded down; the rest of a fee is still in the escrow.
    function test_Fee_RoundsAShareDownAndKeepsTheRest() external {
        _promise(address(0), 11);
        _fundFees(22);
        uint256 submissionId = _submit(id);
        _acceptBy(0, 1, submissionId);
        assertEq(_owed(0), 5);
        assertEq(_escrow(), 12);
    }

    function test_Fee_PaysWhatAShortEscrowHas() external {
        _promise(address(0), FEE);
        _fundFees(7);
        _acceptBy(0, 1, _submit(id));
        assertEq(_owed(0), 3);
        assertEq(_owed(1), 3);
        assertEq(_escrow(), 1);
        _acceptBy(0, 1, _submit(id));
        assertEq(_owed(0), 3, "one unit is not for two");
        assertEq(_escrow(), 1);
    }

    function test_Fee_IsPaidOnceForAKeptVerdict() external {
        id = _paced();
        _promise(address(0), FEE);
        _fundFees(3 * FEE);
        _submit(id);
        _submit(id);
        _acceptBy(0, 1, 1);
        _acceptBy(0, 1, 2);
        assertEq(_owed(0), FEE / 2, "kept, not yet paid");
        vm.warp(START + 1 days);
        panel.execute(address(task), id, 2);
        assertEq(_owed(0), FEE);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NothingKept.selector, address(task), id, 2));
        panel.execute(address(task), id, 2);
    }

    function test_Fee_IsPaidWhere_TheClockPaidAKeptVerdictFirst() external {
        id = _paced();
        _promise(address(0), FEE);
        _fundFees(3 * FEE);
        _submit(id);
        _submit(id);
        _acceptBy(0, 1, 1);
        _acceptBy(0, 1, 2);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 2);
        panel.execute(address(task), id, 2);
        assertEq(_owed(1), FEE);
    }

    /// A kept verdict whose delivery expired in the meantime accepted nothing.
    function test_Fee_MUST_NotBePaidWhere_AKeptVerdictCameTooLate() external {
        WordVerifier machine = new WordVerifier();
        ITaskTender.TenderTerms memory terms = _terms();
        (terms.epochLength, terms.maxCompletionsPerEpoch) = (30 days, 1);
        id = _mint(terms, address(machine));
        _fund(id, funder, 3 * REWARD);
        _promise(address(0), FEE);
        _fundFees(3 * FEE);
        _submit(id);
        _submit(id);
        machine.pass(task, id, address(panel));
        _acceptBy(0, 1, 1);
        _acceptBy(0, 1, 2);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, 2);
        panel.execute(address(task), id, 2);
        assertEq(_owed(0), FEE / 2, "for the first delivery");
        assertEq(_escrow(), 2 * FEE);
    }

    function test_Fee_IsPaidInAToken() external {
        MockERC20 token = new MockERC20();
        _promise(address(token), 100);
        token.mint(funder, 150);
        vm.startPrank(funder);
        token.approve(address(panel), 150);
        panel.fundFees(address(task), id, 150);
        vm.stopPrank();
        _acceptBy(1, 2, _submit(id));
        vm.prank(jury[1]);
        panel.withdrawTo(address(token), stranger);
        panel.withdraw(address(token), jury[2]);
        assertEq(token.balanceOf(stranger), 50);
        assertEq(token.balanceOf(jury[2]), 50);
        assertEq(token.balanceOf(address(panel)), 50);
    }

    // --- returnFees ---

    function _returnRefused(bytes memory reason) private {
        vm.expectRevert(reason);
        panel.returnFees(address(task), id);
    }

    function _stillNeeded() private view returns (bytes memory) {
        return abi.encodeWithSelector(IJuryPanel.FeesStillNeeded.selector, address(task), id);
    }

    function test_ReturnFees_RevertsWhen_TheEscrowIsEmpty() external {
        _returnRefused(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), address(0)));
        _promise(address(0), FEE);
        _returnRefused(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), publisher));
    }

    function test_ReturnFees_RevertsWhile_TheTenderIsOpen() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        _returnRefused(_stillNeeded());
    }

    /// A sponsor cannot take the fee away between the work and the verdict.
    function test_ReturnFees_RevertsWhile_ADeliveryIsPending() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        uint256 submissionId = _submit(id);
        _cancel(id);
        _returnRefused(_stillNeeded());
        _acceptBy(0, 1, submissionId);
        assertEq(_owed(0), FEE / 2);
    }

    function test_ReturnFees_RevertsWhile_AVerdictIsKept() external {
        id = _paced();
        _promise(address(0), FEE);
        _fundFees(3 * FEE);
        _submit(id);
        _submit(id);
        _acceptBy(0, 1, 1);
        _acceptBy(0, 1, 2);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 2);
        _cancel(id);
        _returnRefused(_stillNeeded());
        panel.execute(address(task), id, 2);
        panel.returnFees(address(task), id);
        assertEq(publisher.balance, FEE);
    }

    function test_ReturnFees_PaysTheSponsorAfter_ACancellation() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        _cancel(id);
        vm.expectEmit(address(panel));
        emit IJuryPanel.FeeReturned(address(task), id, publisher, FEE);
        vm.prank(stranger);
        panel.returnFees(address(task), id);
        assertEq(publisher.balance, FEE);
        assertEq(_escrow(), 0);
        assertEq(address(panel).balance, 0);
        _returnRefused(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), publisher));
    }

    function test_ReturnFees_PaysTheSponsorAfter_SettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10 days);
        id = _mint(terms, address(panel));
        _promise(address(0), FEE);
        _fundFees(FEE);
        vm.warp(START + 10 days);
        _returnRefused(_stillNeeded());
        vm.warp(START + 10 days + 1);
        panel.returnFees(address(task), id);
        assertEq(publisher.balance, FEE);
    }

    function test_ReturnFees_PaysTheSponsorOnce_AnotherJudges() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        _submit(id);
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(jury[i]);
            panel.voteHandOver(address(task), id, judge, true);
        }
        panel.returnFees(address(task), id);
        assertEq(publisher.balance, FEE);
    }

    /// The sponsor is who promised, whoever publishes later.
    function test_ReturnFees_PaysWhoMadeThePromise() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        vm.prank(publisher);
        task.setUpdateAuthority(id, stranger);
        vm.prank(stranger);
        task.cancelTask(id);
        panel.returnFees(address(task), id);
        assertEq(publisher.balance, FEE);
        assertEq(stranger.balance, 0);
    }

    function test_ReturnFees_OwesASponsorThatCannotBePaid() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        _cancel(id);
        vm.etch(publisher, hex"5f5ffd"); // refuses whatever comes
        panel.returnFees(address(task), id);
        assertEq(panel.owedOf(address(0), publisher), FEE);
        vm.prank(publisher);
        panel.withdrawTo(address(0), stranger);
        assertEq(stranger.balance, FEE);
    }

    /// Escrows are kept by task contract and tender: a task contract that lies spends its own.
    function test_Fee_MUST_ComeFromTheTendersOwnEscrow() external {
        _promise(address(0), FEE);
        _fundFees(FEE);
        uint256 first = id;
        id = _mint(_terms(), address(panel));
        _fund(id, funder, REWARD);
        _promise(address(0), FEE);
        _acceptBy(0, 1, _submit(id));
        assertEq(_owed(0), 0);
        (,,, uint256 escrow) = panel.promiseOf(address(task), first);
        assertEq(escrow, FEE);
    }
}
