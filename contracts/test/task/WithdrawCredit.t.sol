// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {RebasingERC20} from "../mocks/OddERC20.sol";
import {FourSlotRecorder, ToggleRecipient} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title withdrawCredit: fetch what could not be delivered
contract WithdrawCreditTest is TaskTest {
    ToggleRecipient private refuser;
    uint256 private id;

    function setUp() public override {
        super.setUp();
        refuser = new ToggleRecipient(task);
        id = _funded(3);
        _accept(id, refuser.deliver(id, RESULT));
    }

    function _withdrawRefused(address account, bytes memory reason) private {
        _refuses(reason);
        task.withdrawCredit(id, account);
    }

    // --- money ---

    function test_Withdraw_RevertsWhen_NothingIsCredited() external {
        _withdrawRefused(worker, abi.encodeWithSelector(NothingCredited.selector, id, worker));
        refuser.setOpen(true);
        task.withdrawCredit(id, address(refuser));
        _withdrawRefused(address(refuser), abi.encodeWithSelector(NothingCredited.selector, id, address(refuser)));
    }

    /// A credit belongs to one tender: another's vault does not pay it.
    function test_Withdraw_MUST_BePerTender() external {
        uint256 first = id;
        id = _funded(3);
        _withdrawRefused(address(refuser), abi.encodeWithSelector(NothingCredited.selector, id, address(refuser)));
        assertEq(task.creditOf(first, address(refuser)), REWARD);
    }

    function test_Withdraw_RevertsAndKeepsTheCreditWhile_TheAccountRefuses() external {
        _withdrawRefused(
            address(refuser), abi.encodeWithSelector(PayoutFailed.selector, id, address(refuser), 0, REWARD)
        );
        assertEq(task.creditOf(id, address(refuser)), REWARD);
    }

    function test_Withdraw_MUST_PayTheAccount_WhoeverAsks() external {
        refuser.setOpen(true);
        vm.expectEmit(address(task));
        emit ITaskTender.PayoutWithdrawn(id, address(refuser), REWARD);
        vm.prank(stranger);
        task.withdrawCredit(id, address(refuser));
        assertEq(address(refuser).balance, REWARD);
        assertEq(stranger.balance, 0);
        assertEq(task.creditOf(id, address(refuser)), 0);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
    }

    function test_Withdraw_AddsUpSeveralRewards() external {
        _accept(id, refuser.deliver(id, RESULT));
        assertEq(task.creditOf(id, address(refuser)), 2 * REWARD);
        refuser.setOpen(true);
        task.withdrawCredit(id, address(refuser));
        assertEq(address(refuser).balance, 2 * REWARD);
    }

    function test_Withdraw_IsPossibleAfterEverythingElseIsOver() external {
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, 2 * REWARD, "the credit is not the funders'");
        refuser.setOpen(true);
        task.withdrawCredit(id, address(refuser));
        assertEq(task.escrowBalanceOf(id), 0);
    }

    /// What was fetched is owed no longer: the rest serves new deliveries and refunds in full.
    function test_Withdraw_MUST_StopExcludingWhatWasPaid() external {
        refuser.setOpen(true);
        task.withdrawCredit(id, address(refuser));
        (uint256 credits, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(credits, 0);
        assertEq(funders, 2 * REWARD);
        assertEq(residual, 0);
        _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, REWARD);
        assertEq(task.escrowBalanceOf(id), 0);
    }

    /// The account pays its own gas here, so it may use more than a pushed reward may.
    function test_Withdraw_MUST_NotBoundTheGas() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        vm.etch(address(refuser), address(recorder).code);
        FourSlotRecorder(payable(address(refuser))).expectFrom(id);
        task.withdrawCredit{gas: 2_000_000}(id, address(refuser));
        assertGt(FourSlotRecorder(payable(address(refuser))).gasLeft(), 1_500_000);
    }

    // --- a token that shrank ---

    function test_Withdraw_PaysAPartWhen_TheVaultIsShortOfTheCredit() external {
        RebasingERC20 token = new RebasingERC20();
        id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
        vm.mockCallRevert(address(token), abi.encodeCall(token.transfer, (worker, REWARD)), "");
        _accept(id, 1);
        vm.clearMockedCalls();
        assertEq(task.creditOf(id, worker), REWARD);
        token.rebase(40);
        task.withdrawCredit(id, worker);
        assertEq(token.balanceOf(worker), REWARD * 40 / 100);
        assertEq(task.creditOf(id, worker), REWARD - REWARD * 40 / 100);
        _withdrawRefused(worker, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD - REWARD * 40 / 100));
        token.mint(task.vaultOf(id), 10 * REWARD); // somebody makes the vault whole
        task.withdrawCredit(id, worker);
        assertEq(task.creditOf(id, worker), 0);
        assertEq(token.balanceOf(worker), REWARD);
    }
}
