// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {Closing} from "./Closing.sol";
import {Ledger} from "./Ledger.sol";

/// @title What holds after every step of every run, in plain words
/// @notice Numbers 5, 6 and 7 are those of the design; letters count the parts of one number.
contract TaskMarketInvariants is Test {
    Closing internal handler;
    ITaskMarket internal market;
    Ledger internal ledger;
    uint256[] internal tokenIds;
    address[] internal people;

    function setUp() public {
        handler = new Closing();
        market = handler.market();
        ledger = handler.ledger();
        tokenIds = handler.tokenIds();
        people = handler.people();
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), handler.actions()));
    }

    /// @dev 5. When every tender is over and everyone has taken what is theirs, every vault is empty and nobody is owed
    ///      anything. Where a token shrank, the vault is empty too, and what is still owed is what it took away.
    function afterInvariant() public {
        handler.closeEverything();
        assertEq(handler.violation(), "", "closing");
        for (uint256 i = 0; i < tokenIds.length; i++) {
            uint256 tokenId = tokenIds[i];
            assertEq(market.pendingOf(tokenId), 0, "pending");
            assertEq(handler.vaultBalanceOf(tokenId), 0, "stranded");
            Ledger.Book memory b = ledger.bookOf(tokenId);
            assertEq(b.credited, b.creditHole, "credits that are not a token's doing");
            if (handler.isWellBehaved(tokenId)) assertEq(b.credited, 0, "owed");
            for (uint256 p = 0; p < people.length; p++) {
                assertEq(market.contributionOf(tokenId, people[p]), 0, "contribution");
            }
        }
    }

    /// 5a. Money leaves a vault only as reward, credit, refund or residual, and no more than came in.
    function invariant_5a_moneyLeavesOnlyByTheFourWays() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            Ledger.Book memory b = ledger.bookOf(tokenIds[i]);
            uint256 out = b.paid + b.withdrawn + b.refunded + b.residual + b.shrunk;
            assertLe(out, b.cameIn, "more out than in");
            assertEq(handler.vaultBalanceOf(tokenIds[i]), b.cameIn - out, "balance");
            assertEq(ledger.balanceOf(tokenIds[i]), b.cameIn - out, "purses");
            assertEq(market.escrowBalanceOf(tokenIds[i]), b.cameIn - out, "escrowBalanceOf");
        }
    }

    /// 5b. Whose the money is agrees with plain bookkeeping, to the unit; while funders share a pool, to one unit of
    ///     dust for each of them.
    function invariant_5b_sharesAgreeWithPlainBookkeeping() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            uint256 tokenId = tokenIds[i];
            Ledger.Book memory b = ledger.bookOf(tokenId);
            (uint256 credits, uint256 funders, uint256 residual) = market.escrowSharesOf(tokenId);
            assertEq(credits, b.credited, "credits");
            assertEq(funders + residual, ledger.availableOf(tokenId), "available");
            uint256 dust = b.refunding ? people.length : 0;
            assertGe(residual, b.gifts, "gifts are the owner's");
            assertLe(residual, b.gifts + dust, "more than gifts and dust");
            uint256 reserved = b.pending * market.tenderTermsOf(tokenId).rewardPerCompletion;
            uint256 balance = ledger.balanceOf(tokenId);
            assertEq(market.lockedEscrowOf(tokenId), reserved < balance ? reserved : balance, "lockedEscrowOf");
            if (handler.isWellBehaved(tokenId)) assertGe(ledger.availableOf(tokenId), reserved, "reserved");
        }
    }

    /// 5c. Each funder's contribution and each fulfiller's credit agree with plain bookkeeping, and so do their sums.
    function invariant_5c_everyAccountAgreesWithPlainBookkeeping() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            uint256 tokenId = tokenIds[i];
            uint256 contributions;
            uint256 credits;
            for (uint256 p = 0; p < people.length; p++) {
                uint256 contribution = market.contributionOf(tokenId, people[p]);
                uint256 credit = market.creditOf(tokenId, people[p]);
                assertEq(contribution, ledger.contributionOf(tokenId, people[p]), "contribution");
                assertEq(credit, ledger.creditOf(tokenId, people[p]), "credit");
                contributions += contribution;
                credits += credit;
            }
            Ledger.Book memory b = ledger.bookOf(tokenId);
            assertEq(contributions, b.outstanding, "sum of contributions");
            if (!b.refunding) assertEq(contributions, b.contributed, "contributed");
            (uint256 owed,,) = market.escrowSharesOf(tokenId);
            assertEq(credits, owed, "sum of credits");
        }
    }

    /// 6a. The clock resolves every pending delivery, whoever refuses; with a well-behaved asset at the full reward.
    function invariant_6a_theClockResolvesEveryPendingDelivery() public {
        uint256 snapshot = vm.snapshotState();
        handler.resolveEverything();
        assertEq(handler.violation(), "", "resolving");
        for (uint256 i = 0; i < tokenIds.length; i++) {
            assertEq(market.pendingOf(tokenIds[i]), 0, "pending");
        }
        vm.revertToState(snapshot);
    }

    /// 6b. Nothing was reclaimed while a delivery was pending.
    function invariant_6b_nothingIsReclaimedWhileADeliveryIsPending() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            assertFalse(ledger.bookOf(tokenIds[i]).reclaimedWhilePending);
        }
    }

    /// 7a. Every submission is what was delivered, and its status changes once at most: by the judge, a proof or the
    ///     clock, since nothing else decides in the ledger.
    function invariant_7a_aDecidedSubmissionNeverChanges() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            uint256 count = ledger.submissionCountOf(tokenIds[i]);
            assertEq(market.submissionCountOf(tokenIds[i]), count, "count");
            for (uint256 id = 1; id <= count; id++) {
                bytes memory got = abi.encode(market.submissionOf(tokenIds[i], id));
                assertEq(got, abi.encode(ledger.submissionOf(tokenIds[i], id)), "submission");
            }
        }
    }

    /// 7b. Every call ends as the rules say: who may, when, and which refusal comes first.
    function invariant_7b_everyCallEndsAsTheRulesSay() public view {
        assertEq(handler.violation(), "");
    }

    /// 7c. From inside a call that a tender makes, no entry point of that tender answers.
    function invariant_7c_aTenderIsEnteredOnce() public view {
        assertEq(handler.intruder().breaches(), 0, vm.toString(handler.intruder().lastBreach()));
    }

    /// 8. Counters: completions and pending within the bound, each epoch within its own, and every submission is
    ///    accepted, rejected or pending.
    function invariant_8_countersStayWithinTheirBounds() public view {
        for (uint256 i = 0; i < tokenIds.length; i++) {
            uint256 tokenId = tokenIds[i];
            Ledger.Book memory b = ledger.bookOf(tokenId);
            ITaskTender.TenderTerms memory terms = market.tenderTermsOf(tokenId);
            assertEq(market.pendingOf(tokenId), b.pending, "pending");
            assertEq(market.completionsOf(tokenId), b.accepted, "completions");
            assertEq(market.submissionCountOf(tokenId), b.accepted + b.rejected + b.pending, "submissions");
            if (terms.maxCompletions != 0) assertLe(b.accepted + b.pending, terms.maxCompletions, "bound");
            if (terms.epochLength == 0) continue;
            uint64 epoch = uint64(vm.getBlockTimestamp() / terms.epochLength);
            uint64 inEpoch = market.completionsInEpochOf(tokenId, epoch);
            assertEq(inEpoch, ledger.acceptedIn(tokenId, epoch), "completions in epoch");
            assertLe(inEpoch, terms.maxCompletionsPerEpoch, "bound of epoch");
        }
    }
}
