// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {
    BlacklistERC20,
    BoastfulERC20,
    FalseReturnERC20,
    FeeERC20,
    GasBurningERC20,
    LyingERC20,
    NoReturnERC20,
    SenderFeeERC20
} from "../mocks/OddERC20.sol";
import {
    FourSlotRecorder,
    Forwarder,
    GasBurner,
    PlainRecipient,
    Recipient,
    ToggleRecipient,
    VerboseRefuser
} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title Paying a reward: pushed where it can be, credited where it cannot, never refused
contract PayoutTest is TaskTest {
    uint256 private constant PUSH_GAS = 200_000;
    uint256 private constant PUSH_GAS_REQUIRED = 320_000;

    function _acceptedFor(Recipient recipient) private returns (uint256 id) {
        id = _funded(2);
        uint256 submissionId = recipient.deliver(id, RESULT);
        vm.cool(address(recipient));
        _accept(id, submissionId);
    }

    function _assertPaid(uint256 id, address to) private view {
        assertEq(task.creditOf(id, to), 0, "credit");
        assertEq(_balance(task.tenderTermsOf(id).asset, to), REWARD, "balance");
    }

    function _assertCredited(uint256 id, address to) private view {
        assertEq(task.creditOf(id, to), REWARD, "credit");
        assertEq(_balance(task.tenderTermsOf(id).asset, to), 0, "balance");
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
        (uint256 credits,,) = task.escrowSharesOf(id);
        assertEq(credits, REWARD);
    }

    // --- native ---

    function test_Payout_MUST_PushToAContractThatRecordsWithFourColdWrites() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        uint256 id = _funded(2);
        recorder.expectFrom(id);
        uint256 submissionId = recorder.deliver(id, RESULT);
        vm.cool(address(recorder));
        _accept(id, submissionId);
        _assertPaid(id, address(recorder));
        assertEq(recorder.amount(), REWARD);
        assertEq(recorder.completions(), 1, "state changes come before the transfer");
        assertEq(recorder.escrow(), REWARD);
        assertGt(PUSH_GAS - recorder.gasLeft(), 60_000, "an ordinary contract, not a trivial one");
    }

    function test_Payout_MUST_CreditWhen_TheRecipientRefuses() external {
        ToggleRecipient refuser = new ToggleRecipient(task);
        uint256 id = _funded(2);
        refuser.deliver(id, RESULT);
        vm.expectEmit(address(task));
        emit ITaskTender.FulfillmentAccepted(id, 1, address(refuser), REWARD);
        vm.expectEmit(address(task));
        emit ITaskTender.PayoutCredited(id, 1, address(refuser), REWARD);
        _accept(id, 1);
        _assertCredited(id, address(refuser));
        assertEq(task.completionsOf(id), 1);
        assertEq(task.pendingOf(id), 0);
    }

    function test_Payout_MUST_CreditWhen_TheRecipientBurnsItsGas() external {
        GasBurner burner = new GasBurner(task);
        uint256 before = gasleft();
        uint256 id = _acceptedFor(burner);
        assertLt(before - gasleft(), 1_200_000, "the settling party is not burdened");
        _assertCredited(id, address(burner));
    }

    function test_Payout_MUST_CreditWhen_TheRefusalIsAMegabyteLong() external {
        VerboseRefuser refuser = new VerboseRefuser(task);
        _assertCredited(_acceptedFor(refuser), address(refuser));
    }

    function test_Payout_MUST_BoundThePush_BetweenAnOrdinaryContractAndABlock() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        uint256 id = _funded(2);
        recorder.expectFrom(id);
        recorder.deliver(id, RESULT);
        _accept(id, 1);
        assertLt(recorder.gasLeft(), 400_000);
        assertGt(recorder.gasLeft() + 10_000, 110_000);
    }

    /// One lock for the whole contract would stop this.
    function test_Payout_MUST_LetAFulfillerForwardIntoAnotherTender() external {
        Forwarder forwarder = new Forwarder(task);
        uint256 id = _funded(2);
        uint256 destination = _mint();
        forwarder.setDestination(destination);
        forwarder.deliver(id, RESULT);
        vm.cool(address(forwarder));
        _accept(id, 1);
        assertEq(task.creditOf(id, address(forwarder)), 0);
        assertEq(task.escrowBalanceOf(destination), REWARD);
        assertEq(task.contributionOf(destination, address(forwarder)), REWARD);
    }

    function test_Payout_CreditsWhen_AFulfillerForwardsIntoTheSameTender() external {
        Forwarder forwarder = new Forwarder(task);
        uint256 id = _funded(2);
        forwarder.setDestination(id);
        forwarder.deliver(id, RESULT);
        _accept(id, 1);
        _assertCredited(id, address(forwarder));
        assertEq(task.contributionOf(id, address(forwarder)), 0);
    }

    // --- the sender's gas decides nothing ---

    /// @dev Accept with every gas limit of a sweep: either nothing happens, or the recipient is paid.
    function _sweep(uint256 id, address recipient, uint256 from, uint256 to, uint256 step) private {
        uint256 paid;
        for (uint256 gasLimit = from; gasLimit <= to; gasLimit += step) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(judge);
            (bool success,) = address(task).call{gas: gasLimit}(abi.encodeCall(task.acceptFulfillment, (id, 1)));
            if (success) {
                paid++;
                assertEq(task.creditOf(id, recipient), 0, "starved into a credit");
            } else {
                _assertStatus(id, 1, ITaskTender.SubmissionStatus.Pending);
            }
            vm.revertToState(snapshot);
        }
        assertGt(paid, 0, "the sweep reaches success");
    }

    function test_Payout_MUST_NotBeStarvedIntoACredit_NativeToAContract() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        uint256 id = _funded(2);
        recorder.expectFrom(id);
        recorder.deliver(id, RESULT);
        _sweep(id, address(recorder), 20_000, 480_000, 1499);
    }

    function test_Payout_MUST_NotBeStarvedIntoACredit_NativeToAnAccount() external {
        uint256 id = _funded(2);
        _submit(id);
        _sweep(id, worker, 20_000, 200_000, 499);
    }

    function test_Payout_MUST_NotBeStarvedIntoACredit_ERC20() external {
        uint256 id = _mintIn(address(new MockERC20()));
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _sweep(id, worker, 20_000, 480_000, 1499);
    }

    /// A token that answers about balances with a megabyte: slow, and still nobody can be starved into a credit.
    function test_Payout_MUST_NotBeStarvedIntoACredit_WhenBalancesAreDearToRead() external {
        LyingERC20 token = new LyingERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        token.setBalanceReplyBytes(1_000_000);
        _sweep(id, worker, 2_000_000, 9_000_000, 99_991);
    }

    /// A machine's proof may cost anything; what is left must still pay the fulfiller.
    function test_Payout_RevertsWhen_TooLittleGasIsLeftForThePush() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        uint256 id = _funded(2);
        recorder.deliver(id, RESULT);
        vm.prank(judge);
        (bool success, bytes memory reply) =
            address(task).call{gas: PUSH_GAS_REQUIRED}(abi.encodeCall(task.acceptFulfillment, (id, 1)));
        assertFalse(success);
        assertEq(bytes4(reply), InsufficientGas.selector);
    }

    // --- ERC-20 ---

    function _acceptedIn(MockERC20 token) private returns (uint256 id) {
        id = _mintIn(address(token));
        _fund(id, funder, 2 * REWARD);
        _submit(id);
    }

    function test_Payout_PaysInATokenThatRepliesNothing() external {
        uint256 id = _acceptedIn(new NoReturnERC20());
        _accept(id, 1);
        _assertPaid(id, worker);
    }

    /// The money moved, so it is paid, and not owed a second time: whatever the reply.
    function testFuzz_Payout_MUST_NotCreditWhen_TheMoneyMoved(uint256 replyBytes) external {
        LyingERC20 token = new LyingERC20();
        uint256 id = _acceptedIn(token);
        token.setReplyBytes(bound(replyBytes, 0, 10_000));
        _accept(id, 1);
        _assertPaid(id, worker);
        assertEq(task.escrowBalanceOf(id), REWARD);
    }

    function _credited(uint256 id) private {
        _accept(id, 1);
        _assertCredited(id, worker);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
    }

    /// More reply than a push can pay for: owed at every gas limit, and fetched without one.
    function test_Payout_MUST_CreditWhen_TheReplyIsMegabytes_AtEveryGasLimit() external {
        LyingERC20 token = new LyingERC20();
        uint256 id = _acceptedIn(token);
        token.setReplyBytes(1_000_000);
        uint24[4] memory limits = [500_000, 1_000_000, 4_000_000, 16_000_000];
        for (uint256 i = 0; i < limits.length; i++) {
            uint256 snapshot = vm.snapshotState();
            vm.prank(judge);
            task.acceptFulfillment{gas: limits[i]}(id, 1);
            assertEq(task.creditOf(id, worker), REWARD);
            vm.revertToState(snapshot);
        }
        _credited(id);
        task.withdrawCredit(id, worker);
        _assertPaid(id, worker);
    }

    function test_Payout_MUST_CreditWhen_TheTokenRepliesFalse() external {
        FalseReturnERC20 token = new FalseReturnERC20();
        uint256 id = _acceptedIn(token);
        token.setClosed(true);
        _credited(id);
    }

    function test_Payout_MUST_CreditWhen_TheTokenRepliesTrueAndMovesNothing() external {
        BoastfulERC20 token = new BoastfulERC20();
        uint256 id = _acceptedIn(token);
        token.setMovedPercent(0);
        _credited(id);
    }

    function test_Payout_CreditsTheRestWhen_TheTokenMovesAPart() external {
        BoastfulERC20 token = new BoastfulERC20();
        uint256 id = _acceptedIn(token);
        token.setMovedPercent(30);
        vm.expectEmit(address(task));
        emit ITaskTender.PayoutCredited(id, 1, worker, REWARD * 70 / 100);
        _accept(id, 1);
        assertEq(token.balanceOf(worker), REWARD * 30 / 100);
        assertEq(task.creditOf(id, worker), REWARD * 70 / 100);
    }

    function test_Payout_MUST_CreditWhen_TheTokenRefusesTheRecipient() external {
        BlacklistERC20 token = new BlacklistERC20();
        uint256 id = _acceptedIn(token);
        token.setListed(worker, true);
        _credited(id);
        token.setListed(worker, false);
        task.withdrawCredit(id, worker);
        _assertPaid(id, worker);
    }

    function test_Payout_MUST_CreditWhen_TheTokenBurnsTheGas() external {
        GasBurningERC20 token = new GasBurningERC20();
        uint256 id = _acceptedIn(token);
        token.setBurns(true);
        _credited(id);
    }

    /// Other people's money is in the vault: a transfer that takes more than was sent is undone.
    function test_Payout_MUST_UndoAndCreditWhen_TheTokenTakesMore() external {
        SenderFeeERC20 token = new SenderFeeERC20();
        uint256 id = _acceptedIn(token);
        _credited(id);
        _refuses(abi.encodeWithSelector(PayoutFailed.selector, id, worker, 0, REWARD));
        task.withdrawCredit(id, worker);
        token.setFeePercent(0);
        task.withdrawCredit(id, worker);
        _assertPaid(id, worker);
    }

    function test_Payout_LetsTheRecipientPayTheFeeOfAToken() external {
        FeeERC20 token = new FeeERC20();
        token.setFeePercent(0);
        uint256 id = _acceptedIn(token);
        token.setFeePercent(1);
        _accept(id, 1);
        assertEq(token.balanceOf(worker), REWARD * 99 / 100);
        assertEq(task.creditOf(id, worker), 0, "the vault gave all of it");
        assertEq(task.escrowBalanceOf(id), REWARD);
    }

    // --- refunds and residuals have no bound ---

    function test_Pull_MUST_NotBoundTheGasOfAFunder() external {
        FourSlotRecorder recorder = new FourSlotRecorder(task);
        uint256 id = _mint();
        recorder.expectFrom(id);
        vm.deal(address(recorder), REWARD);
        recorder.perform(address(task), REWARD, abi.encodeCall(task.fundTask, (id, REWARD)));
        _cancel(id);
        vm.prank(address(recorder));
        task.reclaimEscrow{gas: 3_000_000}(id);
        assertGt(recorder.gasLeft(), 2_500_000);
    }

    // --- whose the money is ---

    /// Credits, refunds and the residual are the whole vault, and never more than it.
    function testFuzz_Shares_MUST_AddUpToTheVault(uint64 funded, uint64 given, bool refuses) external {
        ToggleRecipient recipient = new ToggleRecipient(task);
        recipient.setOpen(!refuses);
        uint256 id = _mint();
        _fund(id, funder, uint256(funded) + 1);
        _give(id, given);
        if (task.escrowBalanceOf(id) >= REWARD) {
            recipient.deliver(id, RESULT);
            _accept(id, 1);
        }
        (uint256 credits, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(credits + funders + residual, task.escrowBalanceOf(id));
        assertLe(funders, uint256(funded) + 1);
    }

    function test_Payout_EmitsNoCreditWhenPaid() external {
        PlainRecipient recipient = new PlainRecipient(task);
        uint256 id = _funded(2);
        recipient.deliver(id, RESULT);
        vm.recordLogs();
        _accept(id, 1);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertEq(logs.length, 1);
    }
}
