// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IAttestedOutcome, IStreakVerifier} from "../mocks/companions/IAttestedVerifiers.sol";
import {AttestedTest} from "./AttestedTest.sol";
import {IStockVerifier} from "./VerifierTest.sol";

/// @title StreakVerifier: the same provider each epoch, profile x-streak-eip712-v1
contract StreakVerifierTest is AttestedTest {
    uint64 private constant DAY = 1 days;
    uint64 private constant GRACE = 6 hours;
    /// @dev Noon of a day, so that a few hours lead nowhere else.
    uint256 private constant NOON = START / 1 days * 1 days + 12 hours;
    IStreakVerifier private streak;
    address private rival = makeAddr("rival");
    uint256 private today;

    function setUp() public override {
        super.setUp();
        _makeAttestors(2);
        verifier = IStockVerifier(deployCode("StreakVerifier.sol:StreakVerifier"));
        streak = IStreakVerifier(address(verifier));
        id = _mint(_paced(2), address(verifier));
        _fund(id, funder, 20 * REWARD);
        _goTo(0);
    }

    function _paced(uint64 perDay) private pure returns (ITaskTender.TenderTerms memory terms) {
        terms = _terms();
        terms.epochLength = DAY;
        terms.maxCompletionsPerEpoch = perDay;
    }

    /// @dev Noon of the day with this number.
    function _goTo(uint256 day) private {
        vm.warp(NOON + day * DAY);
        today = NOON / DAY + day;
    }

    function _commit() private {
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 1, GRACE);
    }

    function _deliverNew(address fulfiller) private returns (uint256) {
        return _deliver(fulfiller, keccak256(abi.encode(fulfiller, vm.getBlockTimestamp(), task.submissionCountOf(id))));
    }

    function _settle(uint256 submissionId) private {
        task.settleFulfillment(id, submissionId, _proofBy(0, _digestOf(submissionId)));
    }

    function _refused(uint256 submissionId) private {
        _settleRefused(submissionId, _proofBy(0, _digestOf(submissionId)));
    }

    function _deliverAndSettle(address fulfiller) private {
        _settle(_deliverNew(fulfiller));
    }

    function _assertSeat(address provider, uint256 lastEpoch) private view {
        (address seated, uint64 last,,) = streak.streakOf(address(task), id);
        assertEq(seated, provider, "provider");
        assertEq(last, lastEpoch, "last epoch");
    }

    // --- commitStreak ---

    function test_CommitStreak_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, owner, publisher));
        vm.prank(owner);
        streak.commitStreak(address(task), id, attestors, 1, GRACE);
    }

    function test_CommitStreak_RevertsWhen_TheTenderHasNoEpochs() external {
        uint256 plain = _mint(_terms(), address(verifier));
        vm.expectRevert(abi.encodeWithSelector(IStreakVerifier.NoCadence.selector, address(task), plain));
        vm.prank(publisher);
        streak.commitStreak(address(task), plain, attestors, 1, GRACE);
    }

    function test_CommitStreak_IsSetOnce() external {
        _commit();
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.AlreadyCommitted.selector, address(task), id));
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 2, 0);
    }

    function test_CommitStreak_ChecksTheAttestors() external {
        vm.expectRevert(abi.encodeWithSelector(IAttestedOutcome.ThresholdOutOfRange.selector, 3, 2));
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 3, GRACE);
    }

    function test_CommitStreak_RecordsAndEmits() external {
        vm.expectEmit(address(verifier));
        emit IAttestedOutcome.AttestorsCommitted(address(task), id, attestors, 1);
        vm.expectEmit(address(verifier));
        emit IStreakVerifier.StreakCommitted(address(task), id, DAY, GRACE);
        _commit();
        (address provider,, uint64 epochLength, uint64 graceSec) = streak.streakOf(address(task), id);
        assertEq(provider, address(0));
        assertEq(epochLength, DAY);
        assertEq(graceSec, GRACE);
        assertEq(streak.providerOf(address(task), id), address(0));
    }

    // --- the seat ---

    function test_Settle_RevertsBeforeTheStreakIsCommitted() external {
        _refused(_deliverNew(worker));
    }

    function test_Settle_RevertsWithout_TheAttestorsSignatures() external {
        _commit();
        uint256 submissionId = _deliverNew(worker);
        _settleRefused(submissionId, abi.encode(new bytes[](0)));
        _settleRefused(submissionId, _proofBy(0, keccak256("something else")));
    }

    function test_Settle_SeatsTheFirstFulfillerThatIsAccepted() external {
        _commit();
        uint256 submissionId = _deliverNew(worker);
        vm.expectEmit(address(verifier));
        emit IStreakVerifier.SeatTaken(address(task), id, worker, today);
        _settle(submissionId);
        _assertSeat(worker, today);
        assertEq(streak.providerOf(address(task), id), worker);
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_PaysTheSameProviderEachEpoch() external {
        _commit();
        for (uint256 day = 0; day < 5; day++) {
            _goTo(day);
            _deliverAndSettle(worker);
            _assertSeat(worker, today);
        }
        assertEq(worker.balance, 5 * REWARD);
    }

    function test_Settle_MUST_RefuseAnybodyElseWhileTheSeatIsTaken() external {
        _commit();
        _deliverAndSettle(worker);
        _refused(_deliverNew(rival));
        _goTo(1);
        _refused(_deliverNew(rival));
        _deliverAndSettle(worker);
    }

    function test_Settle_MayPayTheProviderTwiceAnEpoch() external {
        _commit();
        _deliverAndSettle(worker);
        _deliverAndSettle(worker);
        assertEq(worker.balance, 2 * REWARD);
        _assertSeat(worker, today);
    }

    // --- a delivery belongs to the epoch in which it was made ---

    function test_Settle_CountsTheEpochOfTheDeliveryNotOfTheSettlement() external {
        _commit();
        _deliverAndSettle(worker);
        _goTo(1);
        uint256 late = _deliverNew(worker);
        vm.warp(NOON / DAY * DAY + 2 * DAY + GRACE - 1); // the last second of the grace of day 1
        _settle(late);
        _assertSeat(worker, NOON / DAY + 1);
        _goTo(2);
        _deliverAndSettle(worker);
    }

    function test_Settle_RevertsOnceTheGraceOfItsEpochIsOver() external {
        _commit();
        uint256 submissionId = _deliverNew(worker);
        vm.warp(NOON / DAY * DAY + DAY + GRACE);
        _refused(submissionId);
    }

    /// Out of order, a later delivery would make the one before it late: it is refused, and nothing is lost.
    function test_Settle_RefusesAGapInsteadOfCountingIt() external {
        _commit();
        _deliverAndSettle(worker);
        _goTo(1);
        uint256 first = _deliverNew(worker);
        vm.warp(NOON / DAY * DAY + 2 * DAY + 1);
        uint256 second = _deliverNew(worker);
        _refused(second);
        _settle(first);
        _settle(second);
        _assertSeat(worker, NOON / DAY + 2);
    }

    function test_Settle_RefusesAnEpochBeforeTheLast() external {
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 1, 2 * DAY);
        uint256 old = _deliverNew(worker);
        _goTo(1);
        _deliverAndSettle(worker);
        _refused(old);
    }

    // --- a miss ---

    function test_Miss_IsNotDeclaredBeforeTheGraceIsOver() external {
        _commit();
        _deliverAndSettle(worker);
        uint256 missedAt = NOON / DAY * DAY + 2 * DAY + GRACE;
        vm.warp(missedAt - 1);
        vm.expectRevert(abi.encodeWithSelector(IStreakVerifier.NothingMissed.selector, address(task), id));
        streak.declareMiss(address(task), id);
        assertEq(streak.providerOf(address(task), id), worker);
        vm.warp(missedAt);
        assertEq(streak.providerOf(address(task), id), address(0));
        vm.expectEmit(address(verifier));
        emit IStreakVerifier.SeatForfeited(address(task), id, worker, NOON / DAY + 1);
        vm.prank(stranger);
        streak.declareMiss(address(task), id);
        assertTrue(streak.hasForfeited(address(task), id, worker));
        _assertSeat(address(0), NOON / DAY);
    }

    function test_Miss_IsNotDeclaredWhile_TheSeatIsFree() external {
        _commit();
        _goTo(9);
        vm.expectRevert(abi.encodeWithSelector(IStreakVerifier.NothingMissed.selector, address(task), id));
        streak.declareMiss(address(task), id);
        vm.expectRevert(abi.encodeWithSelector(IStreakVerifier.NothingMissed.selector, address(task), id + 1));
        streak.declareMiss(address(task), id + 1);
    }

    function test_Miss_MUST_ForfeitTheSeatForGood() external {
        _commit();
        _deliverAndSettle(worker);
        _goTo(3);
        _refused(_deliverNew(worker));
        streak.declareMiss(address(task), id);
        _refused(_deliverNew(worker));
        _goTo(4);
        _refused(_deliverNew(worker));
        assertEq(worker.balance, REWARD);
    }

    /// Nobody has to declare it: the next provider's settlement does.
    function test_Miss_IsNoticedByTheNextProvidersSettlement() external {
        _commit();
        _deliverAndSettle(worker);
        _goTo(3);
        uint256 submissionId = _deliverNew(rival);
        vm.expectEmit(address(verifier));
        emit IStreakVerifier.SeatForfeited(address(task), id, worker, NOON / DAY + 1);
        vm.expectEmit(address(verifier));
        emit IStreakVerifier.SeatTaken(address(task), id, rival, today);
        _settle(submissionId);
        assertTrue(streak.hasForfeited(address(task), id, worker));
        _assertSeat(rival, today);
        _goTo(4);
        _refused(_deliverNew(worker));
        _deliverAndSettle(rival);
    }

    /// The provider who missed is refused, and the refusal leaves nothing behind.
    function test_Miss_OfWhoeverSettlesIsRefusedWithoutATrace() external {
        _commit();
        _deliverAndSettle(worker);
        _goTo(2);
        _deliverNew(worker);
        _goTo(3);
        _refused(_deliverNew(worker));
        assertFalse(streak.hasForfeited(address(task), id, worker));
        _assertSeat(worker, NOON / DAY);
    }

    function test_Streak_DoesNotOverflowWith_TheLargestEpochAndGrace() external {
        ITaskTender.TenderTerms memory terms = _paced(1);
        terms.epochLength = type(uint64).max;
        id = _mint(terms, address(verifier));
        _fund(id, funder, REWARD);
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 1, type(uint64).max);
        _deliverAndSettle(worker);
        _assertSeat(worker, 0);
        vm.expectRevert(abi.encodeWithSelector(IStreakVerifier.NothingMissed.selector, address(task), id));
        streak.declareMiss(address(task), id);
    }

    /// Any pattern of days: the provider is paid for each day in a row from the first, then never again.
    function testFuzz_Streak_PaysExactlyTheUnbrokenRun(uint16 pattern) external {
        _commit();
        uint256 run;
        bool broken;
        for (uint256 day = 0; day < 16; day++) {
            _goTo(day);
            if (pattern >> day & 1 == 0) {
                broken = broken || run != 0;
                continue;
            }
            uint256 submissionId = _deliverNew(worker);
            // a day without a delivery is a miss once its grace is over, which is before noon of the next day
            if (broken) {
                _refused(submissionId);
            } else {
                _settle(submissionId);
                run++;
            }
            if (task.pendingOf(id) > 8) {
                break; // the vault has room for no more
            }
        }
        assertEq(worker.balance, run * REWARD);
    }

    function test_Settle_MUST_ConsumeWhatItAccepted() external {
        _commit();
        uint256 first = _deliver(worker, RESULT);
        uint256 second = _deliver(worker, RESULT);
        _settle(first);
        assertTrue(verifier.isConsumed(address(task), id, RESULT));
        _refused(second);
    }

    function test_Verify_KeepsTaskContractsApart() external {
        _commit();
        _deliverAndSettle(worker);
        (address provider,,,) = streak.streakOf(stranger, id);
        assertEq(provider, address(0));
    }

    function test_Verifier_DeclaresItself() external view {
        assertTrue(verifier.supportsInterface(0x9977db15));
        assertFalse(verifier.supportsInterface(0xffffffff));
        assertEq(verifier.profile(), "x-streak-eip712-v1");
        (, string memory name,,,,,) = streak.eip712Domain();
        assertEq(name, "Oikos Streak");
    }
}
