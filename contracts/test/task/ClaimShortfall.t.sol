// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {BlacklistERC20} from "../mocks/OddERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title claimShortfall: take what a shrunken vault still has
contract ClaimShortfallTest is TaskTest {
    MockERC20 private token;
    uint256 private id;

    function setUp() public override {
        super.setUp();
        token = new MockERC20();
        id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
    }

    function _shrinkTo(uint256 balance) private {
        token.shrink(task.vaultOf(id), token.balanceOf(task.vaultOf(id)) - balance);
    }

    function _shortfallRefused(address caller, bytes memory reason) private {
        _refuses(reason);
        vm.prank(caller);
        task.claimShortfall(id, 1);
    }

    function _claimShortfall() private {
        vm.prank(worker);
        task.claimShortfall(id, 1);
    }

    // --- state of the submission ---

    function test_Shortfall_RevertsWhen_SubmissionDoesNotExistOrIsDecided() external {
        _refuses(abi.encodeWithSelector(NonexistentSubmission.selector, id, 2));
        task.claimShortfall(id, 2);
        _reject(id, 1);
        _shortfallRefused(worker, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
    }

    function test_Shortfall_RevertsWhen_MachineSettled() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms, address(new WordVerifier()));
        _fund(id, funder, REWARD);
        _submit(id);
        _shrinkTo(1);
        vm.warp(START + 3 * uint256(WINDOW));
        _shortfallRefused(worker, abi.encodeWithSelector(MachineSettledSubmission.selector, id, 1));
    }

    // --- clock and role ---

    function test_Shortfall_RevertsAt_TheDeadline() external {
        _shrinkTo(1);
        vm.warp(START + WINDOW);
        _shortfallRefused(worker, abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 1, START + WINDOW));
    }

    function test_Shortfall_IsTheFulfillersAloneUntilASecondWindowHasPassed() external {
        _shrinkTo(1);
        vm.warp(START + 2 * uint256(WINDOW));
        _shortfallRefused(funder, abi.encodeWithSelector(NotFulfiller.selector, id, 1, funder, worker));
        vm.warp(START + WINDOW + 1);
        _shortfallRefused(judge, abi.encodeWithSelector(NotFulfiller.selector, id, 1, judge, worker));
        _claimShortfall();
        assertEq(token.balanceOf(worker), 1);
    }

    function test_Shortfall_IsOpenToAnyoneAfterASecondWindow() external {
        _shrinkTo(1);
        vm.warp(START + 2 * uint256(WINDOW) + 1);
        vm.prank(stranger);
        task.claimShortfall(id, 1);
        assertEq(token.balanceOf(worker), 1);
        assertEq(token.balanceOf(stranger), 0);
    }

    function test_Shortfall_DoesNotOverflowWith_TheLargestWindow() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.judgmentWindow = type(uint64).max;
        id = _mint(terms);
        _fund(id, funder, REWARD);
        _submit(id);
        _shrinkTo(1);
        vm.warp(START + uint256(type(uint64).max) + 1);
        _shortfallRefused(stranger, abi.encodeWithSelector(NotFulfiller.selector, id, 1, stranger, worker));
        _claimShortfall();
    }

    // --- money ---

    function test_Shortfall_RevertsWhen_TheVaultCanPay() external {
        vm.warp(START + WINDOW + 1);
        _shortfallRefused(worker, abi.encodeWithSelector(EscrowSufficient.selector, id, REWARD, REWARD));
    }

    function test_Shortfall_PaysWhatIsThere_OneUnitShort() external {
        _shrinkTo(REWARD - 1);
        vm.warp(START + WINDOW + 1);
        _claimShortfall();
        assertEq(token.balanceOf(worker), REWARD - 1);
        assertEq(task.completionsOf(id), 1);
        assertEq(task.pendingOf(id), 0);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
    }

    /// Even nothing: the delivery is decided, and every refund behind it is free again.
    function test_Shortfall_ResolvesWhen_TheVaultIsEmpty() external {
        _shrinkTo(0);
        vm.warp(START + WINDOW + 1);
        _claimShortfall();
        assertEq(token.balanceOf(worker), 0);
        assertEq(task.creditOf(id, worker), 0);
        assertEq(task.pendingOf(id), 0);
    }

    function test_Shortfall_LeavesCreditsAlone() external {
        BlacklistERC20 picky = new BlacklistERC20();
        token = picky;
        id = _mintIn(address(picky));
        _fund(id, funder, 2 * REWARD);
        _submit(id, worker);
        _submit(id, stranger);
        picky.setListed(stranger, true);
        _accept(id, 2); // one reward is owed to the stranger
        _shrinkTo(REWARD + 5);
        vm.warp(START + WINDOW + 1);
        _claimShortfall();
        assertEq(token.balanceOf(worker), 5);
        picky.setListed(stranger, false);
        task.withdrawCredit(id, stranger);
        assertEq(token.balanceOf(stranger), REWARD);
        assertEq(token.balanceOf(task.vaultOf(id)), 0);
    }

    /// What a shortfall did not take is not charged to the funders.
    function testFuzz_Shortfall_ChargesFundersForWhatWasPaid(uint64 left, uint64 back) external {
        vm.assume(left < REWARD);
        _shrinkTo(left);
        vm.warp(START + WINDOW + 1);
        _claimShortfall();
        token.mint(task.vaultOf(id), back); // the token grows again
        _cancel(id);
        (, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        uint256 unspent = REWARD - left;
        assertEq(funders, back < unspent ? back : unspent);
        assertEq(funders + residual, back);
        _reclaim(id, funder);
        assertEq(token.balanceOf(funder), funders);
    }

    function testFuzz_Shortfall_SpendsGiftsFirst(uint64 gift, uint64 shrink) external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms);
        uint256 funded = REWARD / 2;
        _fund(id, funder, funded);
        _give(id, REWARD - funded);
        _submit(id);
        uint256 left = REWARD - bound(shrink, 1, REWARD - 1);
        _shrinkTo(left);
        vm.warp(START + WINDOW + 1);
        _claimShortfall();
        _cancel(id);
        _give(id, gift);
        // gifts are what is there beyond the contribution; they pay first
        uint256 gifts = left > funded ? left - funded : 0;
        uint256 unspent = funded - (left - gifts);
        (, uint256 funders,) = task.escrowSharesOf(id);
        assertEq(funders, gift < unspent ? gift : unspent);
    }

    // --- effects ---

    function test_Shortfall_EmitsClaimedThenAcceptedWithWhatWasPaid() external {
        _shrinkTo(3);
        vm.warp(START + WINDOW + 1);
        vm.recordLogs();
        _claimShortfall();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 2);
        assertEq(logs[0].topics[0], ITaskTender.FulfillmentClaimedUnjudged.selector);
        assertEq(abi.decode(logs[0].data, (uint64)), START + WINDOW);
        assertEq(logs[1].topics[0], ITaskTender.FulfillmentAccepted.selector);
        assertEq(abi.decode(logs[1].data, (uint256)), 3);
    }
}
