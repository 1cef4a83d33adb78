// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAgent} from "../../src/agent/IAgent.sol";
import {Position} from "../../src/agent/Position.sol";
import {StubValuation} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Outcome} from "../../src/agent/IAgentErrors.sol";

contract LifecycleTest is AgentFixture {
    // --- §6.1 ---

    function test_6_1_1_AcceptTokenAndShareTokenNeverChange() public {
        assertEq(agent.acceptToken(), address(token));
        assertEq(agent.shareToken(), address(agent));
        buy(alice, 100 * UNIT);
        vm.prank(owner);
        agent.renounceOwnership();
        assertEq(agent.acceptToken(), address(token));
        assertEq(agent.shareToken(), address(agent));
    }

    function test_6_1_2_NativeEtherIsNoPaymentForShares() public {
        vm.deal(alice, 1 ether);
        vm.prank(alice);
        (bool success,) = address(agent).call{value: 1}(abi.encodeCall(IAgent.requestMint, (1)));
        assertFalse(success);
        vm.prank(alice);
        (success,) = address(agent).call{value: 1 ether}("");
        assertTrue(success, "rewards may arrive");
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending + claimable + agent.totalSupply(), 0);
    }

    function test_6_1_3_RolesStayEnforcedForTheLifetimeOfTheAgent() public {
        allow(rule(address(target), target.act.selector));
        assertEq(agent.owner(), owner);
        vm.prank(owner);
        agent.renounceOwnership();
        assertEq(agent.owner(), address(0), "owner() reports the current admin");
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, stranger));
        agent.execute(address(target), 0, act(1, alice), HASH, URI);
        vm.expectRevert();
        execute(address(target), 0, abi.encodeCall(target.returns_, (1)));
        execute(address(target), 0, act(1, alice));
        assertEq(target.caller(), address(agent), "still a plain call");
    }

    function test_6_4_7_InFlightBalancesAreInNoRate() public {
        buy(alice, 100 * UNIT);
        profit(10 * UNIT);
        uint256 rate = agent.exchangeRate();
        requestMint(bob, 5_000 * UNIT);
        requestRedeem(alice, 60e18);
        assertEq(agent.exchangeRate(), rate);
        (uint256 balance, uint256 reserved,, uint256 supply,) = agent.books();
        assertEq(balance - reserved, 110 * UNIT);
        assertEq(supply, 100e18, "escrowed shares stay in the supply until settlement");
    }

    function test_InterfaceIdIsThatOfTheStandard() public view {
        assertEq(type(IAgent).interfaceId, bytes4(0xfebed61d));
        assertTrue(agent.supportsInterface(0xfebed61d), "ERC-165 MUST");
        assertTrue(agent.supportsInterface(0x01ffc9a7));
        assertTrue(agent.supportsInterface(type(IERC20).interfaceId));
        assertFalse(agent.supportsInterface(0xffffffff));
        assertEq(agent.onERC721Received(alice, bob, 1, ""), bytes4(0x150b7a02));
    }

    // --- §6.2 ---

    function test_6_2_1_ReasoningHashMustBeNonZero() public {
        requestMint(alice, UNIT);
        vm.startPrank(executor);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.settleMint(alice, 0, URI);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.settleRedeem(alice, 0, URI);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.execute(address(target), 0, act(1, alice), 0, URI);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.executeWithAllowance(address(target), 0, act(1, alice), 1, 0, URI);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.settleMintBatch(new address[](0), 0, URI);
        vm.expectRevert(ZeroReasoningHash.selector);
        agent.decline(alice, 0, 0, URI);
    }

    function test_6_2_2_ReasoningUriMustBeNonEmptyAndBounded() public {
        requestMint(alice, UNIT);
        vm.startPrank(executor);
        vm.expectRevert(EmptyReasoningURI.selector);
        agent.settleMint(alice, HASH, "");
        vm.expectRevert(EmptyReasoningURI.selector);
        agent.execute(address(target), 0, act(1, alice), HASH, "");
        string memory long = string(new bytes(2_049));
        vm.expectRevert(abi.encodeWithSelector(TextTooLong.selector, 2_049, 2_048));
        agent.settleMint(alice, HASH, long);
        agent.settleMint(alice, HASH, string(new bytes(2_048)));
    }

    function test_6_2_4_OwnAgentFunctionsEmitReasoned() public {
        requestMint(alice, UNIT);
        vm.expectEmit(address(agent));
        emit Reasoned(executor, agent.settleMintBatch.selector, HASH, URI);
        vm.prank(executor);
        agent.settleMintBatch(new address[](0), HASH, URI);
        vm.expectEmit(address(agent));
        emit Reasoned(executor, agent.decline.selector, HASH, URI);
        vm.prank(executor);
        agent.decline(alice, 0, HASH, URI);
    }

    // --- §6.3 ---

    function test_6_3_1_RequestMintPullsExactlyAmount() public {
        fund(alice, 100 * UNIT);
        vm.prank(alice);
        agent.requestMint(70 * UNIT);
        assertEq(token.balanceOf(alice), 30 * UNIT);
        assertEq(token.balanceOf(address(agent)), 70 * UNIT);
        assertEq(reserve(), 70 * UNIT);
    }

    function test_6_3_2_RequestMintAddsToPendingAndEmits() public {
        fund(alice, 100 * UNIT);
        vm.startPrank(alice);
        vm.expectEmit(address(agent));
        emit MintRequested(alice, 60 * UNIT, uint64(block.number), block.timestamp);
        agent.requestMint(60 * UNIT);
        agent.requestMint(40 * UNIT);
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending, 100 * UNIT, "tracked in aggregate");
        assertEq(claimable, 0, "never settled inside the request");
    }

    function test_6_3_4_SettleMintFixesSharesMovesStatusAndEmitsSettled() public {
        requestMint(alice, 100 * UNIT);
        vm.expectEmit(address(agent));
        emit SettlementDetail(alice, 0, 100 * UNIT, 100e18, 0, UNIT);
        vm.expectEmit(address(agent));
        emit Settled(alice, 0, 100e18, HASH, URI);
        settleMint(alice);
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending, 0);
        assertEq(claimable, 100e18);
        profit(1_000 * UNIT);
        (, claimable) = agent.queryMintStatus(alice);
        assertEq(claimable, 100e18, "fixed at settlement");
        assertEq(agent.mint(alice), 100e18);
    }

    function test_6_3_4_OnlyExecutorSettles() public {
        requestMint(alice, UNIT);
        address[3] memory others = [owner, alice, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            vm.startPrank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.settleMint(alice, HASH, URI);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.settleRedeem(alice, HASH, URI);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.settleMintBatch(new address[](1), HASH, URI);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.decline(alice, 0, HASH, URI);
            vm.stopPrank();
        }
    }

    function test_6_3_4_ExchangeRateUpdatedWhenSettlementFindsANewRate() public {
        buy(alice, 100 * UNIT);
        profit(50 * UNIT);
        requestMint(bob, 100 * UNIT);
        uint256 rate = agent.exchangeRate();
        vm.expectEmit(address(agent));
        emit ExchangeRateUpdated(rate);
        settleMint(bob);
    }

    function test_6_3_5_MintPaysTheOwedPartyWhoeverCalls() public {
        requestMint(alice, 100 * UNIT);
        settleMint(alice);
        vm.expectEmit(address(agent));
        emit IERC20.Transfer(address(0), alice, 100e18);
        vm.expectEmit(address(agent));
        emit SharesMinted(alice, 100 * UNIT, 100e18, uint64(block.number), UNIT, block.timestamp);
        vm.prank(stranger);
        assertEq(agent.mint(alice), 100e18);
        assertEq(agent.balanceOf(alice), 100e18);
        assertEq(agent.balanceOf(stranger), 0);
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending + claimable, 0, "zeroed");
        vm.prank(alice);
        assertEq(agent.mint(alice), 0, "nothing claimable returns 0");
        assertEq(agent.totalSupply(), 100e18);
    }

    function test_6_3_5_ClaimAggregatesSettlementsAndReportsTheLastEpoch() public {
        requestMint(alice, 100 * UNIT);
        settleMint(alice);
        profit(100 * UNIT);
        vm.roll(block.number + 5);
        requestMint(alice, 100 * UNIT);
        (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(pending, 100 * UNIT);
        assertEq(claimable, 100e18);
        settleMint(alice);
        (, claimable) = agent.queryMintStatus(alice);
        vm.expectEmit(address(agent));
        emit SharesMinted(
            alice, 200 * UNIT, claimable, uint64(block.number), 200 * UNIT * 1e18 / claimable, block.timestamp
        );
        agent.mint(alice);
        assertEq(agent.balanceOf(alice), claimable);
    }

    // --- §6.4 ---

    function test_6_4_1_RequestRedeemEscrowsExactlyShares() public {
        buy(alice, 100 * UNIT);
        vm.prank(alice);
        vm.expectEmit(address(agent));
        emit IERC20.Transfer(alice, address(agent), 40e18);
        vm.expectEmit(address(agent));
        emit RedeemRequested(alice, 40e18, uint64(block.number), block.timestamp);
        agent.requestRedeem(40e18);
        assertEq(agent.balanceOf(alice), 60e18);
        assertEq(agent.balanceOf(address(agent)), 40e18);
        assertEq(agent.totalSupply(), 100e18, "held, not burned");
        (uint256 pending,) = agent.queryRedeemStatus(alice);
        assertEq(pending, 40e18);
    }

    function test_6_4_2_RequestsAddUp() public {
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 40e18);
        requestRedeem(alice, 10e18);
        (uint256 pending,) = agent.queryRedeemStatus(alice);
        assertEq(pending, 50e18);
    }

    function test_6_4_1_NobodyEscrowsMoreThanHeOwns() public {
        buy(alice, 100 * UNIT);
        vm.prank(alice);
        vm.expectRevert();
        agent.requestRedeem(100e18 + 1);
        vm.prank(bob);
        vm.expectRevert();
        agent.requestRedeem(1);
    }

    function test_6_4_4_SettleRedeemFixesTokensBurnsAndEmitsSettled() public {
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 40e18);
        vm.expectEmit(address(agent));
        emit IERC20.Transfer(address(agent), address(0), 40e18);
        vm.expectEmit(address(agent));
        emit SettlementDetail(alice, 1, 40e18, 40 * UNIT, 0, UNIT);
        vm.expectEmit(address(agent));
        emit Settled(alice, 1, 40 * UNIT, HASH, URI);
        settleRedeem(alice);
        assertEq(agent.totalSupply(), 60e18);
        assertEq(agent.balanceOf(address(agent)), 0);
        (uint256 pending, uint256 claimable) = agent.queryRedeemStatus(alice);
        assertEq(pending, 0);
        assertEq(claimable, 40 * UNIT);
        assertEq(reserve(), 40 * UNIT);
    }

    function test_6_4_5_RedeemPaysTheOwedPartyWhoeverCalls() public {
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 40e18);
        settleRedeem(alice);
        vm.expectEmit(address(agent));
        emit SharesRedeemed(alice, 40e18, 40 * UNIT, uint64(block.number), UNIT, block.timestamp);
        vm.prank(stranger);
        assertEq(agent.redeem(alice), 40 * UNIT);
        assertEq(token.balanceOf(alice), 40 * UNIT);
        (uint256 pending, uint256 claimable) = agent.queryRedeemStatus(alice);
        assertEq(pending + claimable + reserve(), 0);
        assertEq(agent.redeem(alice), 0, "nothing claimable returns 0");
    }

    function test_6_4_3_IlliquidRedemptionStaysPendingUntilLiquidityAllows() public {
        StubValuation valuation = new StubValuation(address(token));
        vm.prank(owner);
        agent.addValuation(valuation);
        buy(alice, 100 * UNIT);
        token.confiscate(address(agent), 90 * UNIT); // invested
        valuation.set(90 * UNIT, true, false);
        requestRedeem(alice, 50e18);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, alice, Outcome.Illiquid));
        settleRedeem(alice);
        token.issue(address(agent), 40 * UNIT); // freed
        valuation.set(50 * UNIT, true, false);
        settleRedeem(alice);
        assertEq(agent.redeem(alice), 50 * UNIT);
    }

    // --- §6.4.6 ---

    function test_6_4_6_ReclaimAfterTheHorizonNotBefore() public {
        requestMint(alice, 100 * UNIT);
        skip(HORIZON - 1);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(HorizonNotReached.selector, alice, block.timestamp + 1));
        agent.reclaim();
        skip(1);
        vm.expectEmit(address(agent));
        emit Reclaimed(alice, 0, 100 * UNIT);
        vm.prank(alice);
        (uint256 assets, uint256 shares) = agent.reclaim();
        assertEq(assets, 100 * UNIT);
        assertEq(shares, 0);
        assertEq(token.balanceOf(alice), 100 * UNIT);
        assertEq(reserve(), 0);
    }

    function test_6_4_6_HorizonCountsFromTheMostRecentRequest() public {
        requestMint(alice, 100 * UNIT);
        skip(HORIZON - 1);
        requestMint(alice, 1);
        skip(HORIZON - 1);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(HorizonNotReached.selector, alice, block.timestamp + 1));
        agent.reclaim();
        skip(1);
        agent.reclaim();
    }

    function test_6_4_6_ReclaimReturnsEscrowedSharesAndLeavesClaimable() public {
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 30e18);
        settleRedeem(alice);
        requestRedeem(alice, 20e18);
        requestMint(alice, 7 * UNIT);
        skip(HORIZON);
        vm.prank(alice);
        (uint256 assets, uint256 shares) = agent.reclaim();
        assertEq(assets, 7 * UNIT);
        assertEq(shares, 20e18);
        assertEq(agent.balanceOf(alice), 70e18);
        (uint256 pending, uint256 claimable) = agent.queryRedeemStatus(alice);
        assertEq(pending, 0);
        assertEq(claimable, 30 * UNIT, "settled balances are unaffected");
        assertEq(agent.redeem(alice), 30 * UNIT);
    }

    function test_6_4_6_ReclaimIsTheRequestersAlone() public {
        requestMint(alice, 100 * UNIT);
        skip(HORIZON);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NothingPending.selector, stranger));
        agent.reclaim();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NothingPending.selector, stranger));
        agent.reclaimShares();
    }

    function test_6_4_6_ReclaimSharesAloneWhenTheTokenRefusesToPay() public {
        buy(alice, 100 * UNIT);
        requestMint(alice, 5 * UNIT);
        requestRedeem(alice, 20e18);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(HorizonNotReached.selector, alice, block.timestamp + HORIZON));
        agent.reclaimShares();
        skip(HORIZON);
        token.setBlocked(alice, true);
        vm.startPrank(alice);
        vm.expectRevert();
        agent.reclaim();
        assertEq(agent.reclaimShares(), 20e18);
        assertEq(agent.balanceOf(alice), 100e18);
    }

    function test_6_4_6_DisclosedHorizonIsImmutableAndTheMethodExists() public view {
        assertEq(agent.reclaimHorizon(), HORIZON);
        assertEq(agent.reclaim.selector, bytes4(keccak256("reclaim()")));
    }

    function test_DeclineReturnsWhatIsPendingAtOnce() public {
        buy(bob, 50 * UNIT);
        requestMint(alice, 100 * UNIT);
        requestRedeem(bob, 10e18);
        vm.startPrank(executor);
        agent.decline(alice, 0, HASH, URI);
        agent.decline(bob, 1, HASH, URI);
        assertEq(token.balanceOf(alice), 100 * UNIT);
        assertEq(agent.balanceOf(bob), 50e18);
        vm.expectRevert(abi.encodeWithSelector(NothingPending.selector, alice));
        agent.decline(alice, 0, HASH, URI);
        vm.expectRevert(abi.encodeWithSelector(UnknownKind.selector, 2));
        agent.decline(alice, 2, HASH, URI);
    }

    // --- status views: "Detecting an outstanding claim" ---

    function test_PositionShowsLimitTimesAndConsumed() public {
        fund(alice, 100 * UNIT);
        vm.prank(alice);
        agent.requestMintAtMost(100 * UNIT, 2 * UNIT);
        (Position memory p, uint256 limit, uint256 reclaimableAt) = agent.positionOf(alice, 0);
        assertEq(p.pending, 100 * UNIT);
        assertEq(p.requestedAt, block.timestamp);
        assertEq(limit, 2 * UNIT);
        assertEq(reclaimableAt, block.timestamp + HORIZON);
        settleMint(alice);
        (p, limit, reclaimableAt) = agent.positionOf(alice, 0);
        assertEq(p.consumed, 100 * UNIT);
        assertEq(p.claimable, 100e18);
        assertEq(p.epoch, block.number);
        assertEq(limit + reclaimableAt, 0);
        vm.expectRevert(abi.encodeWithSelector(UnknownKind.selector, 2));
        agent.positionOf(alice, 2);
    }

    function test_SettlementRefusalsNameTheOutcome() public {
        vm.startPrank(executor);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, alice, Outcome.NothingPending));
        agent.settleMint(alice, HASH, URI);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, executor, Outcome.OwnRequest));
        agent.settleRedeem(executor, HASH, URI);
    }
}
