// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {PlainRecipient, ToggleRecipient} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title reclaimEscrow: funders get back what no reward has spent
contract ReclaimEscrowTest is TaskTest {
    uint64 private constant END = uint64(START + 1000);

    function _reclaimRefused(uint256 id, address from, bytes memory reason) private {
        _refuses(reason);
        _reclaim(id, from);
    }

    // --- state of the tender ---

    function test_Reclaim_MUST_RevertWhen_NeitherCancelledNorPastSettleBy() external {
        uint256 id = _funded(1);
        vm.warp(START + 10_000 days); // no settleBy: time alone opens nothing
        _reclaimRefused(id, funder, abi.encodeWithSelector(TenderStillOpen.selector, id, 0));
    }

    function test_Reclaim_MUST_RevertAt_SettleBy_AndSucceedAfter() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = END;
        uint256 id = _mint(terms);
        _fund(id, funder, 5);
        vm.warp(END);
        _reclaimRefused(id, funder, abi.encodeWithSelector(TenderStillOpen.selector, id, END));
        vm.warp(END + 1);
        _reclaim(id, funder);
        assertEq(funder.balance, 5);
    }

    function test_Reclaim_MUST_RevertWhile_ADeliveryIsPending() external {
        uint256 id = _funded(3);
        _submit(id);
        _submit(id);
        _cancel(id);
        _reclaimRefused(id, funder, abi.encodeWithSelector(DeliveriesPending.selector, id, 2));
        _reject(id, 1);
        _reclaimRefused(id, funder, abi.encodeWithSelector(DeliveriesPending.selector, id, 1));
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 2); // the wait is bounded
        _reclaim(id, funder);
        assertEq(funder.balance, 2 * REWARD);
    }

    // --- money ---

    function test_Reclaim_RevertsWhen_CallerHasNoContribution() external {
        uint256 id = _funded(1);
        _cancel(id);
        address[4] memory callers = [owner, publisher, judge, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _reclaimRefused(id, callers[i], abi.encodeWithSelector(NothingToReclaim.selector, id, callers[i]));
        }
    }

    function test_Reclaim_MUST_CloseTheContribution() external {
        uint256 id = _funded(1);
        _fund(id, stranger, 5);
        _cancel(id);
        vm.expectEmit(address(task));
        emit ITaskTender.EscrowReclaimed(id, funder, REWARD);
        _reclaim(id, funder);
        assertEq(task.contributionOf(id, funder), 0);
        assertEq(task.contributionOf(id, stranger), 5);
        _reclaimRefused(id, funder, abi.encodeWithSelector(NothingToReclaim.selector, id, funder));
    }

    function test_Reclaim_RevertsAndKeepsTheContributionWhile_TheFunderRefuses() external {
        ToggleRecipient refuser = new ToggleRecipient(task);
        uint256 id = _funded(1);
        vm.deal(address(refuser), 7);
        refuser.perform(address(task), 7, abi.encodeCall(task.fundTask, (id, 7)));
        _cancel(id);
        _reclaimRefused(id, address(refuser), abi.encodeWithSelector(PayoutFailed.selector, id, address(refuser), 0, 7));
        _reclaim(id, funder); // nobody else waits for it
        assertEq(funder.balance, REWARD);
        refuser.setOpen(true);
        _reclaim(id, address(refuser));
        assertEq(address(refuser).balance, 7);
    }

    function test_Reclaim_MUST_ExcludeCredits() external {
        ToggleRecipient refuser = new ToggleRecipient(task);
        uint256 id = _funded(2);
        _accept(id, refuser.deliver(id, RESULT));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
        assertEq(task.escrowBalanceOf(id), REWARD);
        assertEq(task.creditOf(id, address(refuser)), REWARD);
    }

    // --- gifts and contributions ---

    function test_Reclaim_MUST_SpendGiftsBeforeContributions() external {
        uint256 id = _funded(1);
        _give(id, REWARD);
        _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD, "the gift paid the reward");
        assertEq(task.escrowBalanceOf(id), 0);
    }

    function test_Reclaim_ChargesFundersForWhatGiftsDidNotCover() external {
        uint256 id = _funded(2);
        _give(id, REWARD / 4);
        _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD + REWARD / 4);
        assertEq(task.escrowBalanceOf(id), 0);
    }

    /// A gift that comes when contributions have already paid does not give them back.
    function test_Reclaim_MUST_NotLetALaterGiftRestoreContributions() external {
        uint256 id = _funded(1);
        _accept(id, _submit(id)); // spends the contribution
        _give(id, REWARD);
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, 0);
        _reclaimResidual(id);
        assertEq(owner.balance, REWARD);
    }

    function test_Reclaim_SucceedsWithNothingWhen_TheShareIsZero() external {
        uint256 id = _funded(1);
        _accept(id, _submit(id));
        _cancel(id);
        vm.expectEmit(address(task));
        emit ITaskTender.EscrowReclaimed(id, funder, 0);
        _reclaim(id, funder);
        assertEq(task.contributionOf(id, funder), 0);
    }

    /// A gift after the denominator was fixed belongs to the owner, whenever the funders come.
    function test_Reclaim_MUST_KeepPoolAndDenominatorAfterTheFirst() external {
        uint256 id = _mint();
        _fund(id, funder, 60);
        _fund(id, stranger, 40);
        _cancel(id);
        _reclaim(id, funder);
        _give(id, 1000);
        _reclaim(id, stranger);
        assertEq(funder.balance, 60);
        assertEq(stranger.balance, 40);
        _reclaimResidual(id);
        assertEq(owner.balance, 1000);
    }

    /// contribution * pool needs 512 bits.
    function test_Reclaim_MUST_NotOverflowWith_HugeAmounts() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1 << 254;
        uint256 id = _mint(terms);
        _fund(id, funder, 1 << 255);
        _fund(id, stranger, (1 << 255) - 1);
        _accept(id, _submit(id)); // a quarter of all numbers is spent
        _cancel(id);
        _reclaim(id, funder);
        _reclaim(id, stranger);
        uint256 pool = type(uint256).max - (1 << 254);
        assertApproxEqAbs(token.balanceOf(funder), pool / 2, 1);
        assertApproxEqAbs(token.balanceOf(stranger), pool / 2, 1);
        assertLe(task.escrowBalanceOf(id), 1, "dust");
    }

    /// Many rewards: completions * reward alone would overflow 2^256, the attributed rest does not.
    function test_Reclaim_MUST_BeExactWhen_RewardsTurnedOverMoreThanAllNumbers() external {
        MockERC20 token = new MockERC20();
        PlainRecipient giver = new PlainRecipient(task);
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1 << 255;
        uint256 id = _mint(terms);
        _fund(id, funder, 77);
        for (uint256 i = 1; i <= 5; i++) {
            if (i == 1) token.mint(task.vaultOf(id), 1 << 255);
            else giver.perform(address(token), 0, abi.encodeCall(token.transfer, (task.vaultOf(id), 1 << 255)));
            _submit(id, address(giver));
            _accept(id, i);
        }
        _cancel(id);
        _reclaim(id, funder);
        assertEq(token.balanceOf(funder), 77, "gifts paid everything");
        assertEq(token.balanceOf(address(giver)), 1 << 255);
    }

    // --- a token that shrank ---

    function test_Reclaim_SharesWhatIsLeftWhen_TheTokenShrank() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 60);
        _fund(id, stranger, 40);
        token.shrink(task.vaultOf(id), 50);
        _cancel(id);
        _reclaim(id, funder);
        _reclaim(id, stranger);
        assertEq(token.balanceOf(funder), 30);
        assertEq(token.balanceOf(stranger), 20);
    }

    function test_Reclaim_PaysWhatIsThereWhen_TheTokenShrinksBetweenRefunds() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 60);
        _fund(id, stranger, 40);
        _cancel(id);
        _reclaim(id, funder);
        token.shrink(task.vaultOf(id), 15);
        _reclaim(id, stranger);
        assertEq(token.balanceOf(stranger), 25);
        assertEq(task.contributionOf(id, stranger), 0);
    }
}
