// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {ReentrantERC20} from "../mocks/OddERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title Where several reasons apply, the documented order decides
/// @dev lock, existence, role, arguments, state of the tender, state of the submission, clock, money. Each test starts
///      with every reason at once and removes them one by one.
contract OrderOfChecksTest is TaskTest {
    MockERC20 private token = new MockERC20();
    uint64 private constant END = uint64(START + 10);

    function _expect(address caller, bytes memory call, bytes memory reason) private {
        vm.prank(caller);
        (bool success, bytes memory reply) = address(task).call(call);
        assertFalse(success, "refused");
        assertEq(reply, reason);
    }

    function _expectValue(address caller, uint256 value, bytes memory call, bytes memory reason) private {
        vm.deal(caller, value);
        vm.prank(caller);
        (bool success, bytes memory reply) = address(task).call{value: value}(call);
        assertFalse(success, "refused");
        assertEq(reply, reason);
    }

    /// @dev ERC-20, one completion, one a day, ends at END.
    function _narrowTerms() private view returns (ITaskTender.TenderTerms memory terms) {
        terms = _terms();
        terms.asset = address(token);
        terms.maxCompletions = 1;
        terms.submitBy = END;
        terms.settleBy = END;
    }

    // --- the lock comes first ---

    /// Existence, role, arguments and state would all refuse these calls too.
    function test_Order_LockBeforeEverythingElse() external {
        ReentrantERC20 hostile = new ReentrantERC20();
        uint256 id = _mintIn(address(hostile));
        bytes[10] memory calls = [
            abi.encodeCall(task.fundTask, (id, 0)),
            abi.encodeCall(task.submitFulfillment, (id, 0, "")),
            abi.encodeCall(task.acceptFulfillment, (id, 9)),
            abi.encodeCall(task.settleFulfillment, (id, 9, "")),
            abi.encodeCall(task.rejectFulfillment, (id, 9)),
            abi.encodeCall(task.claimUnjudged, (id, 9)),
            abi.encodeCall(task.claimShortfall, (id, 9)),
            abi.encodeCall(task.releaseExpired, (id, 9)),
            abi.encodeCall(task.setAcceptanceAuthority, (id, address(0))),
            abi.encodeCall(task.reclaimForeign, (id, address(hostile)))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            hostile.setCall(address(task), calls[i]);
            _fund(id, funder, 1);
            assertEq(hostile.reply(), abi.encodeWithSelector(TenderLocked.selector, id));
        }
    }

    // --- then existence ---

    function test_Order_ExistenceBeforeEverythingElse() external {
        bytes[16] memory calls = [
            abi.encodeCall(task.fundTask, (7, 0)),
            abi.encodeCall(task.submitFulfillment, (7, 0, "")),
            abi.encodeCall(task.acceptFulfillment, (7, 9)),
            abi.encodeCall(task.settleFulfillment, (7, 9, "")),
            abi.encodeCall(task.rejectFulfillment, (7, 9)),
            abi.encodeCall(task.claimUnjudged, (7, 9)),
            abi.encodeCall(task.claimShortfall, (7, 9)),
            abi.encodeCall(task.releaseExpired, (7, 9)),
            abi.encodeCall(task.setAcceptanceAuthority, (7, address(0))),
            abi.encodeCall(task.reclaimForeign, (7, address(0))),
            abi.encodeCall(task.reclaimEscrow, (7)),
            abi.encodeCall(task.reclaimResidual, (7)),
            abi.encodeCall(task.withdrawCredit, (7, worker)),
            abi.encodeCall(task.cancelTask, (7)),
            abi.encodeCall(task.updateTask, (7, 0, 0)),
            abi.encodeCall(task.setTaskURI, (7, ""))
        ];
        for (uint256 i = 0; i < calls.length; i++) {
            _expect(stranger, calls[i], abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 7));
        }
    }

    // --- mintTask ---

    function test_Order_Mint() external {
        ITaskTender.TenderTerms memory terms;
        terms.submitBy = 2;
        terms.settleBy = 1;
        terms.epochLength = 1;
        _refuses(abi.encodeWithSelector(ZeroAuthority.selector));
        task.mintTask(address(0), address(0), judge, 0, 0, "", terms);
        _refuses(abi.encodeWithSelector(ZeroHash.selector));
        task.mintTask(address(0), publisher, judge, 0, 0, "", terms);
        _refuses(abi.encodeWithSelector(ZeroReward.selector));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "", terms);
        terms.rewardPerCompletion = 1;
        _refuses(abi.encodeWithSelector(ZeroJudgmentWindow.selector));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "", terms);
        terms.judgmentWindow = 1;
        _refuses(abi.encodeWithSelector(SettleByBeforeSubmitBy.selector, 1, 2));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "", terms);
        terms.settleBy = 2;
        _refuses(abi.encodeWithSelector(EpochFieldsMustPair.selector, 1, 0));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "", terms);
        terms.epochLength = 0;
        _refuses(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(0)));
        task.mintTask(address(0), publisher, judge, TD_HASH, TASK_HASH, "", terms);
        _refuses(abi.encodeWithSelector(EmptyURI.selector));
        task.mintTask(owner, publisher, judge, TD_HASH, TASK_HASH, "", terms);
    }

    // --- publication ---

    function test_Order_UpdateTask() external {
        uint256 id = _mint();
        bytes memory call = abi.encodeCall(task.updateTask, (id, 0, TASK_HASH));
        _expect(stranger, call, abi.encodeWithSelector(NotUpdateAuthority.selector, id, stranger, publisher));
        vm.prank(publisher);
        task.freezeTask(id);
        _expect(publisher, call, abi.encodeWithSelector(ZeroHash.selector));
        call = abi.encodeCall(task.updateTask, (id, TD_HASH, TASK_HASH));
        _expect(publisher, call, abi.encodeWithSelector(TaskIsFrozen.selector, id));
        id = _mint();
        call = abi.encodeCall(task.updateTask, (id, TD_HASH, TASK_HASH));
        _expect(publisher, call, abi.encodeWithSelector(TaskHashUnchanged.selector, id, TASK_HASH));
    }

    // --- fundTask: arguments, state, clock, money ---

    function test_Order_FundTask() external {
        uint256 id = _mint(_narrowTerms());
        _fund(id, worker, 5);
        _fund(id, stranger, 5);
        vm.warp(END + 1);
        _reclaim(id, worker);
        _cancel(id);
        _expectValue(funder, 1, abi.encodeCall(task.fundTask, (id, 0)), abi.encodeWithSelector(ZeroAmount.selector));
        bytes memory call = abi.encodeCall(task.fundTask, (id, 3));
        _expectValue(funder, 1, call, abi.encodeWithSelector(WrongNativeValue.selector, 1, 0));
        _expect(funder, call, abi.encodeWithSelector(TenderIsCancelled.selector, id));

        vm.warp(START);
        id = _mint(_narrowTerms());
        _fund(id, worker, 5);
        vm.warp(END + 1);
        call = abi.encodeCall(task.fundTask, (id, 3));
        _expect(funder, call, abi.encodeWithSelector(SettlementClosed.selector, id, END));
        _reclaim(id, worker);
        _expect(funder, call, abi.encodeWithSelector(RefundsStarted.selector, id));
        vm.warp(START); // money is the last reason
        id = _mint(_narrowTerms());
        call = abi.encodeCall(task.fundTask, (id, 3));
        _expect(funder, call, abi.encodeWithSelector(FundingMismatch.selector, id, 0, 3));
    }

    // --- submitFulfillment: arguments, state, clock, money ---

    function test_Order_SubmitFulfillment() external {
        ITaskTender.TenderTerms memory terms = _narrowTerms();
        terms.settleBy = END + 5;
        uint256 id = _mint(terms);
        _fund(id, funder, REWARD);
        _accept(id, _submit(id)); // the bound is reached and the vault is empty
        vm.warp(END + 6);
        uint256 snapshot = vm.snapshotState();
        _cancel(id);
        _expect(
            worker, abi.encodeCall(task.submitFulfillment, (id, 0, "")), abi.encodeWithSelector(ZeroResultHash.selector)
        );
        bytes memory call = abi.encodeCall(task.submitFulfillment, (id, RESULT, ""));
        _expect(worker, call, abi.encodeWithSelector(TenderIsCancelled.selector, id));
        vm.revertToState(snapshot);
        _expect(worker, call, abi.encodeWithSelector(CompletionsExhausted.selector, id, 1));

        vm.warp(START);
        id = _mint(terms);
        call = abi.encodeCall(task.submitFulfillment, (id, RESULT, ""));
        vm.warp(END + 6);
        _expect(worker, call, abi.encodeWithSelector(SubmissionsClosed.selector, id, END));
        terms.submitBy = 0;
        id = _mint(terms);
        call = abi.encodeCall(task.submitFulfillment, (id, RESULT, ""));
        _expect(worker, call, abi.encodeWithSelector(SettlementClosed.selector, id, END + 5));
        vm.warp(END);
        _expect(worker, call, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
    }

    // --- rulings: role, submission, clock, money ---

    /// @dev A tender with the deliveries `decided` and 2, an exhausted epoch, and an empty vault.
    function _exhausted(address authority) private returns (uint256 id) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.settleBy = uint64(START + 365 days);
        terms.epochLength = 36500 days;
        terms.maxCompletionsPerEpoch = 1;
        id = _mint(terms, authority);
        _fund(id, funder, 2 * REWARD);
        _submit(id);
        _submit(id);
        if (authority == judge) _accept(id, 1);
        else task.settleFulfillment(id, 1, "yes");
        token.shrink(task.vaultOf(id), REWARD);
    }

    function _epochExhausted(uint256 id) private view returns (bytes memory) {
        return abi.encodeWithSelector(EpochExhausted.selector, id, uint64(vm.getBlockTimestamp() / 36500 days), 1);
    }

    /// @dev Leave the money as the only reason: a new tender with one delivery and an empty vault.
    function _empty(address authority) private returns (uint256 id) {
        vm.warp(START);
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms, authority);
        _fund(id, funder, REWARD);
        _submit(id);
        token.shrink(task.vaultOf(id), REWARD);
    }

    function test_Order_AcceptFulfillment() external {
        uint256 id = _exhausted(judge);
        vm.warp(START + 366 days);
        bytes memory call = abi.encodeCall(task.acceptFulfillment, (id, 9));
        _expect(stranger, call, abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, stranger, judge));
        _expect(judge, call, abi.encodeWithSelector(NonexistentSubmission.selector, id, 9));
        call = abi.encodeCall(task.acceptFulfillment, (id, 1));
        _expect(judge, call, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        call = abi.encodeCall(task.acceptFulfillment, (id, 2));
        _expect(judge, call, abi.encodeWithSelector(SettlementClosed.selector, id, START + 365 days));
        vm.warp(START);
        _expect(judge, call, _epochExhausted(id));
        id = _empty(judge);
        call = abi.encodeCall(task.acceptFulfillment, (id, 1));
        _expect(judge, call, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
    }

    function test_Order_SettleFulfillment() external {
        address verifier = address(new WordVerifier());
        uint256 id = _exhausted(verifier);
        vm.warp(START + 366 days);
        _expect(
            worker,
            abi.encodeCall(task.settleFulfillment, (id, 9, "no")),
            abi.encodeWithSelector(NonexistentSubmission.selector, id, 9)
        );
        _expect(
            worker,
            abi.encodeCall(task.settleFulfillment, (id, 1, "no")),
            abi.encodeWithSelector(SubmissionDecided.selector, id, 1)
        );
        _expect(
            worker,
            abi.encodeCall(task.settleFulfillment, (id, 2, "no")),
            abi.encodeWithSelector(ProofNotAccepted.selector, id, 2)
        );
        bytes memory call = abi.encodeCall(task.settleFulfillment, (id, 2, "yes"));
        _expect(worker, call, abi.encodeWithSelector(SettlementClosed.selector, id, START + 365 days));
        vm.warp(START);
        _expect(worker, call, _epochExhausted(id));
        id = _empty(verifier);
        call = abi.encodeCall(task.settleFulfillment, (id, 1, "yes"));
        _expect(worker, call, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
        id = _empty(judge);
        call = abi.encodeCall(task.settleFulfillment, (id, 9, "no"));
        _expect(worker, call, abi.encodeWithSelector(SlotHoldsNoVerifier.selector, id, judge));
    }

    function test_Order_RejectFulfillment() external {
        address verifier = address(new WordVerifier());
        uint256 id = _exhausted(judge);
        vm.warp(START + WINDOW + 1);
        bytes memory call = abi.encodeCall(task.rejectFulfillment, (id, 9));
        _expect(stranger, call, abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, stranger, judge));
        _expect(judge, call, abi.encodeWithSelector(NonexistentSubmission.selector, id, 9));
        call = abi.encodeCall(task.rejectFulfillment, (id, 1));
        _expect(judge, call, abi.encodeWithSelector(SubmissionDecided.selector, id, 1));
        call = abi.encodeCall(task.rejectFulfillment, (id, 2));
        _expect(judge, call, abi.encodeWithSelector(JudgmentWindowClosed.selector, id, 2, START + WINDOW));
        id = _mint(_terms(), verifier);
        call = abi.encodeCall(task.rejectFulfillment, (id, 9));
        _expect(verifier, call, abi.encodeWithSelector(SlotHoldsVerifier.selector, id, verifier));
    }

    // --- defaults: submission, clock, money ---

    function test_Order_ClaimUnjudged() external {
        uint256 machine = _exhausted(address(new WordVerifier()));
        _expect(
            worker,
            abi.encodeCall(task.claimUnjudged, (machine, 1)),
            abi.encodeWithSelector(SubmissionDecided.selector, machine, 1)
        );
        _expect(
            worker,
            abi.encodeCall(task.claimUnjudged, (machine, 2)),
            abi.encodeWithSelector(MachineSettledSubmission.selector, machine, 2)
        );
        uint256 id = _exhausted(judge);
        bytes memory call = abi.encodeCall(task.claimUnjudged, (id, 2));
        _expect(worker, call, abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 2, START + WINDOW));
        vm.warp(START + WINDOW + 1);
        _expect(worker, call, _epochExhausted(id));
        id = _empty(judge);
        vm.warp(START + WINDOW + 1);
        call = abi.encodeCall(task.claimUnjudged, (id, 1));
        _expect(worker, call, abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
    }

    function test_Order_ClaimShortfall() external {
        uint256 machine = _exhausted(address(new WordVerifier()));
        _expect(
            stranger,
            abi.encodeCall(task.claimShortfall, (machine, 1)),
            abi.encodeWithSelector(SubmissionDecided.selector, machine, 1)
        );
        _expect(
            stranger,
            abi.encodeCall(task.claimShortfall, (machine, 2)),
            abi.encodeWithSelector(MachineSettledSubmission.selector, machine, 2)
        );
        uint256 id = _exhausted(judge);
        token.mint(task.vaultOf(id), REWARD);
        bytes memory call = abi.encodeCall(task.claimShortfall, (id, 2));
        _expect(stranger, call, abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 2, START + WINDOW));
        vm.warp(START + WINDOW + 1);
        _expect(stranger, call, abi.encodeWithSelector(NotFulfiller.selector, id, 2, stranger, worker));
        _expect(worker, call, _epochExhausted(id));
        id = _empty(judge);
        token.mint(task.vaultOf(id), REWARD);
        vm.warp(START + WINDOW + 1);
        call = abi.encodeCall(task.claimShortfall, (id, 1));
        _expect(worker, call, abi.encodeWithSelector(EscrowSufficient.selector, id, REWARD, REWARD));
    }

    function test_Order_ReleaseExpired() external {
        uint256 id = _exhausted(address(new WordVerifier()));
        _expect(
            worker,
            abi.encodeCall(task.releaseExpired, (id, 9)),
            abi.encodeWithSelector(NonexistentSubmission.selector, id, 9)
        );
        _expect(
            worker,
            abi.encodeCall(task.releaseExpired, (id, 1)),
            abi.encodeWithSelector(SubmissionDecided.selector, id, 1)
        );
        _expect(
            worker,
            abi.encodeCall(task.releaseExpired, (id, 2)),
            abi.encodeWithSelector(JudgmentWindowOpen.selector, id, 2, START + WINDOW)
        );
        id = _exhausted(judge);
        _expect(
            worker,
            abi.encodeCall(task.releaseExpired, (id, 1)),
            abi.encodeWithSelector(SubmissionDecided.selector, id, 1)
        );
        _expect(
            worker,
            abi.encodeCall(task.releaseExpired, (id, 2)),
            abi.encodeWithSelector(JudgedSubmission.selector, id, 2)
        );
    }

    // --- refunds: role, arguments, state, money ---

    function test_Order_Refunds() external {
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
        bytes[3] memory calls = [
            abi.encodeCall(task.reclaimEscrow, (id)),
            abi.encodeCall(task.reclaimResidual, (id)),
            abi.encodeCall(task.reclaimForeign, (id, address(0)))
        ];
        bytes memory foreign = abi.encodeCall(task.reclaimForeign, (id, address(token)));
        bytes memory notOwner = abi.encodeWithSelector(NotTokenOwner.selector, id, stranger, owner);
        _expect(stranger, calls[1], notOwner);
        _expect(stranger, calls[2], notOwner);
        _expect(stranger, foreign, notOwner);
        _expect(owner, foreign, abi.encodeWithSelector(AssetOfTender.selector, id, address(token)));
        for (uint256 i = 0; i < 3; i++) {
            _expect(owner, calls[i], abi.encodeWithSelector(TenderStillOpen.selector, id, 0));
        }
        _cancel(id);
        for (uint256 i = 0; i < 3; i++) {
            _expect(owner, calls[i], abi.encodeWithSelector(DeliveriesPending.selector, id, 1));
        }
        _reject(id, 1);
        for (uint256 i = 0; i < 3; i++) {
            _expect(owner, calls[i], abi.encodeWithSelector(NothingToReclaim.selector, id, owner));
        }
    }

    // --- powers: role, arguments, state ---

    function test_Order_AuthoritiesAndCancel() external {
        uint256 id = _mint();
        _cancel(id);
        _expect(
            stranger,
            abi.encodeCall(task.setAcceptanceAuthority, (id, address(0))),
            abi.encodeWithSelector(NotAcceptanceAuthority.selector, id, stranger, judge)
        );
        _expect(
            stranger,
            abi.encodeCall(task.setUpdateAuthority, (id, address(0))),
            abi.encodeWithSelector(NotUpdateAuthority.selector, id, stranger, publisher)
        );
        _expect(
            stranger,
            abi.encodeCall(task.cancelTask, (id)),
            abi.encodeWithSelector(NotUpdateAuthority.selector, id, stranger, publisher)
        );
        _expect(
            stranger,
            abi.encodeCall(task.setTaskURI, (id, "")),
            abi.encodeWithSelector(NotUpdateAuthority.selector, id, stranger, publisher)
        );
    }
}
