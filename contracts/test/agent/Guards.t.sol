// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Outcome} from "../../src/agent/IAgentErrors.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth, Constitution} from "../../src/agent/Birth.sol";

/// @dev Limits of requesters, the corridor, the age of requests, and the order of checks.
contract GuardsTest is AgentFixture {
    // --- an Agent with fees ---

    function feeAgent() private {
        Birth memory b = birth();
        b.constitution.mintFeeBps = 100;
        b.constitution.redeemFeeBps = 200;
        agent = create(b);
    }

    // --- limits of requesters ---

    function test_MintLimitIncludesFeeAndSettlesNoneWhenBreached() public {
        feeAgent();
        fund(alice, 100 * UNIT);
        vm.prank(alice);
        agent.requestMintAtMost(100 * UNIT, 1_010_101); // 100 / 99, rounded down
        vm.expectEmit(address(agent));
        emit Settled(alice, 0, 0, HASH, URI);
        settleMint(alice);
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending, 100 * UNIT);
        assertEq(claimable, 0);
        vm.prank(alice);
        agent.setLimit(0, 1_010_102);
        settleMint(alice);
        (pending, claimable) = agent.queryMintStatus(alice);
        assertEq(claimable, 99e18);
    }

    function test_RedeemLimitIncludesFeeAndSettlesNoneWhenBreached() public {
        feeAgent();
        buy(alice, 100 * UNIT);
        vm.prank(alice);
        agent.requestRedeemAtLeast(99e18, 980_001);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(alice, 1, Outcome.LimitBreached);
        vm.expectEmit(address(agent));
        emit Settled(alice, 1, 0, HASH, URI);
        settleRedeem(alice);
        assertEq(agent.totalSupply(), 99e18);
        vm.prank(alice);
        agent.setLimit(1, 980_000);
        settleRedeem(alice);
        assertEq(agent.redeem(alice), 99 * UNIT * 98 / 100);
    }

    function test_LimitLivesAndDiesWithThePending() public {
        vm.expectRevert(abi.encodeWithSelector(NothingPending.selector, alice));
        vm.prank(alice);
        agent.setLimit(0, 5);
        fund(alice, 100 * UNIT);
        vm.startPrank(alice);
        vm.expectRevert(ZeroAmount.selector);
        agent.requestMintAtMost(1, 0);
        vm.expectRevert(ZeroAmount.selector);
        agent.requestRedeemAtLeast(1, 0);
        agent.requestMintAtMost(100 * UNIT, 5);
        skip(HORIZON);
        agent.reclaim();
        token.approve(address(agent), 100 * UNIT);
        agent.requestMint(100 * UNIT);
        vm.stopPrank();
        (, uint256 limit,) = agent.positionOf(alice, 0);
        assertEq(limit, 0);
        settleMint(alice);
        assertEq(agent.mint(alice), 100e18);
    }

    function test_ALimitStaysWhenMoreIsRequestedAndCanBeRemoved() public {
        fund(alice, 100 * UNIT);
        vm.startPrank(alice);
        agent.requestMintAtMost(50 * UNIT, 5);
        agent.requestMint(50 * UNIT);
        vm.stopPrank();
        settleMint(alice);
        (uint256 pending,) = agent.queryMintStatus(alice);
        assertEq(pending, 100 * UNIT);
        vm.prank(alice);
        agent.setLimit(0, 0);
        settleMint(alice);
        (pending,) = agent.queryMintStatus(alice);
        assertEq(pending, 0);
    }

    // --- guards on the settlement price ---

    function test_CorridorStopsSettlementUntilConfirmed() public {
        vm.prank(owner);
        agent.setGuard(100, 0); // 1 % a day
        buy(alice, 100 * UNIT);
        requestMint(bob, 100 * UNIT);
        requestRedeem(alice, 10e18);
        profit(5 * UNIT);
        skip(1 days);
        vm.expectEmit(address(agent));
        emit SettlementStopped(agent.exchangeRate(), UNIT, 10_001);
        settleMint(bob);
        (uint256 pending,) = agent.queryMintStatus(bob);
        assertEq(pending, 100 * UNIT, "settles nothing");
        (,, bool halted,,) = agent.guardOf();
        assertTrue(halted);
        vm.expectRevert(SettlementHalted.selector);
        settleMint(bob);
        skip(30 days); // time alone does not lift it
        vm.expectRevert(SettlementHalted.selector);
        settleRedeem(alice);

        uint256 rate = agent.exchangeRate();
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(RateOutsideBounds.selector, rate, UNIT, UNIT));
        agent.confirmRate(UNIT, UNIT);
        vm.prank(guardian);
        agent.confirmRate(rate, rate);
        settleMint(bob);
        (pending,) = agent.queryMintStatus(bob);
        assertEq(pending, 0);
    }

    function test_ClaimsReclaimAndViewsGoOnDuringAHalt() public {
        vm.prank(owner);
        agent.setGuard(100, 0);
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 10e18);
        settleRedeem(alice);
        requestMint(bob, 100 * UNIT);
        settleMint(bob);
        requestMint(carol, UNIT);
        profit(50 * UNIT);
        settleMint(carol);
        (,, bool halted,,) = agent.guardOf();
        assertTrue(halted);
        assertEq(agent.redeem(alice), 10 * UNIT);
        assertEq(agent.mint(bob), 100e18);
        assertGt(agent.exchangeRate(), UNIT);
        requestRedeem(bob, 1e18);
        skip(HORIZON);
        vm.prank(carol);
        agent.reclaim();
        vm.prank(bob);
        agent.reclaim();
    }

    function test_CorridorAllowsWhatTimeAllows() public {
        vm.prank(owner);
        agent.setGuard(100, 0);
        buy(alice, 100 * UNIT);
        requestMint(bob, UNIT);
        profit(1 * UNIT);
        skip(1 days);
        settleMint(bob);
        (,, bool halted, uint256 anchor, uint256 at) = agent.guardOf();
        assertFalse(halted);
        assertApproxEqAbs(anchor, 1_010_000, 1);
        assertEq(at, block.timestamp);
        token.confiscate(address(agent), 1 * UNIT);
        requestMint(bob, UNIT);
        skip(12 hours);
        settleMint(bob);
        (,, halted,,) = agent.guardOf();
        assertTrue(halted, "half a day allows half of it, downwards too");
    }

    function test_CorridorHasNoIntegerTrap() public {
        vm.prank(owner);
        agent.setGuard(100, 0);
        buy(alice, 1_000 * UNIT);
        // one unit of the rate per 9 seconds is inside 1 % a day; settle every 3 seconds
        for (uint256 i = 0; i < 90; ++i) {
            skip(3);
            if (i % 3 == 2) profit(1_000);
            requestMint(bob, 1_000);
            settleMint(bob);
        }
        (,, bool halted,,) = agent.guardOf();
        assertFalse(halted);
    }

    function test_IdleTimeBuysNoUnboundedMove() public {
        vm.prank(owner);
        agent.setGuard(100, 0);
        buy(alice, 100 * UNIT);
        requestMint(bob, UNIT);
        skip(365 days);
        profit(8 * UNIT); // 7 days of 1 % are allowed at most
        settleMint(bob);
        (,, bool halted,,) = agent.guardOf();
        assertTrue(halted);
    }

    function test_MinimumAgeOfARequest() public {
        vm.prank(owner);
        agent.setGuard(0, 1 hours);
        requestMint(alice, 100 * UNIT);
        skip(1 hours - 1);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, alice, Outcome.TooYoung));
        settleMint(alice);
        skip(1);
        settleMint(alice);
    }

    function test_GuardIsBounded() public {
        vm.startPrank(owner);
        vm.expectRevert(
            abi.encodeWithSelector(OutOfRange.selector, bytes32("minRequestAgeSec"), HORIZON + 1, 0, HORIZON)
        );
        agent.setGuard(0, uint24(HORIZON + 1));
        vm.expectRevert(
            abi.encodeWithSelector(OutOfRange.selector, bytes32("corridorBpsPerDay"), 1_000_001, 0, 1_000_000)
        );
        agent.setGuard(1_000_001, 0);
        agent.setGuard(1_000_000, uint24(HORIZON));
    }

    // --- order of checks ---

    function test_OrderOfChecksOfASettlement() public {
        // role, pause, reasoning, halt, member
        vm.prank(owner);
        agent.setGuard(1, 0);
        buy(alice, 100 * UNIT);
        requestMint(bob, UNIT);
        profit(50 * UNIT);
        settleMint(bob); // halts
        vm.prank(owner);
        agent.pause();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, stranger));
        agent.settleMint(stranger, 0, "");
        vm.startPrank(executor);
        vm.expectRevert(AgentPaused.selector);
        agent.settleMint(executor, 0, "");
        vm.stopPrank();
        vm.prank(owner);
        agent.unpause();
        vm.startPrank(executor);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.settleMint(executor, 0, "");
        vm.expectRevert(EmptyReasoningURI.selector);
        agent.settleMint(executor, HASH, "");
        vm.expectRevert(SettlementHalted.selector);
        agent.settleMint(executor, HASH, URI);
        vm.stopPrank();
        vm.prank(owner);
        agent.confirmRate(0, type(uint256).max);
        vm.startPrank(executor);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, executor, Outcome.OwnRequest));
        agent.settleMint(executor, HASH, URI);
    }

    function test_OrderOfChecksOfAnExecution() public {
        // role, pause, reasoning, construction, scope
        vm.prank(owner);
        agent.pause();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, stranger));
        agent.execute(address(agent), 0, "", 0, "");
        vm.startPrank(executor);
        vm.expectRevert(AgentPaused.selector);
        agent.execute(address(agent), 0, "", 0, "");
        vm.stopPrank();
        vm.prank(owner);
        agent.unpause();
        vm.startPrank(executor);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.execute(address(agent), 0, "", 0, "");
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, agent, bytes4(0)));
        agent.execute(address(agent), 0, "", HASH, URI);
    }

    // --- the anchor and the rounding of the price ---

    function test_AMintPaysTheRateRoundedUpARedemptionTheRateRoundedDown() public {
        buy(alice, 1_000 * UNIT);
        profit(500);
        // 1,000,000.4999... base units per share
        assertEq(agent.exchangeRate(), 1_000_000);
        requestMint(bob, 100 * UNIT);
        vm.expectEmit(address(agent));
        emit SettlementDetail(bob, 0, 100 * UNIT, uint256(100 * UNIT) * 1e18 / 1_000_001, 0, 1_000_001);
        settleMint(bob);
        requestRedeem(alice, 10e18);
        vm.expectEmit(address(agent));
        emit SettlementDetail(alice, 1, 10e18, 10 * UNIT, 0, 1_000_000);
        settleRedeem(alice);
    }

    function test_SettlementsAtAnUnchangedRateKeepTheAnchorAndSayNothing() public {
        (,,, uint256 rate, uint256 at) = agent.guardOf();
        skip(1 hours);
        requestMint(alice, 100 * UNIT);
        vm.recordLogs();
        settleMint(alice);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i = 0; i < logs.length; ++i) {
            assertTrue(logs[i].topics[0] != ExchangeRateUpdated.selector, "the rate did not change");
        }
        (,,, uint256 rateNow, uint256 atNow) = agent.guardOf();
        assertEq(rateNow, rate);
        assertEq(atNow, at, "idle time stays available to a slow rate");
    }
}
