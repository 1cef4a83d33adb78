// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ToggleRecipient} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title reclaimResidual: unspent gifts and rounding dust belong to the owner
contract ReclaimResidualTest is TaskTest {
    function _residualRefused(address caller, uint256 id, bytes memory reason) private {
        _refuses(reason);
        vm.prank(caller);
        task.reclaimResidual(id);
    }

    // --- role ---

    function test_Residual_MUST_RevertWhen_CallerIsNotTheOwner() external {
        uint256 id = _funded(1);
        _give(id, 5);
        _cancel(id);
        vm.prank(owner);
        task.approve(stranger, id);
        address[4] memory callers = [publisher, judge, funder, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _residualRefused(callers[i], id, abi.encodeWithSelector(NotTokenOwner.selector, id, callers[i], owner));
        }
    }

    // --- state of the tender ---

    function test_Residual_MUST_RevertWhen_NeitherCancelledNorPastSettleBy() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.settleBy = uint64(START + 10);
        uint256 id = _mint(terms);
        _give(id, 5);
        vm.warp(START + 10);
        _residualRefused(owner, id, abi.encodeWithSelector(TenderStillOpen.selector, id, START + 10));
        vm.warp(START + 11);
        _reclaimResidual(id);
        assertEq(owner.balance, 5);
    }

    function test_Residual_MUST_RevertWhile_ADeliveryIsPending() external {
        uint256 id = _funded(1);
        _give(id, 5);
        _submit(id);
        _cancel(id);
        _residualRefused(owner, id, abi.encodeWithSelector(DeliveriesPending.selector, id, 1));
    }

    // --- money ---

    function test_Residual_RevertsWhen_ThereIsNone() external {
        uint256 id = _funded(1);
        _cancel(id);
        _residualRefused(owner, id, abi.encodeWithSelector(NothingToReclaim.selector, id, owner));
        _reclaim(id, funder);
        _residualRefused(owner, id, abi.encodeWithSelector(NothingToReclaim.selector, id, owner));
    }

    function test_Residual_MUST_BeTheGiftsThatRewardsDidNotSpend() external {
        uint256 id = _funded(1);
        _give(id, REWARD + 5);
        _accept(id, _submit(id)); // out of the gift
        _cancel(id);
        vm.expectEmit(address(task));
        emit ITaskTender.ResidualReclaimed(id, owner, 5);
        _reclaimResidual(id);
        assertEq(owner.balance, 5);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD, "before or after the funders, the same");
        assertEq(task.escrowBalanceOf(id), 0);
    }

    function test_Residual_MUST_ExcludeCreditsAndContributions() external {
        ToggleRecipient refuser = new ToggleRecipient(task);
        uint256 id = _funded(2);
        _accept(id, refuser.deliver(id, RESULT));
        _give(id, 5);
        _cancel(id);
        (uint256 credits, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(credits, REWARD);
        assertEq(funders, REWARD);
        assertEq(residual, 5);
        _reclaimResidual(id);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
        assertEq(owner.balance, 5);
    }

    function test_Residual_MUST_IncludeTheDustAfterTheLastReclaim() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.rewardPerCompletion = 3; // leaves 4 of 7 units, which three funders share
        uint256 id = _mint(terms);
        _fund(id, funder, 3);
        _fund(id, stranger, 3);
        _fund(id, publisher, 1);
        _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder); // 3 * 4 / 7 = 1
        _reclaim(id, stranger); // 1
        _reclaim(id, publisher); // 0
        assertEq(task.escrowBalanceOf(id), 2);
        _reclaimResidual(id);
        assertEq(owner.balance, 2);
        assertEq(task.escrowBalanceOf(id), 0);
    }

    function test_Residual_GoesToTheCurrentOwner() external {
        uint256 id = _mint();
        _give(id, 5);
        _cancel(id);
        vm.prank(owner);
        task.transferFrom(owner, stranger, id);
        _residualRefused(owner, id, abi.encodeWithSelector(NotTokenOwner.selector, id, owner, stranger));
        vm.prank(stranger);
        task.reclaimResidual(id);
        assertEq(stranger.balance, 5);
    }

    function test_Residual_RevertsWhile_TheOwnerRefuses() external {
        uint256 id = _mint();
        _give(id, 5);
        _cancel(id);
        ToggleRecipient refuser = new ToggleRecipient(task);
        vm.prank(owner);
        task.transferFrom(owner, address(refuser), id);
        _residualRefused(
            address(refuser), id, abi.encodeWithSelector(PayoutFailed.selector, id, address(refuser), 0, 5)
        );
        refuser.setOpen(true);
        refuser.perform(address(task), 0, abi.encodeCall(task.reclaimResidual, (id)));
        assertEq(address(refuser).balance, 5);
    }

    function test_Residual_MayBeTakenAgainWhen_MoreGiftsCome() external {
        uint256 id = _funded(1);
        _cancel(id);
        _give(id, 5);
        _reclaimResidual(id);
        _give(id, 6);
        _reclaimResidual(id);
        assertEq(owner.balance, 11);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
    }
}
