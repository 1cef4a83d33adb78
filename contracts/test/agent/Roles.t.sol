// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Outcome} from "../../src/agent/IAgentErrors.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth, Constitution} from "../../src/agent/Birth.sol";

/// @dev Owner, guardian, pause, fees, limits, corridor, ages.
contract RolesTest is AgentFixture {
    // --- §6.5 ---

    function test_6_5_1_AgentUriIsTheCurrentOne() public {
        assertEq(agent.agentURI(), "ipfs://agent");
        vm.expectEmit(address(agent));
        emit AgentURIUpdated("anything: well formed");
        vm.prank(owner);
        agent.setAgentURI("anything: well formed");
        assertEq(agent.agentURI(), "anything: well formed");
        vm.prank(owner);
        agent.setAgentURI("");
        assertEq(agent.agentURI(), "");
    }

    function test_6_5_4_NoSchemeIsRequired() public {
        string[5] memory uris = ["ipfs://x", "https://x", "ar://x", "data:application/json;base64,e30=", "urn:agent:7"];
        for (uint256 i = 0; i < 5; ++i) {
            vm.prank(owner);
            agent.setAgentURI(uris[i]);
            assertEq(agent.agentURI(), uris[i]);
        }
    }

    function test_6_5_2_OnlyTheOwnerSetsTheUriAndItIsBounded() public {
        vm.prank(executor);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, executor));
        agent.setAgentURI("x");
        vm.startPrank(owner);
        agent.setAgentURI(string(new bytes(8_192)));
        vm.expectRevert(abi.encodeWithSelector(TextTooLong.selector, 8_193, 8_192));
        agent.setAgentURI(string(new bytes(8_193)));
    }

    // --- §6.7 ---

    function test_6_7_1_OwnerGatesEverySetter() public {
        bytes[10] memory calls = [
            abi.encodeCall(agent.setExecutor, (alice, true)),
            abi.encodeCall(agent.setAgentURI, ("x")),
            abi.encodeCall(agent.setGuardian, (alice)),
            abi.encodeCall(agent.unpause, ()),
            abi.encodeCall(agent.setGuard, (0, 0)),
            abi.encodeCall(agent.lowerFees, (0, 0)),
            abi.encodeCall(agent.setFeeRecipient, (alice)),
            abi.encodeCall(agent.removeValuation, (alice)),
            abi.encodeCall(agent.transferOwnership, (alice)),
            abi.encodeCall(agent.renounceOwnership, ())
        ];
        address[3] memory others = [executor, guardian, stranger];
        for (uint256 i = 0; i < calls.length; ++i) {
            for (uint256 j = 0; j < 3; ++j) {
                vm.prank(others[j]);
                (bool success, bytes memory reply) = address(agent).call(calls[i]);
                assertFalse(success);
                assertEq(bytes4(reply), Ownable.OwnableUnauthorizedAccount.selector);
            }
        }
    }

    function test_6_7_2_TwoStepTransferAndEvent() public {
        vm.prank(owner);
        agent.transferOwnership(alice);
        assertEq(agent.owner(), owner, "not before it is accepted");
        assertEq(agent.pendingOwner(), alice);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, bob));
        agent.acceptOwnership();
        vm.expectEmit(address(agent));
        emit Ownable.OwnershipTransferred(owner, alice);
        vm.prank(alice);
        agent.acceptOwnership();
        assertEq(agent.owner(), alice);
    }

    function test_SetExecutorEmitsAndEnables() public {
        vm.expectEmit(address(agent));
        emit ExecutorUpdated(alice, true);
        vm.startPrank(owner);
        agent.setExecutor(alice, true);
        assertTrue(agent.isExecutor(alice));
        vm.expectEmit(address(agent));
        emit ExecutorUpdated(alice, false);
        agent.setExecutor(alice, false);
        assertFalse(agent.isExecutor(alice));
        vm.expectRevert(ZeroAddress.selector);
        agent.setExecutor(address(0), true);
    }

    function test_RenounceFreezesTheConstitutionAndNothingElse() public {
        allow(rule(address(target), Target.act.selector));
        buy(alice, 100 * UNIT);
        vm.prank(owner);
        agent.renounceOwnership();
        assertEq(agent.owner(), address(0));
        execute(address(target), 0, act(1, alice));
        requestRedeem(alice, 100e18);
        settleRedeem(alice);
        assertEq(agent.redeem(alice), 100 * UNIT);
        vm.prank(guardian);
        vm.expectRevert(OwnerIsGone.selector);
        agent.pause();
    }

    function test_RenounceIsRefusedWhileSomethingNeedsAnOwner() public {
        vm.startPrank(owner);
        agent.pause();
        vm.expectRevert(AgentPaused.selector);
        agent.renounceOwnership();
        agent.unpause();
        agent.setGuard(100, 0);
        agent.setGuardian(address(0));
        vm.expectRevert(RateNeedsConfirmer.selector);
        agent.renounceOwnership();
        agent.setGuardian(guardian);
        agent.renounceOwnership();
    }

    function test_GuardianOnlyBrakes() public {
        vm.startPrank(guardian);
        agent.pause();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, guardian));
        agent.unpause();
        agent.revokeExecutor(executor);
        assertFalse(agent.isExecutor(executor));
        vm.stopPrank();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotOwnerOrGuardian.selector, stranger));
        agent.pause();
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotOwnerOrGuardian.selector, stranger));
        agent.revokeExecutor(executor);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(NotOwnerOrGuardian.selector, stranger));
        agent.confirmRate(0, type(uint256).max);
    }

    // --- pause ---

    function test_PauseStopsDepositsSettlementAndExecutionOnly() public {
        allow(rule(address(target), Target.act.selector));
        buy(alice, 100 * UNIT);
        requestMint(alice, 10 * UNIT);
        requestRedeem(alice, 20e18);
        settleRedeem(alice);
        requestMint(bob, 10 * UNIT);
        settleMint(bob);
        vm.prank(guardian);
        agent.pause();
        assertTrue(agent.isPaused());
        fund(carol, UNIT);
        vm.prank(carol);
        vm.expectRevert(AgentPaused.selector);
        agent.requestMint(UNIT);
        vm.expectRevert(AgentPaused.selector);
        settleMint(alice);
        vm.expectRevert(AgentPaused.selector);
        settleRedeem(alice);
        vm.expectRevert(AgentPaused.selector);
        execute(address(target), 0, act(1, alice));
        assertFalse(agent.isInScope(address(target), 0, act(1, alice)), "truthful while paused");

        (uint256 pending,) = agent.queryMintStatus(alice);
        assertEq(pending, 10 * UNIT);
        assertEq(agent.exchangeRate(), UNIT);
        requestRedeem(alice, 5e18);
        assertEq(agent.redeem(alice), 20 * UNIT);
        assertEq(agent.mint(bob), 10e18);
        vm.prank(alice);
        assertTrue(agent.transfer(bob, 1));
    }

    function test_ReclaimWorksPausedWithoutExecutorAndLiquidity() public {
        allow(rule(address(token), token.transfer.selector));
        buy(alice, 100 * UNIT);
        execute(address(token), 0, abi.encodeCall(token.transfer, (stranger, 100 * UNIT)));
        requestMint(bob, 10 * UNIT);
        requestRedeem(alice, 20e18);
        vm.startPrank(owner);
        agent.pause();
        agent.setExecutor(executor, false);
        vm.stopPrank();
        skip(HORIZON);
        vm.prank(bob);
        agent.reclaim();
        assertEq(token.balanceOf(bob), 10 * UNIT);
        vm.prank(alice);
        agent.reclaim();
        assertEq(agent.balanceOf(alice), 100e18);
    }

    function test_PauseAndUnpauseRefuseRepetition() public {
        vm.startPrank(owner);
        vm.expectRevert(NotPaused.selector);
        agent.unpause();
        agent.pause();
        vm.expectRevert(AgentPaused.selector);
        agent.pause();
    }

    // --- fees ---

    function feeAgent() private {
        Birth memory b = birth();
        b.constitution.mintFeeBps = 100;
        b.constitution.redeemFeeBps = 200;
        agent = create(b);
    }

    function test_FeesAreFixedAtSettlementAndLeaveTheRateAlone() public {
        feeAgent();
        requestMint(alice, 100 * UNIT);
        settleMint(alice);
        (, uint256 claimable) = agent.queryMintStatus(alice);
        assertEq(claimable, 99e18);
        assertEq(agent.exchangeRate(), UNIT);
        vm.prank(owner);
        agent.lowerFees(0, 50);
        agent.mint(alice);
        requestRedeem(alice, 99e18);
        settleRedeem(alice);
        assertEq(agent.redeem(alice), 99 * UNIT - 495_000);
        (,, address recipient, uint256 owed) = agent.feesOf();
        assertEq(recipient, treasurer);
        assertEq(owed, UNIT + 495_000);
        assertEq(reserve(), owed, "fees are part of the reserve");
        vm.expectEmit(address(agent));
        emit FeesClaimed(treasurer, owed);
        assertEq(agent.claimFees(), owed);
        assertEq(token.balanceOf(treasurer), owed);
        vm.expectRevert(abi.encodeWithSelector(NothingOwed.selector, treasurer));
        agent.claimFees();
    }

    function test_FeesAreRoundedUpAndOnlyEverLower() public {
        feeAgent();
        requestMint(alice, 101);
        settleMint(alice);
        (,,, uint256 owed) = agent.feesOf();
        assertEq(owed, 2);
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(FeeCannotRise.selector, 101, 100));
        agent.lowerFees(101, 200);
        vm.expectRevert(abi.encodeWithSelector(FeeCannotRise.selector, 201, 200));
        agent.lowerFees(100, 201);
        agent.setFeeRecipient(alice);
        vm.expectRevert(ZeroAddress.selector);
        agent.setFeeRecipient(address(0));
        vm.expectRevert(ZeroAddress.selector);
        agent.setFeeRecipient(address(agent));
    }

    function test_ADepositThatTheFeeEatsUpIsNotSettled() public {
        feeAgent();
        requestMint(alice, 1);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, alice, Outcome.TooSmall));
        settleMint(alice);
    }

    function test_FeesAreCappedInCode() public {
        Birth memory b = birth();
        b.constitution.mintFeeBps = 501;
        vm.expectRevert(abi.encodeWithSelector(OutOfRange.selector, bytes32("mintFeeBps"), 501, 0, 500));
        factory.create(b, 0);
        b.constitution.mintFeeBps = 500;
        b.constitution.redeemFeeBps = 501;
        vm.expectRevert(abi.encodeWithSelector(OutOfRange.selector, bytes32("redeemFeeBps"), 501, 0, 500));
        factory.create(b, 0);
        b.constitution.redeemFeeBps = 500;
        b.constitution.feeRecipient = address(0);
        vm.expectRevert(ZeroAddress.selector);
        factory.create(b, 0);
    }
}
