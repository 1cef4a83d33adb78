// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAgent} from "../../src/agent/IAgent.sol";
import {Op, Rule, Verdict} from "../../src/agent/scope/IScope.sol";
import {Target, Reenterer} from "../mocks/agent/Targets.sol";
import {SilentToken} from "../mocks/agent/Tokens.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth} from "../../src/agent/Birth.sol";

contract ExecuteTest is AgentFixture {
    // --- §6.6 ---

    function test_6_6_1_ExecuteRevertsForEveryoneButAnEnabledExecutor() public {
        allow(rule(address(target), Target.act.selector));
        address[3] memory others = [owner, guardian, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            vm.startPrank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.execute(address(target), 0, act(1, alice), HASH, URI);
            vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, others[i]));
            agent.executeWithAllowance(address(target), 0, act(1, alice), 1, HASH, URI);
            vm.stopPrank();
        }
        execute(address(target), 0, act(1, alice));
        vm.prank(owner);
        agent.setExecutor(executor, false);
        vm.expectRevert(abi.encodeWithSelector(NotExecutor.selector, executor));
        execute(address(target), 0, act(1, alice));
    }

    function test_6_6_2_DispatchIsACallNotADelegateCall() public {
        allow(rule(address(target), Target.act.selector));
        execute(address(target), 0, act(1, alice));
        assertEq(target.caller(), address(agent));
        assertEq(target.count(), 1, "the target's storage changed, not the Agent's");
    }

    function test_6_6_3_RevertDataIsBubbledUnchanged() public {
        allow(rule(address(target), Target.refuse.selector));
        bytes memory payload = new bytes(9_001);
        payload[9_000] = 0x77;
        vm.expectRevert(abi.encodeWithSelector(Target.Refused.selector, 7, payload));
        execute(address(target), 0, abi.encodeCall(Target.refuse, (7, payload)));
    }

    function test_6_6_4_ValueComesFromTheAgentAndExecuteIsNotPayable() public {
        allow(rule(address(target), Target.act.selector));
        vm.deal(address(agent), 1 ether);
        execute(address(target), 1 ether, act(1, alice));
        assertEq(target.value(), 1 ether);
        vm.deal(executor, 1);
        vm.prank(executor);
        (bool success,) = address(agent).call{value: 1}(
            abi.encodeCall(IAgent.execute, (address(target), 0, act(1, alice), HASH, URI))
        );
        assertFalse(success);
    }

    function test_6_6_6_ExecutedCarriesSelectorReplyAndReasoning() public {
        allow(rule(address(target), Target.act.selector));
        vm.expectEmit(address(agent));
        emit Executed(executor, address(target), 0, Target.act.selector, abi.encode(5, alice), HASH, URI);
        assertEq(execute(address(target), 0, act(5, alice)), abi.encode(5, alice));
    }

    function test_6_6_6_SelectorIsZeroForAPlainPayment() public {
        allow(plainRule(alice));
        vm.deal(address(agent), 3);
        vm.expectEmit(address(agent));
        emit Executed(executor, alice, 3, 0, "", HASH, URI);
        execute(alice, 3, "");
        assertEq(alice.balance, 3);
    }

    function test_6_6_7_OutsideTheScopeReverts() public {
        assertFalse(agent.isInScope(address(target), 0, act(1, alice)));
        vm.expectRevert(abi.encodeWithSelector(OutOfScope.selector, target, Target.act.selector, Verdict.NoRule));
        execute(address(target), 0, act(1, alice));
        allow(rule(address(target), Target.act.selector));
        assertTrue(agent.isInScope(address(target), 0, act(1, alice)));
        execute(address(target), 0, act(1, alice));
        assertFalse(agent.isInScope(address(target), 0, abi.encodeCall(Target.returns_, (1))));
    }

    // --- refused by construction ---

    function test_RefusedByConstructionWhateverTheScopeSays() public {
        address[4] memory never =
            [address(agent), address(scope), address(factory), 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24];
        vm.etch(never[3], hex"00");
        for (uint256 i = 0; i < 4; ++i) {
            allow(rule(never[i], 0x12345678));
            allow(plainRule(never[i]));
            refused(never[i], 0, hex"12345678");
            refused(never[i], 0, "");
        }
        allow(rule(address(agent), IERC20.transfer.selector));
        refused(address(agent), 0, abi.encodeCall(IERC20.transfer, (alice, 1)));
        allow(rule(address(agent), IAgent.setExecutor.selector));
        refused(address(agent), 0, abi.encodeCall(IAgent.setExecutor, (alice, true)));
    }

    function test_AcceptTokenIsATargetForTransferOnly() public {
        buy(alice, 100 * UNIT);
        bytes4[8] memory family = [
            IERC20.approve.selector,
            bytes4(keccak256("increaseAllowance(address,uint256)")),
            bytes4(keccak256("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)")),
            bytes4(keccak256("setApprovalForAll(address,bool)")),
            bytes4(keccak256("authorizeOperator(address)")),
            bytes4(keccak256("transferAndCall(address,uint256,bytes)")),
            IERC20.transferFrom.selector,
            bytes4(keccak256("approveAndCall(address,uint256)"))
        ];
        for (uint256 i = 0; i < family.length; ++i) {
            allow(rule(address(token), family[i]));
            refused(address(token), 0, abi.encodeWithSelector(family[i], bob, 1));
            refused(address(token), 0, abi.encodeWithSelector(family[i], bob, 1, alice));
        }
        allow(rule(address(token), IERC20.transfer.selector));
        allow(plainRule(address(token)));
        refused(address(token), 0, "");
        refused(address(token), 0, abi.encodePacked(abi.encodeCall(IERC20.transfer, (bob, 1)), uint8(0)));
        refused(address(token), 0, abi.encodeWithSelector(IERC20.transfer.selector, bob));
        vm.deal(address(agent), 1);
        refused(address(token), 1, abi.encodeCall(IERC20.transfer, (bob, 1)));
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 1)));
        assertEq(token.balanceOf(bob), 1);
    }

    function test_TheReserveIsOutOfReachOfTransfers() public {
        allow(rule(address(token), IERC20.transfer.selector));
        buy(alice, 100 * UNIT);
        requestRedeem(alice, 30e18);
        settleRedeem(alice);
        requestMint(bob, 50 * UNIT);
        assertEq(reserve(), 80 * UNIT);
        refused(address(token), 0, abi.encodeCall(IERC20.transfer, (stranger, 70 * UNIT + 1)));
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (stranger, 70 * UNIT)));
        refused(address(token), 0, abi.encodeCall(IERC20.transfer, (stranger, 1)));
        assertEq(agent.redeem(alice), 30 * UNIT);
    }

    function test_NoCodeIsRefusedUnlessAPlainPayment() public {
        allow(rule(alice, 0x12345678));
        refused(alice, 0, hex"12345678");
        vm.deal(address(agent), 1);
        vm.expectRevert(abi.encodeWithSelector(OutOfScope.selector, alice, bytes4(0), Verdict.NoRule));
        execute(alice, 1, "");
        allow(plainRule(alice));
        execute(alice, 1, "");
    }

    function test_OneToThreeBytesAreNoSelector() public {
        allow(rule(address(target), 0));
        allow(plainRule(address(target)));
        refused(address(target), 0, hex"01");
        refused(address(target), 0, hex"010203");
    }

    function test_MoreNativeThanHeldIsRefused() public {
        allow(plainRule(alice));
        vm.deal(address(agent), 5);
        refused(alice, 6, "");
        assertTrue(agent.isInScope(alice, 5, ""));
    }

    function test_ReplyIsBounded() public {
        allow(rule(address(target), Target.returnRaw.selector));
        assertEq(execute(address(target), 0, abi.encodeCall(Target.returnRaw, (4_096))).length, 4_096);
        vm.expectRevert(abi.encodeWithSelector(ReturnTooLarge.selector, 4_097, 4_096));
        execute(address(target), 0, abi.encodeCall(Target.returnRaw, (4_097)));
        assertEq(execute(address(target), 0, abi.encodeCall(Target.returnRaw, (33))).length, 33);
    }

    // --- allowances ---

    function test_AllowanceIsExactPulledAndResetInTheSameCall() public {
        buy(alice, 100 * UNIT);
        allow(rule(address(target), Target.pull.selector));
        vm.expectEmit(address(agent));
        emit Reasoned(executor, agent.executeWithAllowance.selector, HASH, URI);
        executeWithAllowance(address(target), abi.encodeCall(Target.pull, (token, 40 * UNIT)), 60 * UNIT);
        assertEq(token.balanceOf(address(target)), 40 * UNIT);
        assertEq(token.allowance(address(agent), address(target)), 0);
        vm.expectRevert();
        executeWithAllowance(address(target), abi.encodeCall(Target.pull, (token, 21 * UNIT)), 20 * UNIT);
        vm.expectRevert();
        execute(address(target), 0, abi.encodeCall(Target.pull, (token, 1)));
    }

    function test_AllowanceNeverReachesTheReserve() public {
        buy(alice, 10 * UNIT);
        requestMint(bob, 90 * UNIT);
        allow(rule(address(target), Target.pull.selector));
        bytes memory data = abi.encodeCall(Target.pull, (token, 10 * UNIT + 1));
        assertFalse(agent.isInScopeWithAllowance(address(target), 0, data, 10 * UNIT + 1));
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, target, Target.pull.selector));
        executeWithAllowance(address(target), data, 10 * UNIT + 1);
        data = abi.encodeCall(Target.pull, (token, 10 * UNIT));
        executeWithAllowance(address(target), data, 10 * UNIT);
        assertEq(token.balanceOf(address(agent)), reserve());
    }

    function test_AllowanceIsRefusedForTheTokenForPaymentsAndForZero() public {
        buy(alice, 10 * UNIT);
        allow(rule(address(token), IERC20.transfer.selector));
        allow(plainRule(address(target)));
        bytes memory data = abi.encodeCall(IERC20.transfer, (bob, 1));
        assertFalse(agent.isInScopeWithAllowance(address(token), 0, data, 1));
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, token, IERC20.transfer.selector));
        executeWithAllowance(address(token), data, 1);
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, target, bytes4(0)));
        executeWithAllowance(address(target), "", 1);
        vm.expectRevert(ZeroAmount.selector);
        executeWithAllowance(address(target), act(1, bob), 0);
        assertFalse(agent.isInScopeWithAllowance(address(target), 0, act(1, bob), 0));
    }

    function test_AllowanceWorksWithATokenThatReturnsNothing() public {
        SilentToken silent = new SilentToken();
        Birth memory b = birth();
        b.acceptToken = address(silent);
        agent = create(b);
        silent.issue(alice, 10 * UNIT);
        vm.startPrank(alice);
        silent.approve(address(agent), 10 * UNIT);
        agent.requestMint(10 * UNIT);
        vm.stopPrank();
        settleMint(alice);
        agent.mint(alice);
        allow(rule(address(target), Target.pullFrom.selector));
        vm.mockCall(address(target), abi.encodeWithSelector(Target.pullFrom.selector), "");
        executeWithAllowance(
            address(target), abi.encodeCall(Target.pullFrom, (IERC20(address(silent)), address(agent), 1)), 5
        );
        executeWithAllowance(
            address(target), abi.encodeCall(Target.pullFrom, (IERC20(address(silent)), address(agent), 1)), 6
        );
        assertEq(silent.allowance(address(agent), address(target)), 0);
        requestRedeem(alice, 10e18);
        settleRedeem(alice);
        address[] memory users = new address[](1);
        users[0] = alice;
        assertEq(agent.redeemBatch(users), 10 * UNIT);
        assertEq(silent.balanceOf(alice), 10 * UNIT);
    }

    // --- §6.8 ---

    function test_6_8_1_EveryMutatingEntryPointIsLockedDuringExecute() public {
        Reenterer evil = new Reenterer(agent);
        allow(rule(address(evil), Reenterer.run.selector));
        vm.startPrank(owner);
        agent.setExecutor(address(evil), true);
        vm.stopPrank();
        requestMint(alice, UNIT);
        address[] memory one = new address[](1);
        one[0] = alice;
        bytes[20] memory attempts = [
            abi.encodeCall(agent.requestMint, (1)),
            abi.encodeCall(agent.requestMintAtMost, (1, 1)),
            abi.encodeCall(agent.requestRedeem, (1)),
            abi.encodeCall(agent.requestRedeemAtLeast, (1, 1)),
            abi.encodeCall(agent.setLimit, (0, 1)),
            abi.encodeCall(agent.mint, (alice)),
            abi.encodeCall(agent.redeem, (alice)),
            abi.encodeCall(agent.mintBatch, (one)),
            abi.encodeCall(agent.redeemBatch, (one)),
            abi.encodeCall(agent.claimFees, ()),
            abi.encodeCall(agent.reclaim, ()),
            abi.encodeCall(agent.reclaimShares, ()),
            abi.encodeCall(agent.settleMint, (alice, HASH, URI)),
            abi.encodeCall(agent.settleRedeem, (alice, HASH, URI)),
            abi.encodeCall(agent.settleMintBatch, (one, HASH, URI)),
            abi.encodeCall(agent.settleRedeemBatch, (one, HASH, URI)),
            abi.encodeCall(agent.decline, (alice, 0, HASH, URI)),
            abi.encodeCall(agent.execute, (address(target), 0, "", HASH, URI)),
            abi.encodeCall(agent.executeWithAllowance, (address(target), 0, "", 1, HASH, URI)),
            abi.encodeCall(agent.acceptOwnership, ())
        ];
        for (uint256 i = 0; i < attempts.length; ++i) {
            evil.arm(attempts[i]);
            execute(address(evil), 0, abi.encodeCall(Reenterer.run, ()));
            assertTrue(evil.tried());
            assertFalse(evil.succeeded());
            assertEq(bytes4(evil.reply()), AgentLocked.selector);
        }
        evil.arm(abi.encodeCall(agent.payClaim, (alice)));
        execute(address(evil), 0, abi.encodeCall(Reenterer.run, ()));
        assertFalse(evil.succeeded());
    }

    function test_6_8_1_AdminSettersAreLockedDuringExecute() public {
        Reenterer evil = new Reenterer(agent);
        allow(rule(address(evil), Reenterer.run.selector));
        vm.prank(owner);
        agent.transferOwnership(address(evil));
        vm.prank(address(evil));
        agent.acceptOwnership();
        bytes[13] memory attempts = [
            abi.encodeCall(agent.setExecutor, (alice, true)),
            abi.encodeCall(agent.setAgentURI, ("x")),
            abi.encodeCall(agent.setGuardian, (alice)),
            abi.encodeCall(agent.pause, ()),
            abi.encodeCall(agent.unpause, ()),
            abi.encodeCall(agent.revokeExecutor, (executor)),
            abi.encodeCall(agent.setGuard, (0, 0)),
            abi.encodeCall(agent.confirmRate, (0, type(uint256).max)),
            abi.encodeCall(agent.lowerFees, (0, 0)),
            abi.encodeCall(agent.setFeeRecipient, (alice)),
            abi.encodeCall(agent.removeValuation, (alice)),
            abi.encodeCall(agent.transferOwnership, (alice)),
            abi.encodeCall(agent.renounceOwnership, ())
        ];
        for (uint256 i = 0; i < attempts.length; ++i) {
            evil.arm(attempts[i]);
            execute(address(evil), 0, abi.encodeCall(Reenterer.run, ()));
            assertFalse(evil.succeeded());
            assertEq(bytes4(evil.reply()), AgentLocked.selector);
        }
    }

    function test_6_8_2_ATargetSeesTheRateBeforeTheCallNeverAMix() public {
        buy(alice, 100 * UNIT);
        profit(33 * UNIT);
        uint256 before = agent.exchangeRate();
        Seer seer = new Seer();
        allow(rule(address(seer), Seer.pullAndLook.selector));
        executeWithAllowance(
            address(seer), abi.encodeCall(Seer.pullAndLook, (agent, IERC20(address(token)), 60 * UNIT)), 60 * UNIT
        );
        assertEq(seer.rate(), before, "state before");
        assertLt(agent.exchangeRate(), before, "state after");
    }

    function refused(address to, uint256 value, bytes memory data) private {
        assertFalse(agent.isInScope(to, value, data), "isInScope must be false too");
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data);
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, to, selector));
        execute(to, value, data);
    }
}

contract Seer {
    uint256 public rate;

    function pullAndLook(IAgent agent, IERC20 token, uint256 amount) external {
        token.transferFrom(address(agent), address(this), amount);
        rate = agent.exchangeRate();
    }
}
