// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {JuryTest} from "./JuryTest.sol";

/// @title JuryPanel: deployment, votes and verdicts
contract JuryPanelTest is JuryTest {
    // --- deployment ---

    function _deployRefused(bytes memory reason, address[] memory jurors, uint256 quorum, uint64 voteWindow) private {
        vm.expectRevert(reason);
        _deployPanel(jurors, quorum, voteWindow);
    }

    function test_Deploy_RevertsWhen_TheJuryIsEmptyOrTooLarge() external {
        address[] memory none;
        _deployRefused(abi.encodeWithSelector(IJuryPanel.JurorCountOutOfRange.selector, 0, 32), none, 1, VOTE_WINDOW);
        address[] memory many = _people(33);
        _deployRefused(abi.encodeWithSelector(IJuryPanel.JurorCountOutOfRange.selector, 33, 32), many, 1, VOTE_WINDOW);
    }

    function test_Deploy_RevertsWhen_TheQuorumIsOutOfRange() external {
        _deployRefused(abi.encodeWithSelector(IJuryPanel.QuorumOutOfRange.selector, 0, 3), jury, 0, VOTE_WINDOW);
        _deployRefused(abi.encodeWithSelector(IJuryPanel.QuorumOutOfRange.selector, 4, 3), jury, 4, VOTE_WINDOW);
    }

    function test_Deploy_RevertsWhen_ThereIsNoTimeToVote() external {
        _deployRefused(abi.encodeWithSelector(IJuryPanel.ZeroVoteWindow.selector), jury, 2, 0);
    }

    function test_Deploy_RevertsWhen_AJurorIsZeroOrOccursTwice() external {
        jury[1] = address(0);
        _deployRefused(abi.encodeWithSelector(IJuryPanel.BadJuror.selector, address(0)), jury, 2, VOTE_WINDOW);
        jury[1] = jury[2];
        _deployRefused(abi.encodeWithSelector(IJuryPanel.DuplicateJuror.selector, jury[2]), jury, 2, VOTE_WINDOW);
    }

    function test_Deploy_RevertsWhen_ThePanelIsItsOwnJuror() external {
        jury[1] = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        _deployRefused(abi.encodeWithSelector(IJuryPanel.BadJuror.selector, jury[1]), jury, 2, VOTE_WINDOW);
    }

    function test_Deploy_RecordsTheJury() external {
        assertEq(panel.jurors(), jury);
        assertEq(panel.quorum(), 2);
        assertEq(panel.voteWindow(), VOTE_WINDOW);
        for (uint256 i = 0; i < 3; i++) {
            assertTrue(panel.isJuror(jury[i]));
        }
        assertFalse(panel.isJuror(stranger));
        _deployPanel(_people(32), 32, type(uint64).max);
    }

    function test_Panel_HasTheInteroperableSignatures() external {
        uint256 submissionId = _submit(id);
        vm.prank(jury[0]);
        (bool voted,) = address(panel)
            .call(abi.encodeWithSignature("vote(address,uint256,uint256,bool)", address(task), id, submissionId, false));
        assertTrue(voted);
        vm.warp(START + VOTE_WINDOW + 1);
        (bool finalized,) = address(panel)
            .call(abi.encodeWithSignature("finalizeTimeout(address,uint256,uint256)", address(task), id, submissionId));
        assertTrue(finalized);
    }

    /// The slot holds no machine: nothing settles by proof.
    function test_Panel_IsNoVerifier() external {
        uint256 submissionId = _submit(id);
        assertFalse(task.submissionOf(id, submissionId).machineSettled);
        _refuses(abi.encodeWithSelector(SlotHoldsNoVerifier.selector, id, address(panel)));
        task.settleFulfillment(id, submissionId, "");
    }

    function _people(uint256 count) private returns (address[] memory people) {
        people = new address[](count);
        for (uint256 i = 0; i < count; i++) {
            people[i] = makeAddr(string.concat("person ", vm.toString(i)));
        }
    }

    // --- vote ---

    function test_Vote_RevertsWhen_CallerIsNoJuror() external {
        uint256 submissionId = _submit(id);
        address[4] memory callers = [owner, publisher, worker, address(panel)];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NotJuror.selector, callers[i]));
            vm.prank(callers[i]);
            panel.vote(address(task), id, submissionId, true);
        }
    }

    function test_Vote_RevertsWhen_ThePanelDoesNotHoldTheSlot() external {
        id = _funded(1);
        uint256 submissionId = _submit(id);
        _voteRefused(0, submissionId, abi.encodeWithSelector(IJuryPanel.NotInSlot.selector, address(task), id, judge));
    }

    /// One juror must not be able to start the clock on deliveries that are still to come.
    function test_Vote_MUST_NotExistBeforeTheSubmission() external {
        _voteRefused(0, 1, abi.encodeWithSelector(NonexistentSubmission.selector, id, 1));
        assertEq(_submit(id), 1);
        assertEq(_case(1).openedAt, 0);
        vm.warp(START + WINDOW);
        vm.expectRevert(abi.encodeWithSelector(IJuryPanel.NoCase.selector, address(task), id, 1));
        panel.finalizeTimeout(address(task), id, 1);
    }

    function test_Vote_RevertsWhen_TheSubmissionIsDecided() external {
        uint256 submissionId = _submit(id);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, submissionId);
        _voteRefused(
            0, submissionId, abi.encodeWithSelector(IJuryPanel.AlreadyDecided.selector, address(task), id, submissionId)
        );
    }

    function test_Vote_RevertsWhen_TheVerdictIsReached() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        _vote(1, submissionId, true);
        _voteRefused(
            2, submissionId, abi.encodeWithSelector(IJuryPanel.AlreadyDecided.selector, address(task), id, submissionId)
        );
    }

    function test_Vote_RevertsWhen_CastTwice() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        _voteRefused(0, submissionId, abi.encodeWithSelector(IJuryPanel.AlreadyVoted.selector, jury[0]));
        uint256 next = _submit(id);
        _vote(0, next, true);
        _voteRefused(0, next, abi.encodeWithSelector(IJuryPanel.AlreadyVoted.selector, jury[0]));
    }

    function test_Vote_OpensTheCase() external {
        uint256 submissionId = _submit(id);
        vm.warp(START + 1 hours);
        vm.expectEmit(address(panel));
        emit IJuryPanel.CaseOpened(address(task), id, submissionId, START + 1 hours + VOTE_WINDOW);
        vm.expectEmit(address(panel));
        emit IJuryPanel.Voted(address(task), id, submissionId, jury[1], true);
        _vote(1, submissionId, true);
        (IJuryPanel.Case memory c, uint256 deadline) = panel.caseOf(address(task), id, submissionId);
        assertEq(c.openedAt, START + 1 hours);
        assertEq(deadline, START + 1 hours + VOTE_WINDOW);
        assertEq(c.ayes, 2);
        assertEq(c.noes, 0);
        assertEq(uint8(c.verdict), uint8(IJuryPanel.Verdict.None));
        vm.warp(START + 2 hours);
        _vote(2, submissionId, false);
        assertEq(_case(submissionId).openedAt, START + 1 hours, "opened once");
        assertEq(_case(submissionId).noes, 4);
    }

    function test_Case_IsEmptyBeforeTheFirstVote() external {
        uint256 submissionId = _submit(id);
        (IJuryPanel.Case memory c, uint256 deadline) = panel.caseOf(address(task), id, submissionId);
        assertEq(c.openedAt, 0);
        assertEq(deadline, 0);
    }

    // --- the window ---

    function test_Vote_ClosesAfterTheLastSecondOfTheWindow() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        uint256 deadline = START + VOTE_WINDOW;
        vm.warp(deadline + 1);
        _voteRefused(1, submissionId, abi.encodeWithSelector(IJuryPanel.VotingClosed.selector, deadline));
        vm.warp(deadline);
        _vote(1, submissionId, true);
    }

    /// The panel's clock runs out before the tender's, with time to finalise: the configuration rule of the standard.
    function test_Vote_MUST_FitIntoWhatIsLeftOfTheJudgmentWindow() external {
        uint256 submissionId = _submit(id);
        uint256 least = VOTE_WINDOW + VOTE_WINDOW / 10;
        assertEq(panel.leastJudgmentWindow(), least);
        uint256 lastStart = START + WINDOW - least;
        vm.warp(lastStart + 1);
        _voteRefused(
            0,
            submissionId,
            abi.encodeWithSelector(IJuryPanel.CaseDoesNotFit.selector, START + WINDOW + 1, START + WINDOW)
        );
        vm.warp(lastStart);
        _vote(0, submissionId, false);
        // only the first vote opens
        vm.warp(lastStart + VOTE_WINDOW);
        _vote(1, submissionId, false);
    }

    /// Where the tender's window is too short, the panel says so at the first vote, not on the day when one runs long.
    function test_Vote_RevertsWhen_TheJudgmentWindowIsTooShortForThePanel() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = uint64(panel.leastJudgmentWindow() - 1);
        id = _mint(terms, address(panel));
        _fund(id, funder, REWARD);
        uint256 submissionId = _submit(id);
        _voteRefused(
            0,
            submissionId,
            abi.encodeWithSelector(
                IJuryPanel.CaseDoesNotFit.selector,
                START + panel.leastJudgmentWindow(),
                START + panel.leastJudgmentWindow() - 1
            )
        );
    }

    function test_Vote_LeavesAMinuteWhere_ATenthWouldBeLess() external {
        assertEq(_deployPanel(jury, 2, 100).leastJudgmentWindow(), 160);
        assertEq(_deployPanel(jury, 2, 600).leastJudgmentWindow(), 660);
        assertEq(_deployPanel(jury, 2, 610).leastJudgmentWindow(), 671);
    }

    function test_Windows_MUST_BeComputedInAWidthThatCannotOverflow() external {
        panel = _deployPanel(jury, 2, type(uint64).max);
        uint256 least = uint256(type(uint64).max) + type(uint64).max / 10;
        assertEq(panel.leastJudgmentWindow(), least);
        ITaskTender.TenderTerms memory terms = _terms();
        terms.judgmentWindow = type(uint64).max;
        id = _mint(terms, address(panel));
        _fund(id, funder, 2 * REWARD);
        uint256 submissionId = _submit(id);
        _voteRefused(
            0,
            submissionId,
            abi.encodeWithSelector(IJuryPanel.CaseDoesNotFit.selector, START + least, START + uint256(type(uint64).max))
        );

        panel = _deployPanel(jury, 2, type(uint64).max / 2);
        id = _mint(terms, address(panel));
        _fund(id, funder, REWARD);
        submissionId = _submit(id);
        _vote(0, submissionId, true);
        (, uint256 deadline) = panel.caseOf(address(task), id, submissionId);
        assertEq(deadline, START + uint256(type(uint64).max / 2));
        _vote(1, submissionId, true);
        assertEq(worker.balance, REWARD);
    }

    // --- acceptance ---

    function test_Vote_MUST_AcceptAtTheQuorumAndPayInTheSameTransaction() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        assertEq(worker.balance, 0);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictReached(address(task), id, submissionId, IJuryPanel.Verdict.Accept);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictExecuted(address(task), id, submissionId);
        _vote(2, submissionId, true);
        assertEq(worker.balance, REWARD);
        assertTrue(_case(submissionId).closed);
        assertFalse(_case(submissionId).kept);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Accepted);
    }

    function test_Vote_AcceptsInSpiteOf_AMinorityOfNoes() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        _vote(1, submissionId, true);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Pending);
        _vote(2, submissionId, true);
        assertEq(worker.balance, REWARD);
    }

    // --- refusal ---

    function test_Vote_RefusesAsSoonAs_TheQuorumIsOutOfReach() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Pending);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictReached(address(task), id, submissionId, IJuryPanel.Verdict.Refuse);
        vm.expectEmit(address(panel));
        emit IJuryPanel.VerdictExecuted(address(task), id, submissionId);
        _vote(1, submissionId, false);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
        assertTrue(_case(submissionId).closed);
        assertEq(task.escrowBalanceOf(id), 5 * REWARD);
    }

    /// Any jury and any order of votes: accepted at K ayes, refused at the no that makes K impossible, else pending.
    function testFuzz_Vote_DecidesExactlyWhenItIsCertain(uint256 count, uint256 quorum, uint256 ayes, uint256 order)
        external
    {
        count = bound(count, 1, 32);
        quorum = bound(quorum, 1, count);
        delete jury;
        jury = _people(count);
        panel = _deployPanel(jury, quorum, VOTE_WINDOW);
        id = _mint(_terms(), address(panel));
        _fund(id, funder, REWARD);
        uint256 submissionId = _submit(id);
        (uint256 yes, uint256 no) = (0, 0);
        for (uint256 i = 0; i < count; i++) {
            uint256 juror = (i + order % count) % count;
            bool approve = ayes >> juror & 1 == 1;
            _vote(juror, submissionId, approve);
            if (approve) yes++;
            else no++;
            ITaskTender.SubmissionStatus expected = yes == quorum
                ? ITaskTender.SubmissionStatus.Accepted
                : no > count - quorum ? ITaskTender.SubmissionStatus.Rejected : ITaskTender.SubmissionStatus.Pending;
            _assertStatus(id, submissionId, expected);
            if (expected != ITaskTender.SubmissionStatus.Pending) return;
        }
        assertTrue(false, "all have voted, and it is decided");
    }

    /// A refusal that the task contract does not take is not recorded either: the juror votes again.
    function test_Vote_RevertsWhen_TheTaskContractDoesNotTakeTheRefusal() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, false);
        vm.mockCallRevert(address(task), abi.encodeCall(task.rejectFulfillment, (id, submissionId)), bytes("not now"));
        _voteRefusedNo(1, submissionId, bytes("not now"));
        vm.clearMockedCalls();
        assertEq(_case(submissionId).noes, 1);
        _vote(1, submissionId, false);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
    }

    function _voteRefusedNo(uint256 juror, uint256 submissionId, bytes memory reason) private {
        vm.expectRevert(reason);
        vm.prank(jury[juror]);
        panel.vote(address(task), id, submissionId, false);
    }
}
