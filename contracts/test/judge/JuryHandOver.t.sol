// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {JuryTest} from "./JuryTest.sol";

/// @title JuryPanel: handing the judgment slot on
contract JuryHandOverTest is JuryTest {
    function _voteHandOver(uint256 juror, address successor, bool approve) private {
        vm.prank(jury[juror]);
        panel.voteHandOver(address(task), id, successor, approve);
    }

    function test_HandOver_RevertsWhen_CallerIsNoJuror() external {
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NotJuror.selector, publisher));
        vm.prank(publisher);
        panel.voteHandOver(address(task), id, judge, true);
    }

    function test_HandOver_MUST_MoveTheSlotAtTheQuorum() external {
        vm.expectEmit(address(panel));
        emit IJuryPanel.HandOverVoted(address(task), id, judge, jury[0], true);
        _voteHandOver(0, judge, true);
        _voteHandOver(0, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel), "one juror is one juror");
        _voteHandOver(2, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), judge);
        _accept(id, _submit(id));
        assertEq(worker.balance, REWARD);
    }

    function test_HandOver_CountsASuccessorByItself() external {
        _voteHandOver(0, judge, true);
        _voteHandOver(1, stranger, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel));
    }

    function test_HandOver_CountsATenderByItself() external {
        uint256 other = _mint(_terms(), address(panel));
        _voteHandOver(0, judge, true);
        vm.prank(jury[1]);
        panel.voteHandOver(address(task), other, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel));
        assertEq(task.acceptanceAuthorityOf(other), address(panel));
    }

    function test_HandOver_CountsATaskContractByItself() external {
        _voteHandOver(0, judge, true);
        ITaskMarket first = task;
        task = ITaskMarket(deployCode("TaskToken.sol:TaskToken", abi.encode("Another", "TASK")));
        assertEq(_mint(_terms(), address(panel)), id);
        _voteHandOver(1, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel));
        assertEq(first.acceptanceAuthorityOf(id), address(panel));
    }

    function test_HandOver_VotesCanBeTakenBack() external {
        _voteHandOver(0, judge, true);
        _voteHandOver(0, judge, false);
        _voteHandOver(1, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel));
        _voteHandOver(2, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), judge);
    }

    /// Votes of an earlier round count no more once the slot has come back.
    function test_HandOver_ForgetsTheVotesOfAnEarlierRound() external {
        _voteHandOver(2, stranger, true);
        _voteHandOver(0, judge, true);
        _voteHandOver(1, judge, true);
        vm.prank(judge);
        task.setAcceptanceAuthority(id, address(panel));
        _voteHandOver(0, judge, true);
        _voteHandOver(0, stranger, true);
        assertEq(task.acceptanceAuthorityOf(id), address(panel));
        _voteHandOver(1, stranger, true);
        assertEq(task.acceptanceAuthorityOf(id), stranger);
    }

    function test_HandOver_RevertsTo_Zero() external {
        _voteHandOver(0, address(0), true);
        vm.expectRevert(ZeroAuthority.selector);
        _voteHandOver(1, address(0), true);
    }

    function test_HandOver_RevertsWhen_ThePanelDoesNotHoldTheSlot() external {
        id = _funded(1);
        _voteHandOver(0, stranger, true);
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, address(panel), judge));
        _voteHandOver(1, stranger, true);
    }

    /// A verdict that was reached is not lost by handing the slot on.
    function test_HandOver_RevertsWhile_AVerdictIsKept() external {
        _keepOne();
        _voteHandOver(0, judge, true);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.VerdictsKept.selector, address(task), id, 1));
        _voteHandOver(1, judge, true);
        vm.warp(START + 1 days);
        panel.execute(address(task), id, 2);
        _voteHandOver(1, judge, true);
        assertEq(task.acceptanceAuthorityOf(id), judge);
    }

    /// Escalation: an open case goes on to whoever judges next.
    function test_HandOver_PassesAnOpenCaseOn() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        _voteHandOver(0, judge, true);
        _voteHandOver(1, judge, true);
        _voteRefused(1, submissionId, abi.encodeWithSelector(IJuryPanel.NotInSlot.selector, address(task), id, judge));
        vm.warp(START + VOTE_WINDOW + 1);
        vm.expectRevert(abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, address(panel), judge));
        panel.finalizeTimeout(address(task), id, submissionId);
        _accept(id, submissionId);
        assertEq(worker.balance, REWARD);
    }
}
