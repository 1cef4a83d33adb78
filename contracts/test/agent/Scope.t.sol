// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Cap, Condition, IScope, Member, Op, Policy, Rule, RuleState, Verdict} from "../../src/agent/scope/IScope.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";

/// @dev What a rule, a condition, a cap allows; each cap is probed at its limit and one above.
contract ScopeTest is AgentFixture {
    bytes4 private constant ACT = Target.act.selector;

    // --- default deny, target and selector ---

    function test_6_6_8_DefaultIsDeny() public {
        expectVerdict(Verdict.NoRule, 0, act(1, alice));
        allow(rule(address(target), ACT));
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        expectVerdict(Verdict.NoRule, 0, abi.encodeCall(Target.returns_, (1)));
        Target other = new Target();
        assertFalse(agent.isInScope(address(other), 0, act(1, alice)), "another target");
        assertFalse(agent.isInScope(address(target), 0, ""), "a plain payment needs a rule of its own");
    }

    function test_APlainRuleIsNotARuleForSelectorZero() public {
        allow(plainRule(address(target)));
        expectVerdict(Verdict.NoRule, 0, hex"00000000");
        execute(address(target), 0, "");
    }

    function test_Conditions() public {
        Rule memory r = rule(address(target), ACT);
        r.conditions = condition(32, Op.SelfIs, 0);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(1, address(agent)));
        expectVerdict(Verdict.ConditionFailed, 0, act(1, alice));
        // dirty upper bits equal nothing
        bytes memory dirty = abi.encodePacked(ACT, uint256(1), uint256(uint160(address(agent))) | (uint256(1) << 200));
        expectVerdict(Verdict.ConditionFailed, 0, dirty);

        r.conditions = condition(0, Op.Equal, 7);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(7, alice));
        expectVerdict(Verdict.ConditionFailed, 0, act(8, alice));

        r.conditions = condition(0, Op.NotEqual, 7);
        allow(r);
        expectVerdict(Verdict.ConditionFailed, 0, act(7, alice));
        expectVerdict(Verdict.Allowed, 0, act(8, alice));

        r.conditions = condition(0, Op.AtMost, 100);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(100, alice));
        expectVerdict(Verdict.ConditionFailed, 0, act(101, alice));

        r.conditions = condition(0, Op.AtLeast, 100);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(100, alice));
        expectVerdict(Verdict.ConditionFailed, 0, act(99, alice));

        r.conditions = condition(0, Op.HashIs, uint256(keccak256(abi.encode(type(uint256).max))) >> 24);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(type(uint256).max, alice));
        expectVerdict(Verdict.ConditionFailed, 0, act(type(uint256).max - 1, alice));

        r.conditions = condition(0, Op.LengthIs, 68);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        expectVerdict(Verdict.ConditionFailed, 0, abi.encodePacked(act(1, alice), uint8(0)));

        r.conditions = condition(64, Op.Equal, 0);
        allow(r);
        expectVerdict(Verdict.Malformed, 0, act(1, alice));
        r.conditions = condition(type(uint16).max, Op.Equal, 0);
        allow(r);
        expectVerdict(Verdict.Malformed, 0, act(1, alice));
        r.conditions = condition(33, Op.Equal, 0);
        allow(r);
        expectVerdict(Verdict.Malformed, 0, act(1, alice));
    }

    function test_AllConditionsMustHold() public {
        Rule memory r = rule(address(target), ACT);
        r.conditions = new Condition[](2);
        r.conditions[0] = Condition(0, Op.AtMost, 10);
        r.conditions[1] = Condition(32, Op.Equal, uint232(uint160(bob)));
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(10, bob));
        expectVerdict(Verdict.ConditionFailed, 0, act(11, bob));
        expectVerdict(Verdict.ConditionFailed, 0, act(10, alice));
    }

    function test_SetsOfSpendersAndEveryElementOfAnArray() public {
        member(9, alice);
        member(9, bob);
        Rule memory r = rule(address(target), ACT);
        r.conditions = condition(32, Op.InSet, 9);
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(1, bob));
        expectVerdict(Verdict.ConditionFailed, 0, act(1, carol));

        r = rule(address(target), Target.actMany.selector);
        r.conditions = condition(0, Op.EachInSet, 9);
        allow(r);
        address[] memory list = new address[](3);
        (list[0], list[1], list[2]) = (alice, bob, alice);
        expectVerdict(Verdict.Allowed, 0, abi.encodeCall(Target.actMany, (list)));
        list[2] = carol;
        expectVerdict(Verdict.ConditionFailed, 0, abi.encodeCall(Target.actMany, (list)));
        expectVerdict(Verdict.Allowed, 0, abi.encodeCall(Target.actMany, (new address[](0))));
        list = new address[](33);
        for (uint256 i = 0; i < 33; ++i) {
            list[i] = alice;
        }
        expectVerdict(Verdict.Malformed, 0, abi.encodeCall(Target.actMany, (list)));
        assembly {
            mstore(list, 32)
        }
        expectVerdict(Verdict.Allowed, 0, abi.encodeCall(Target.actMany, (list)));
        expectVerdict(
            Verdict.Malformed,
            0,
            abi.encodePacked(Target.actMany.selector, uint256(32), uint256(2), uint256(uint160(alice)))
        );
        expectVerdict(Verdict.Malformed, 0, abi.encodePacked(Target.actMany.selector, type(uint256).max));

        vm.prank(guardian);
        scope.removeMember(address(agent), 9, uint160(bob));
        expectVerdict(Verdict.ConditionFailed, 0, act(1, bob));
    }

    // --- money and time ---

    function test_ValueOfOneCallIsProbedAtCapAndAbove() public {
        vm.deal(address(agent), 10 ether);
        Rule memory r = rule(address(target), ACT);
        r.maxValue = 5;
        allow(r);
        expectVerdict(Verdict.Allowed, 5, act(1, alice));
        expectVerdict(Verdict.ValueTooHigh, 6, act(1, alice));
    }

    function test_NativeCapRefillsEvenly() public {
        vm.deal(address(agent), 10 ether);
        allow(rule(address(target), ACT));
        cap(address(0), 100, 1_000, type(uint256).max);
        expectVerdict(Verdict.CapExceeded, 101, act(1, alice));
        expectVerdict(Verdict.Allowed, 60, act(1, alice));
        expectVerdict(Verdict.CapExceeded, 41, act(1, alice));
        expectVerdict(Verdict.Allowed, 40, act(1, alice));
        skip(9);
        expectVerdict(Verdict.CapExceeded, 1, act(1, alice));
        skip(1);
        expectVerdict(Verdict.Allowed, 1, act(1, alice));
        skip(500);
        (, uint256 available) = scope.bucketOf(address(agent), scope.capKey(address(0)));
        assertEq(available, 50, "read back");
        expectVerdict(Verdict.CapExceeded, 51, act(1, alice));
        expectVerdict(Verdict.Allowed, 50, act(1, alice));
        skip(10_000);
        expectVerdict(Verdict.CapExceeded, 101, act(1, alice));
        expectVerdict(Verdict.Allowed, 100, act(1, alice));
    }

    function test_LifetimeCapNeverRefills() public {
        vm.deal(address(agent), 10 ether);
        allow(rule(address(target), ACT));
        cap(address(0), 100, 10, 150);
        expectVerdict(Verdict.Allowed, 100, act(1, alice));
        skip(1_000);
        expectVerdict(Verdict.LifetimeExceeded, 51, act(1, alice));
        expectVerdict(Verdict.Allowed, 50, act(1, alice));
        skip(1_000);
        expectVerdict(Verdict.LifetimeExceeded, 1, act(1, alice));
    }

    function test_ACapWithoutPeriodDoesNotRefill() public {
        vm.deal(address(agent), 1 ether);
        allow(rule(address(target), ACT));
        cap(address(0), 100, 0, type(uint256).max);
        expectVerdict(Verdict.Allowed, 100, act(1, alice));
        skip(1_000_000);
        expectVerdict(Verdict.CapExceeded, 1, act(1, alice));
    }

    function test_AcceptTokenIsCappedByConstructionOnTransferAndAllowance() public {
        buy(alice, 1_000 * UNIT);
        Rule memory r = rule(address(token), IERC20.transfer.selector);
        r.maxTokenOut = 80;
        allow(r);
        r = rule(address(target), Target.pull.selector);
        r.maxTokenOut = 70;
        allow(r);
        cap(address(token), 100, 1_000, type(uint256).max);
        bytes memory data = abi.encodeCall(IERC20.transfer, (bob, 81));
        assertFalse(agent.isInScope(address(token), 0, data));
        vm.expectRevert(
            abi.encodeWithSelector(OutOfScope.selector, token, IERC20.transfer.selector, Verdict.TokenOutTooHigh)
        );
        execute(address(token), 0, data);
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 80)));
        bytes memory pull = abi.encodeCall(Target.pull, (token, 1));
        assertFalse(agent.isInScopeWithAllowance(address(target), 0, pull, 71));
        assertFalse(agent.isInScopeWithAllowance(address(target), 0, pull, 21));
        assertTrue(agent.isInScopeWithAllowance(address(target), 0, pull, 20));
        vm.expectRevert(abi.encodeWithSelector(OutOfScope.selector, target, Target.pull.selector, Verdict.CapExceeded));
        executeWithAllowance(address(target), pull, 21);
        executeWithAllowance(address(target), pull, 20);
        assertFalse(agent.isInScope(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 1))));
    }

    function test_SpendOfAnotherAssetIsReadFromTheArguments() public {
        Rule memory r = rule(address(target), ACT);
        r.spendAsset = carol;
        r.spendOffset = 0;
        allow(r);
        cap(carol, 100, 0, type(uint256).max);
        expectVerdict(Verdict.Allowed, 0, act(0, alice));
        expectVerdict(Verdict.CapExceeded, 0, act(101, alice));
        expectVerdict(Verdict.Allowed, 0, act(99, alice));
        expectVerdict(Verdict.CapExceeded, 0, act(2, alice));
        expectVerdict(Verdict.CapExceeded, 0, act(type(uint256).max, alice));
        expectVerdict(Verdict.Malformed, 0, abi.encodePacked(ACT, uint8(1)));
    }

    function test_ValueIsChargedToTheNativeCapWhateverTheArgumentsSay() public {
        vm.deal(address(agent), 1 ether);
        Rule memory r = rule(address(target), ACT);
        allow(r);
        cap(address(0), 100, 0, type(uint256).max);
        expectVerdict(Verdict.Allowed, 100, act(type(uint256).max, alice));
        expectVerdict(Verdict.CapExceeded, 1, act(1, alice));
    }

    function test_RuleThatNamesTheAcceptTokenIsNotChargedTwice() public {
        buy(alice, 1_000 * UNIT);
        Rule memory r = rule(address(token), IERC20.transfer.selector);
        r.spendAsset = address(token);
        r.spendOffset = 32;
        allow(r);
        cap(address(token), 100, 0, type(uint256).max);
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 60)));
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 40)));
        assertFalse(agent.isInScope(address(token), 0, abi.encodeCall(IERC20.transfer, (bob, 1))));
    }

    function test_CallsOfARuleAreRateLimited() public {
        Rule memory r = rule(address(target), ACT);
        r.callLimit = 2;
        r.callPeriodSec = 100;
        allow(r);
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        expectVerdict(Verdict.CapExceeded, 0, act(1, alice));
        skip(50);
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        expectVerdict(Verdict.CapExceeded, 0, act(1, alice));
    }

    function test_ExpiryAndCodePin() public {
        Rule memory r = rule(address(target), ACT);
        r.expiresAt = uint40(block.timestamp + 2 days);
        r.codeHash = address(target).codehash;
        allow(r);
        skip(1 days - 1);
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
        bytes memory code = address(target).code;
        vm.etch(address(target), hex"00");
        expectVerdict(Verdict.CodeChanged, 0, act(1, alice));
        vm.etch(address(target), code);
        skip(1);
        expectVerdict(Verdict.Expired, 0, act(1, alice));
    }

    function test_RefusedCallsAreNotCharged() public {
        vm.deal(address(agent), 1 ether);
        allow(rule(address(target), Target.refuse.selector));
        cap(address(0), 100, 0, type(uint256).max);
        vm.expectRevert();
        execute(address(target), 0, abi.encodeCall(Target.refuse, (1, "")));
        (, uint256 available) = scope.bucketOf(address(agent), scope.capKey(address(0)));
        assertEq(available, 100);
    }

    function test_OneAgentCannotSpendOrChangeAnothers() public {
        allow(rule(address(target), ACT));
        cap(address(0), 100, 0, type(uint256).max);
        vm.prank(stranger);
        assertEq(uint256(scope.consume(address(target), 50, act(1, alice), address(token), 0)), uint256(Verdict.NoRule));
        (, uint256 available) = scope.bucketOf(address(agent), scope.capKey(address(0)));
        assertEq(available, 100);
    }

    // --- isInScope and execute agree ---

    /// @dev Any call on any of the addresses that matter, under a policy with every kind of cap: the view and the act
    ///      must say the same, and the act must leave what the view promises next.
    function testFuzz_IsInScopeAndExecuteAgree(uint256 seed) public {
        buy(alice, 1_000);
        requestMint(bob, 500);
        vm.deal(address(agent), 300);
        member(1, alice);
        Rule memory r = rule(address(target), ACT);
        r.maxValue = 60;
        r.spendAsset = carol;
        r.callLimit = 6;
        r.callPeriodSec = 600;
        r.conditions = condition(32, Op.InSet, 1);
        allow(r);
        r = rule(address(token), IERC20.transfer.selector);
        r.maxTokenOut = 400;
        r.conditions = condition(0, Op.NotEqual, uint160(carol));
        allow(r);
        allow(rule(address(token), IERC20.approve.selector));
        allow(rule(address(agent), IERC20.transfer.selector));
        allow(plainRule(alice));
        allow(rule(address(target), Target.pull.selector));
        cap(address(0), 100, 1_000, 160);
        cap(carol, 50, 1_000, 90);
        cap(address(token), 500, 2_000, type(uint256).max);
        uint256 allowed = 0;
        for (uint256 i = 0; i < 16; ++i) {
            seed = uint256(keccak256(abi.encode(seed, i)));
            skip(seed % 97);
            (address to, uint256 value, bytes memory data) = draw(seed);
            uint256 grant = (seed >> 100) % 4 == 0 ? (seed >> 104) % 700 : 0;
            bool promised =
                grant == 0 ? agent.isInScope(to, value, data) : agent.isInScopeWithAllowance(to, value, data, grant);
            vm.prank(executor);
            (bool done,) = address(agent)
                .call(
                    grant == 0
                        ? abi.encodeCall(agent.execute, (to, value, data, HASH, URI))
                        : abi.encodeCall(agent.executeWithAllowance, (to, value, data, grant, HASH, URI))
                );
            assertEq(done, promised, "isInScope and execute agree");
            if (done) ++allowed;
            assertGe(token.balanceOf(address(agent)), reserve());
        }
        if (seed % 2 == 0) vm.assume(allowed != 0);
    }

    function draw(uint256 seed) private view returns (address to, uint256 value, bytes memory data) {
        uint256 amount = (seed >> 8) % 120;
        address someone = [alice, bob, carol, address(agent)][(seed >> 16) % 4];
        uint256 kind = (seed >> 24) % 9;
        value = (seed >> 32) % 3 == 0 ? (seed >> 40) % 90 : 0;
        if (kind < 3) return (address(target), value, act(amount, alice));
        if (kind == 3) return (address(target), value, act(amount, someone));
        if (kind == 4) {
            return (
                address(token),
                value % 2,
                abi.encodeCall(IERC20.transfer, (someone == address(agent) ? bob : someone, amount * 5))
            );
        }
        if (kind == 5) return (address(token), 0, abi.encodeCall(IERC20.approve, (someone, amount)));
        if (kind == 6) return (alice, value, "");
        if (kind == 7) return (address(agent), 0, abi.encodeCall(IERC20.transfer, (someone, amount)));
        return (address(target), 0, abi.encodeCall(Target.pull, (IERC20(address(token)), 0)));
    }
}
