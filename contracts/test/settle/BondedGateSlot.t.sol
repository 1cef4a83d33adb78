// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IBondedGate} from "../mocks/companions/ICompanions.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {BondedGateTest} from "./BondedGateTest.sol";

/// @title BondedGate in the judgment slot
contract BondedGateSlotTest is BondedGateTest {
    // --- evict ---

    /// What makes a bond more than a wish: anyone has a delivery without one refused at once.
    function test_Evict_MUST_RefuseADeliveryWithoutABond() external {
        uint256 submissionId = _submit(id, stranger);
        vm.expectEmit(address(gate));
        emit IBondedGate.Evicted(id, submissionId);
        vm.prank(worker);
        gate.evict(id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
        assertEq(task.pendingOf(id), 0);
    }

    function test_Evict_MUST_NotTouchADeliveryWithABond() external {
        uint256 submissionId = _deliver(worker);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.DeliveryIsBonded.selector, id, submissionId));
        vm.prank(judge);
        gate.evict(id, submissionId);
    }

    /// A bond counts at the gate at which it lies.
    function test_Evict_RefusesWhatWasBondedAtAnotherGate() external {
        IBondedGate other = _deployGate(_rule());
        vm.deal(worker, BOND);
        vm.prank(worker);
        uint256 submissionId = other.deliver{value: BOND}(id, RESULT, "ipfs://result");
        gate.evict(id, submissionId);
        assertEq(other.settleBond(id, submissionId), BOND / 2);
    }

    function test_Evict_RevertsWhen_DecidedOrNonexistent() external {
        uint256 submissionId = _submit(id, stranger);
        gate.evict(id, submissionId);
        vm.expectRevert(abi.encodeWithSelector(SubmissionDecided.selector, id, submissionId));
        gate.evict(id, submissionId);
        vm.expectRevert(abi.encodeWithSelector(NonexistentSubmission.selector, id, 7));
        gate.evict(id, 7);
        // a settled bond is no longer held, and its delivery no longer pending
        submissionId = _deliver(worker);
        _rule(submissionId, true);
        gate.settleBond(id, submissionId);
        vm.expectRevert(abi.encodeWithSelector(SubmissionDecided.selector, id, submissionId));
        gate.evict(id, submissionId);
    }

    function test_Evict_RevertsWhen_TheGateDoesNotHoldTheSlot() external {
        id = _funded(1);
        uint256 submissionId = _submit(id, stranger);
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, address(gate), judge));
        gate.evict(id, submissionId);
    }

    // --- the judge ---

    function _onlyJudge(address caller) private {
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NotJudge.selector, caller, judge));
    }

    function test_Rulings_AreTheJudgesAlone() external {
        uint256 submissionId = _deliver(worker);
        address[4] memory callers = [owner, publisher, worker, beneficiary];
        for (uint256 i = 0; i < 4; i++) {
            vm.startPrank(callers[i]);
            _onlyJudge(callers[i]);
            gate.acceptFulfillment(id, submissionId);
            _onlyJudge(callers[i]);
            gate.rejectFulfillment(id, submissionId);
            _onlyJudge(callers[i]);
            gate.setAcceptanceAuthority(id, callers[i]);
            vm.stopPrank();
        }
    }

    /// The judge may rule on a delivery without a bond too, as long as nobody has it refused.
    function test_Rulings_PassToTheTaskContract() external {
        _rule(_submit(id), true);
        assertEq(worker.balance, REWARD);
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, false);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
    }

    function test_SetAcceptanceAuthority_PassesTheSlotOn() external {
        vm.prank(judge);
        gate.setAcceptanceAuthority(id, stranger);
        assertEq(task.acceptanceAuthorityOf(id), stranger);
        assertEq(gate.acceptanceAuthorityOf(id), stranger);
    }

    function test_Views_AnswerAsTheTaskContractDoes() external {
        uint256 submissionId = _deliver(worker);
        assertEq(gate.acceptanceAuthorityOf(id), judge, "the judge behind the gate");
        assertEq(abi.encode(gate.submissionOf(id, submissionId)), abi.encode(task.submissionOf(id, submissionId)));
        assertEq(abi.encode(gate.tenderTermsOf(id)), abi.encode(task.tenderTermsOf(id)));
        assertEq(gate.pendingOf(id), 1);
        assertFalse(gate.isTenderCancelled(id));
        assertEq(gate.updateAuthorityOf(id), publisher);
        _cancel(id);
        assertTrue(gate.isTenderCancelled(id));
        uint256 plain = _mint();
        assertEq(gate.acceptanceAuthorityOf(plain), judge, "whoever holds the slot");
        uint256 strangers = _mint(_terms(), stranger);
        assertEq(gate.acceptanceAuthorityOf(strangers), stranger);
    }

    // --- a jury behind the gate ---

    function test_JuryPanel_CanJudgeBehindTheGate() external {
        address[] memory jury = new address[](2);
        (jury[0], jury[1]) = (makeAddr("juror 0"), makeAddr("juror 1"));
        IJuryPanel panel = IJuryPanel(deployCode("JuryPanel.sol:JuryPanel", abi.encode(jury, 2, 1 days)));
        IBondedGate.Rule memory rule = _rule();
        rule.judge = address(panel);
        gate = _deployGate(rule);
        id = _mint(_terms(), address(gate));
        _fund(id, funder, 5 * REWARD);

        vm.prank(publisher);
        panel.promiseFee(address(gate), id, address(0), 100);
        panel.fundFees{value: 150}(address(gate), id, 150);
        uint256 accepted = _deliver(worker);
        uint256 refused = _deliver(worker);
        for (uint256 i = 0; i < 2; i++) {
            vm.startPrank(jury[i]);
            panel.vote(address(gate), id, accepted, true);
            if (i == 0) panel.vote(address(gate), id, refused, false);
            vm.stopPrank();
        }
        _assertStatus(id, accepted, ITaskTender.SubmissionStatus.Accepted);
        _assertStatus(id, refused, ITaskTender.SubmissionStatus.Rejected);
        assertEq(panel.owedOf(address(0), jury[1]), 50);
        gate.settleBond(id, accepted);
        gate.settleBond(id, refused);
        gate.collect(address(0), worker);
        assertEq(worker.balance, REWARD + BOND + BOND / 2);

        // the same jury, asked at the task contract, does not judge here
        uint256 next = _deliver(worker);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NotInSlot.selector, address(task), id, address(gate)));
        vm.prank(jury[0]);
        panel.vote(address(task), id, next, true);

        for (uint256 i = 0; i < 2; i++) {
            vm.prank(jury[i]);
            panel.voteHandOver(address(gate), id, stranger, true);
        }
        assertEq(task.acceptanceAuthorityOf(id), stranger);
        panel.returnFees(address(gate), id);
        assertEq(publisher.balance, 50);
    }
}
