// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ReentrantERC20} from "../mocks/OddERC20.sol";
import {Reenterer} from "../mocks/Recipients.sol";
import {ReentrantVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title The lock of one tender: while foreign code runs, nothing else happens to that tender
contract ReentrancyTest is TaskTest {
    uint256 private constant PENDING = 2; // a delivery that is open while the first is paid
    uint256 private constant ENTRIES = 14;

    /// @dev Every entry point of the tender that moves money or decides something.
    function _entry(uint256 which, uint256 id, address account) private view returns (bytes memory) {
        if (which == 0) return abi.encodeCall(task.fundTask, (id, 0));
        if (which == 1) return abi.encodeCall(task.submitFulfillment, (id, RESULT, "ipfs://again"));
        if (which == 2) return abi.encodeCall(task.acceptFulfillment, (id, PENDING));
        if (which == 3) return abi.encodeCall(task.settleFulfillment, (id, PENDING, ""));
        if (which == 4) return abi.encodeCall(task.rejectFulfillment, (id, PENDING));
        if (which == 5) return abi.encodeCall(task.claimUnjudged, (id, PENDING));
        if (which == 6) return abi.encodeCall(task.claimShortfall, (id, PENDING));
        if (which == 7) return abi.encodeCall(task.releaseExpired, (id, PENDING));
        if (which == 8) return abi.encodeCall(task.setAcceptanceAuthority, (id, account));
        if (which == 9) return abi.encodeCall(task.cancelTask, (id));
        if (which == 10) return abi.encodeCall(task.withdrawCredit, (id, account));
        if (which == 11) return abi.encodeCall(task.reclaimEscrow, (id));
        if (which == 12) return abi.encodeCall(task.reclaimResidual, (id));
        return abi.encodeCall(task.reclaimForeign, (id, account));
    }

    function _locked(uint256 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(TenderLocked.selector, id);
    }

    /// @dev A tender in which `everybody` holds every role, with two deliveries of it pending.
    function _ownedBy(address everybody, address authority, address asset) private returns (uint256 id) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = asset;
        id = task.mintTask(everybody, everybody, authority, TD_HASH, TASK_HASH, "ipfs://task", terms);
        _fund(id, everybody, 3 * REWARD);
        _submit(id, everybody);
        _submit(id, everybody);
    }

    // --- from the recipient of a reward ---

    function test_Lock_MUST_HoldWhile_ARewardIsPushed() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            Reenterer recipient = new Reenterer(task);
            uint256 id = _ownedBy(address(recipient), address(recipient), address(0));
            recipient.setCall(_entry(i, id, address(recipient)));
            recipient.perform(address(task), 0, abi.encodeCall(task.acceptFulfillment, (id, 1)));
            assertEq(recipient.calls(), 1);
            assertFalse(recipient.succeeded());
            assertEq(recipient.reply(), _locked(id));
            assertEq(address(recipient).balance, REWARD, "and the reward is paid");
            assertEq(task.pendingOf(id), 1);
        }
    }

    /// Reading is free at any time, and what is read is already true.
    function test_Lock_LetsARecipientRead() external {
        Reenterer recipient = new Reenterer(task);
        uint256 id = _ownedBy(address(recipient), address(recipient), address(0));
        recipient.setCall(abi.encodeCall(task.escrowSharesOf, (id)));
        recipient.perform(address(task), 0, abi.encodeCall(task.acceptFulfillment, (id, 1)));
        assertTrue(recipient.succeeded());
        (, uint256 funders,) = abi.decode(recipient.reply(), (uint256, uint256, uint256));
        assertEq(funders, 2 * REWARD);
    }

    function test_Lock_IsPerTender() external {
        Reenterer recipient = new Reenterer(task);
        uint256 id = _ownedBy(address(recipient), address(recipient), address(0));
        uint256 other = _funded(1);
        recipient.setCall(abi.encodeCall(task.submitFulfillment, (other, RESULT, "")));
        recipient.perform(address(task), 0, abi.encodeCall(task.acceptFulfillment, (id, 1)));
        assertTrue(recipient.succeeded());
        assertEq(task.submissionOf(other, 1).fulfiller, address(recipient));
    }

    function test_Lock_IsFreeAgainAfterwards() external {
        Reenterer recipient = new Reenterer(task);
        uint256 id = _ownedBy(address(recipient), address(recipient), address(0));
        recipient.perform(address(task), 0, abi.encodeCall(task.acceptFulfillment, (id, 1)));
        recipient.perform(address(task), 0, abi.encodeCall(task.acceptFulfillment, (id, PENDING)));
        assertEq(address(recipient).balance, 2 * REWARD);
    }

    // --- from a recipient that fetches its money ---

    function test_Lock_MUST_HoldWhile_MoneyIsFetched() external {
        Reenterer recipient = new Reenterer(task);
        address self = address(recipient);
        for (uint256 fetch = 11; fetch <= 12; fetch++) {
            uint256 id = _ownedBy(self, self, address(0));
            _give(id, 5);
            recipient.perform(address(task), 0, abi.encodeCall(task.rejectFulfillment, (id, 1)));
            recipient.perform(address(task), 0, abi.encodeCall(task.rejectFulfillment, (id, PENDING)));
            recipient.perform(address(task), 0, abi.encodeCall(task.cancelTask, (id)));
            for (uint256 i = 0; i < ENTRIES; i++) {
                uint256 snapshot = vm.snapshotState();
                recipient.setCall(_entry(i, id, self));
                recipient.perform(address(task), 0, _entry(fetch, id, self));
                assertEq(recipient.reply(), _locked(id));
                vm.revertToState(snapshot);
            }
        }
    }

    // --- from a verifier that is asked ---

    function test_Lock_MUST_HoldWhile_AVerifierIsAsked() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            ReentrantVerifier verifier = new ReentrantVerifier();
            uint256 id = _ownedBy(worker, address(verifier), address(0));
            vm.warp(START + WINDOW + 1); // releaseExpired would succeed
            task.settleFulfillment(id, 1, _entry(i, id, worker));
            assertFalse(verifier.succeeded());
            assertEq(verifier.reply(), _locked(id));
            vm.warp(START);
        }
    }

    /// One submission rejected, then accepted and paid, with pendingOf lowered twice: the fault of others.
    function test_Lock_MUST_NotLetAVerifierReleaseTheSubmissionThatItIsAskedAbout() external {
        ReentrantVerifier verifier = new ReentrantVerifier();
        uint256 id = _ownedBy(worker, address(verifier), address(0));
        vm.warp(START + WINDOW + 1);
        uint256 before = worker.balance;
        task.settleFulfillment(id, 1, abi.encodeCall(task.releaseExpired, (id, 1)));
        assertEq(verifier.reply(), _locked(id));
        assertEq(task.pendingOf(id), 1);
        assertEq(worker.balance, before + REWARD);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
    }

    function test_Lock_MUST_NotLetAVerifierRejectTheSubmissionThatItIsAskedAbout() external {
        ReentrantVerifier verifier = new ReentrantVerifier();
        uint256 id = _ownedBy(worker, address(verifier), address(0));
        task.settleFulfillment(id, 1, abi.encodeCall(task.rejectFulfillment, (id, 1)));
        assertEq(verifier.reply(), _locked(id));
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
    }

    // --- from a token ---

    function test_Lock_MUST_HoldWhile_ATokenPaysAReward() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            ReentrantERC20 token = new ReentrantERC20();
            uint256 id = _ownedBy(worker, judge, address(token));
            token.setCall(address(task), _entry(i, id, worker));
            _accept(id, 1);
            assertEq(token.reply(), _locked(id));
            assertEq(token.balanceOf(worker), REWARD);
        }
    }

    function test_Lock_MUST_HoldWhile_ATokenIsFunded() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            ReentrantERC20 token = new ReentrantERC20();
            uint256 id = _ownedBy(worker, judge, address(token));
            token.setCall(address(task), _entry(i, id, worker));
            _fund(id, stranger, 5);
            assertEq(token.reply(), _locked(id));
            assertEq(task.contributionOf(id, stranger), 5);
        }
    }

    function test_Lock_MUST_HoldWhile_ADefaultIsPaid() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            ReentrantERC20 token = new ReentrantERC20();
            uint256 id = _ownedBy(worker, judge, address(token));
            token.setCall(address(task), _entry(i, id, worker));
            vm.warp(START + WINDOW + 1);
            task.claimUnjudged(id, 1);
            assertEq(token.reply(), _locked(id));
            token.shrink(task.vaultOf(id), 2 * REWARD - 1);
            token.setCall(address(task), _entry(ENTRIES - 1 - i, id, worker));
            vm.prank(worker);
            task.claimShortfall(id, PENDING);
            assertEq(token.reply(), _locked(id));
            vm.warp(START);
        }
    }

    function test_Lock_MUST_HoldWhile_ACreditIsFetched() external {
        for (uint256 i = 0; i < ENTRIES; i++) {
            ReentrantERC20 token = new ReentrantERC20();
            uint256 id = _ownedBy(worker, judge, address(token));
            vm.mockCallRevert(address(token), abi.encodeCall(token.transfer, (worker, REWARD)), "");
            _accept(id, 1);
            vm.clearMockedCalls();
            token.setCall(address(task), _entry(i, id, worker));
            task.withdrawCredit(id, worker);
            assertEq(token.reply(), _locked(id));
            assertEq(token.balanceOf(worker), REWARD);
        }
    }

    function test_Lock_MUST_HoldWhile_AForeignAssetIsFetched() external {
        ReentrantERC20 foreign = new ReentrantERC20();
        uint256 id = _mint();
        foreign.mint(task.vaultOf(id), 5);
        _cancel(id);
        for (uint256 i = 0; i < ENTRIES; i++) {
            uint256 snapshot = vm.snapshotState();
            foreign.setCall(address(task), _entry(i, id, owner));
            vm.prank(owner);
            task.reclaimForeign(id, address(foreign));
            assertEq(foreign.reply(), _locked(id));
            vm.revertToState(snapshot);
        }
    }
}
