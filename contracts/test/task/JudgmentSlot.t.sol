// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ToggleVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title setAcceptanceAuthority, and what follows the slot and what the snapshot
/// @dev Rulings follow the slot as it stands; the two deadline paths follow the mode that the delivery recorded.
contract JudgmentSlotTest is TaskTest {
    ToggleVerifier private verifier;

    function setUp() public override {
        super.setUp();
        verifier = new ToggleVerifier();
    }

    function _moveSlot(uint256 id, address to) private {
        vm.prank(task.acceptanceAuthorityOf(id));
        task.setAcceptanceAuthority(id, to);
    }

    /// @dev A delivery made while the slot held `first`, in a tender whose slot now holds `second`.
    function _deliveredUnder(address first, address second) private returns (uint256 id) {
        id = _mint(_terms(), first);
        _fund(id, funder, REWARD);
        _submit(id);
        if (first != second) _moveSlot(id, second);
    }

    function _rulingsOfPeopleRefused(uint256 id, address slot) private {
        vm.startPrank(slot);
        _refuses(abi.encodeWithSelector(SlotHoldsVerifier.selector, id, slot));
        task.acceptFulfillment(id, 1);
        _refuses(abi.encodeWithSelector(SlotHoldsVerifier.selector, id, slot));
        task.rejectFulfillment(id, 1);
        vm.stopPrank();
    }

    function _rulingOfCodeRefused(uint256 id) private {
        _refuses(abi.encodeWithSelector(SlotHoldsNoVerifier.selector, id, judge));
        task.settleFulfillment(id, 1, "");
    }

    // --- setAcceptanceAuthority ---

    function test_SetAcceptanceAuthority_MUST_RevertWhen_CallerDoesNotHoldTheSlot() external {
        uint256 id = _mint();
        address[4] memory callers = [owner, publisher, funder, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _refuses(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, callers[i], judge));
            vm.prank(callers[i]);
            task.setAcceptanceAuthority(id, callers[i]);
        }
    }

    function test_SetAcceptanceAuthority_MUST_RevertWhen_Zero() external {
        uint256 id = _mint();
        _refuses(abi.encodeWithSelector(ZeroAuthority.selector));
        vm.prank(judge);
        task.setAcceptanceAuthority(id, address(0));
    }

    function test_SetAcceptanceAuthority_MUST_EmitAndMoveTheRight() external {
        uint256 id = _funded(1);
        _submit(id);
        vm.expectEmit(address(task));
        emit ITaskTender.AcceptanceAuthorityChanged(id, judge, stranger);
        _moveSlot(id, stranger);
        assertEq(task.acceptanceAuthorityOf(id), stranger);
        _refuses(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, judge, stranger));
        vm.prank(judge);
        task.acceptFulfillment(id, 1);
        vm.prank(stranger);
        task.acceptFulfillment(id, 1);
        assertEq(worker.balance, REWARD);
    }

    function test_SetAcceptanceAuthority_SucceedsWhen_CancelledAndFrozen() external {
        uint256 id = _mint();
        vm.prank(publisher);
        task.freezeTask(id);
        _cancel(id);
        _moveSlot(id, stranger);
        assertEq(task.acceptanceAuthorityOf(id), stranger);
    }

    /// Nothing may make the slot untransferable, a verifier in it included.
    function test_SetAcceptanceAuthority_MUST_BePossibleForAVerifier() external {
        uint256 id = _mint(_terms(), address(verifier));
        verifier.pass(task, id, judge);
        assertEq(task.acceptanceAuthorityOf(id), judge);
    }

    // --- the snapshot ---

    function test_Snapshot_MUST_RecordTheModeAtDelivery() external {
        assertFalse(task.submissionOf(_deliveredUnder(judge, address(verifier)), 1).machineSettled);
        assertTrue(task.submissionOf(_deliveredUnder(address(verifier), judge), 1).machineSettled);
    }

    // --- delivered to a judge, slot still holds the judge ---

    function test_JudgedDelivery_UnderAJudge() external {
        uint256 id = _deliveredUnder(judge, judge);
        _rulingOfCodeRefused(id);
        vm.warp(START + WINDOW + 1);
        _refuses(abi.encodeWithSelector(JudgedSubmission.selector, id, 1));
        task.releaseExpired(id, 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    // --- delivered to a judge, slot now holds a verifier ---

    function test_JudgedDelivery_UnderAVerifier_MUST_StayClaimable() external {
        uint256 id = _deliveredUnder(judge, address(verifier));
        _rulingsOfPeopleRefused(id, address(verifier));
        vm.warp(START + WINDOW + 1);
        _refuses(abi.encodeWithSelector(JudgedSubmission.selector, id, 1));
        task.releaseExpired(id, 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }

    function test_JudgedDelivery_UnderAVerifier_MUST_SettleByProof() external {
        uint256 id = _deliveredUnder(judge, address(verifier));
        task.settleFulfillment(id, 1, "");
        assertEq(worker.balance, REWARD);
    }

    // --- delivered to a verifier, slot still holds the verifier ---

    function test_MachineDelivery_UnderAVerifier() external {
        uint256 id = _deliveredUnder(address(verifier), address(verifier));
        _rulingsOfPeopleRefused(id, address(verifier));
        vm.warp(START + WINDOW + 1);
        _refuses(abi.encodeWithSelector(MachineSettledSubmission.selector, id, 1));
        task.claimUnjudged(id, 1);
        task.releaseExpired(id, 1);
        assertEq(worker.balance, 0);
    }

    // --- delivered to a verifier, slot now holds a judge ---

    function test_MachineDelivery_UnderAJudge_MUST_StayReleasable() external {
        uint256 id = _deliveredUnder(address(verifier), judge);
        _rulingOfCodeRefused(id);
        vm.warp(START + WINDOW + 1);
        _refuses(abi.encodeWithSelector(MachineSettledSubmission.selector, id, 1));
        task.claimUnjudged(id, 1);
        _refuses(abi.encodeWithSelector(JudgmentWindowClosed.selector, id, 1, START + WINDOW));
        vm.prank(judge);
        task.rejectFulfillment(id, 1);
        task.releaseExpired(id, 1);
        assertEq(worker.balance, 0);
    }

    function test_MachineDelivery_UnderAJudge_MUST_FollowTheRuling() external {
        uint256 accepted = _deliveredUnder(address(verifier), judge);
        _accept(accepted, 1);
        assertEq(worker.balance, REWARD);
        uint256 rejected = _deliveredUnder(address(verifier), judge);
        _reject(rejected, 1);
        _assertStatus(rejected, 1, ITaskTender.SubmissionStatus.Rejected);
    }

    // --- a contract that changes what it says about itself ---

    function test_Snapshot_MUST_NotMoveWhen_TheSameContractStopsBeingAVerifier() external {
        uint256 id = _deliveredUnder(address(verifier), address(verifier));
        verifier.setDeclared(false);
        vm.warp(START + WINDOW + 1);
        _refuses(abi.encodeWithSelector(MachineSettledSubmission.selector, id, 1));
        task.claimUnjudged(id, 1);
        verifier.accept(task, id, 1); // the slot as it stands: now a judge
        assertEq(worker.balance, REWARD);
    }

    function test_Snapshot_MUST_NotMoveWhen_TheSameContractBecomesAVerifier() external {
        verifier.setDeclared(false);
        uint256 id = _deliveredUnder(address(verifier), address(verifier));
        verifier.setDeclared(true);
        _rulingsOfPeopleRefused(id, address(verifier));
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, 1);
        assertEq(worker.balance, REWARD);
    }
}
