// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Outcome} from "../../src/agent/IAgentErrors.sol";
import {HookedToken, IHook} from "../mocks/agent/Tokens.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth} from "../../src/agent/Birth.sol";

contract BatchTest is AgentFixture {
    function list(address a, address b, address c) private pure returns (address[] memory users) {
        users = new address[](3);
        (users[0], users[1], users[2]) = (a, b, c);
    }

    function test_ABatchSettlesAllAtOnePriceWithOneRecord() public {
        buy(stranger, 70 * UNIT);
        profit(13 * UNIT);
        requestMint(alice, 100 * UNIT);
        requestMint(bob, 200 * UNIT);
        requestMint(carol, 300 * UNIT);
        vm.prank(executor);
        agent.settleMintBatch(list(alice, bob, carol), HASH, URI);
        (, uint256 a) = agent.queryMintStatus(alice);
        (, uint256 b) = agent.queryMintStatus(bob);
        (, uint256 c) = agent.queryMintStatus(carol);
        assertApproxEqAbs(b, 2 * a, 1);
        assertApproxEqAbs(c, 3 * a, 2);
        assertEq(agent.mintBatch(list(alice, bob, carol)), a + b + c);
        requestRedeem(alice, a);
        requestRedeem(bob, b);
        requestRedeem(carol, c);
        vm.prank(executor);
        agent.settleRedeemBatch(list(alice, bob, carol), HASH, URI);
        assertEq(agent.balanceOf(address(agent)), 0);
        uint256 paid = agent.redeemBatch(list(alice, bob, carol));
        assertLe(paid, 600 * UNIT);
        assertApproxEqAbs(paid, 600 * UNIT, 2_000);
        assertEq(reserve(), 0);
    }

    function test_AFailingMemberIsSkippedAndReported() public {
        vm.prank(owner);
        agent.setGuard(0, 60);
        requestMint(alice, 100 * UNIT);
        skip(60);
        requestMint(bob, 100 * UNIT); // too young
        address[] memory users = new address[](5);
        (users[0], users[1], users[2], users[3], users[4]) = (executor, bob, alice, alice, carol);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(executor, 0, Outcome.OwnRequest);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(bob, 0, Outcome.TooYoung);
        vm.expectEmit(address(agent));
        emit Settled(alice, 0, 100e18, HASH, URI);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(alice, 0, Outcome.NothingPending);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(carol, 0, Outcome.NothingPending);
        vm.prank(executor);
        agent.settleMintBatch(users, HASH, URI);
        assertEq(agent.mint(alice), 100e18);
        assertEq(reserve(), 100 * UNIT);
    }

    function test_LimitAndIlliquidityInABatchTouchNobodyElse() public {
        buy(alice, 100 * UNIT);
        buy(bob, 100 * UNIT);
        buy(carol, 100 * UNIT);
        vm.prank(alice);
        agent.requestRedeemAtLeast(100e18, 2 * UNIT);
        requestRedeem(bob, 100e18);
        requestRedeem(carol, 50e18);
        vm.expectEmit(address(agent));
        emit SettlementSkipped(alice, 1, Outcome.LimitBreached);
        vm.prank(executor);
        agent.settleRedeemBatch(list(alice, bob, carol), HASH, URI);
        assertEq(agent.balanceOf(address(agent)), 100e18);
        assertEq(agent.totalSupply(), 150e18);
        assertEq(agent.redeemBatch(list(alice, bob, carol)), 150 * UNIT);
    }

    function test_ABlacklistedUserInABatchOfClaimsStaysOwedOthersArePaid() public {
        buy(alice, 100 * UNIT);
        buy(bob, 100 * UNIT);
        requestRedeem(alice, 100e18);
        requestRedeem(bob, 100e18);
        settleRedeem(alice);
        settleRedeem(bob);
        token.setBlocked(alice, true);
        vm.expectEmit(address(agent));
        emit ClaimFailed(alice, 100 * UNIT);
        assertEq(agent.redeemBatch(list(alice, bob, carol)), 100 * UNIT);
        assertEq(token.balanceOf(bob), 100 * UNIT);
        (, uint256 owed) = agent.queryRedeemStatus(alice);
        assertEq(owed, 100 * UNIT);
        assertEq(reserve(), owed);
        token.setBlocked(alice, false);
        assertEq(agent.redeem(alice), 100 * UNIT);
    }

    function test_AGasBurningReceiverCostsABoundedAmountAndOthersArePaid() public {
        HookedToken hooked = new HookedToken();
        Birth memory b = birth();
        b.acceptToken = address(hooked);
        agent = create(b);
        Burner burner = new Burner();
        address[2] memory users = [address(burner), bob];
        for (uint256 i = 0; i < 2; ++i) {
            hooked.issue(users[i], 10 * UNIT);
            vm.startPrank(users[i]);
            hooked.approve(address(agent), 10 * UNIT);
            agent.requestMint(10 * UNIT);
            vm.stopPrank();
            settleMint(users[i]);
            agent.mint(users[i]);
            requestRedeem(users[i], 10e18);
            settleRedeem(users[i]);
        }
        vm.prank(address(burner));
        hooked.setHook(address(burner));
        assertEq(agent.redeemBatch{gas: 2_000_000}(list(address(burner), bob, carol)), 10 * UNIT);
        assertEq(hooked.balanceOf(bob), 10 * UNIT);
        // the caller's gas must not decide who is skipped
        vm.prank(address(burner));
        hooked.setHook(address(0));
        vm.expectRevert();
        agent.redeemBatch{gas: 400_000}(list(address(burner), bob, carol));
        assertEq(agent.redeem(address(burner)), 10 * UNIT);
    }

    function test_BatchesAreBounded() public {
        address[] memory many = new address[](129);
        vm.expectRevert(abi.encodeWithSelector(ListTooLong.selector, 129, 128));
        agent.mintBatch(many);
        vm.expectRevert(abi.encodeWithSelector(ListTooLong.selector, 129, 128));
        agent.redeemBatch(many);
        vm.prank(executor);
        vm.expectRevert(abi.encodeWithSelector(ListTooLong.selector, 129, 128));
        agent.settleMintBatch(many, HASH, URI);
        agent.mintBatch(new address[](128));
    }

    function test_PayClaimIsTheAgentsOwn() public {
        vm.prank(alice);
        vm.expectRevert(AgentLocked.selector);
        agent.payClaim(alice);
    }

    function test_ABatchOutsideTheCorridorSettlesNobody() public {
        vm.prank(owner);
        agent.setGuard(100, 0);
        buy(stranger, 100 * UNIT);
        requestMint(alice, 100 * UNIT);
        profit(50 * UNIT);
        vm.prank(executor);
        agent.settleMintBatch(list(alice, bob, carol), HASH, URI);
        (uint256 pending,) = agent.queryMintStatus(alice);
        assertEq(pending, 100 * UNIT);
        (,, bool halted,,) = agent.guardOf();
        assertTrue(halted);
    }
}

contract Burner is IHook {
    function onMove() external pure {
        while (true) {}
    }
}
