// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Cap, Condition, IScope, Member, Op, Policy, Rule, RuleState, Verdict} from "../../src/agent/scope/IScope.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";

/// @dev Who may loosen and who may tighten a Scope, and when.
contract ScopeGovernanceTest is AgentFixture {
    bytes4 private constant ACT = Target.act.selector;

    // --- governance: §6.6.8 ---

    function onePolicy() private view returns (Policy memory p) {
        p = emptyPolicy();
        p.rules = new Rule[](1);
        p.rules[0] = rule(address(target), ACT);
    }

    function test_6_6_8_NeverByTheExecutorNorGuardianNorStranger() public {
        Policy memory p = onePolicy();
        address[3] memory others = [executor, guardian, stranger];
        for (uint256 i = 0; i < 3; ++i) {
            vm.startPrank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(IScope.NotOwner.selector, agent, others[i]));
            scope.propose(address(agent), p);
            vm.expectRevert(abi.encodeWithSelector(IScope.NotOwner.selector, agent, others[i]));
            scope.enact(address(agent), p);
            vm.stopPrank();
        }
        vm.startPrank(executor);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.removeAllRules(address(agent));
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.removeRule(address(agent), 0);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.lowerCap(address(agent), 0, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.expireRule(address(agent), 0, 1);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.removeMember(address(agent), 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotOwnerOrGuardian.selector, agent, executor));
        scope.withdraw(address(agent), 0);
    }

    function test_6_6_8_LooseningWaitsAndEmits() public {
        Policy memory p = onePolicy();
        bytes32 id = keccak256(abi.encode(p));
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotProposed.selector, agent, id));
        scope.enact(address(agent), p);
        vm.expectEmit(address(scope));
        emit IScope.PolicyProposed(address(agent), id, block.timestamp + DELAY, p);
        assertEq(scope.propose(address(agent), p), id);
        vm.expectRevert(abi.encodeWithSelector(IScope.AlreadyProposed.selector, agent, id));
        scope.propose(address(agent), p);
        skip(DELAY - 1);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotReady.selector, agent, id, block.timestamp + 1));
        scope.enact(address(agent), p);
        skip(1);
        vm.expectEmit(address(scope));
        emit IScope.PolicyApplied(address(agent), id, p);
        scope.enact(address(agent), p);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotProposed.selector, agent, id));
        scope.enact(address(agent), p);
    }

    function test_AProposalLapsesAndCanBeWithdrawn() public {
        Policy memory p = onePolicy();
        bytes32 id = keccak256(abi.encode(p));
        vm.prank(owner);
        scope.propose(address(agent), p);
        uint256 ready = block.timestamp + DELAY;
        assertEq(scope.readyAt(address(agent), id), ready);
        vm.warp(ready + 14 days + 1);
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(IScope.Lapsed.selector, agent, id, ready + 14 days));
        scope.enact(address(agent), p);
        scope.propose(address(agent), p);
        vm.stopPrank();
        vm.prank(guardian);
        scope.withdraw(address(agent), id);
        skip(DELAY);
        vm.prank(owner);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotProposed.selector, agent, id));
        scope.enact(address(agent), p);
    }

    function test_GuardianTightensAtOnce() public {
        vm.deal(address(agent), 1 ether);
        allow(rule(address(target), ACT));
        cap(address(0), 100, 10, 1_000);
        bytes32 key = scope.ruleKey(address(target), ACT, false);
        bytes32 native = scope.capKey(address(0));
        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotTighter.selector, 101, 100));
        scope.lowerCap(address(agent), native, 101, 0);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotTighter.selector, 1_001, 1_000));
        scope.lowerCap(address(agent), native, 100, 1_001);
        vm.expectRevert(abi.encodeWithSelector(IScope.NoSuchCap.selector, agent, bytes32(0)));
        scope.lowerCap(address(agent), 0, 0, 0);
        scope.lowerCap(address(agent), native, 10, 20);
        vm.stopPrank();
        expectVerdict(Verdict.CapExceeded, 11, act(1, alice));
        expectVerdict(Verdict.Allowed, 10, act(1, alice));

        vm.startPrank(guardian);
        vm.expectRevert(abi.encodeWithSelector(IScope.NotTighter.selector, 0, 0));
        scope.expireRule(address(agent), key, 0);
        scope.expireRule(address(agent), key, uint40(block.timestamp + 10));
        vm.expectRevert(abi.encodeWithSelector(IScope.NotTighter.selector, block.timestamp + 10, block.timestamp + 10));
        scope.expireRule(address(agent), key, uint40(block.timestamp + 10));
        vm.expectRevert(abi.encodeWithSelector(IScope.NoSuchRule.selector, agent, bytes32(0)));
        scope.expireRule(address(agent), 0, 1);
        vm.stopPrank();
        skip(10);
        expectVerdict(Verdict.Expired, 0, act(1, alice));

        vm.startPrank(guardian);
        vm.expectEmit(address(scope));
        emit IScope.RuleRemoved(address(agent), key, guardian);
        scope.removeRule(address(agent), key);
        vm.expectRevert(abi.encodeWithSelector(IScope.NoSuchRule.selector, agent, key));
        scope.removeRule(address(agent), key);
        vm.stopPrank();
        expectVerdict(Verdict.NoRule, 0, act(1, alice));
    }

    function test_RemovingAllRulesRefusesAllUntilAPolicyComesThroughTheDelay() public {
        allow(rule(address(target), ACT));
        allow(plainRule(alice));
        vm.expectEmit(address(scope));
        emit IScope.RulesRemoved(address(agent), 2, guardian);
        vm.prank(guardian);
        scope.removeAllRules(address(agent));
        assertEq(scope.ruleKeys(address(agent)).length, 0);
        expectVerdict(Verdict.NoRule, 0, act(1, alice));
        assertFalse(agent.isInScope(alice, 0, ""));
        allow(rule(address(target), ACT));
        assertEq(scope.ruleKeys(address(agent)).length, 1);
        expectVerdict(Verdict.Allowed, 0, act(1, alice));
    }

    function test_DelayIsChangedOnlyThroughTheDelay() public {
        Policy memory p = emptyPolicy();
        p.delaySec = 0;
        install(p);
        (uint40 delay,) = scope.configOf(address(agent));
        assertEq(delay, 0);
        p = onePolicy();
        vm.startPrank(owner);
        scope.propose(address(agent), p);
        scope.enact(address(agent), p);
        p.delaySec = 30 days + 1;
        scope.propose(address(agent), p);
        vm.expectRevert(abi.encodeWithSelector(IScope.DelayTooLong.selector, 30 days + 1, 30 days));
        scope.enact(address(agent), p);
    }

    function test_RevisionNamesTheHistory() public {
        (, bytes32 first) = scope.configOf(address(agent));
        allow(rule(address(target), ACT));
        (, bytes32 second) = scope.configOf(address(agent));
        assertNotEq(first, second);
        assertEq(second, keccak256(abi.encode(first, keccak256(abi.encode(onePolicy())))));
        vm.prank(guardian);
        scope.removeAllRules(address(agent));
        (, bytes32 third) = scope.configOf(address(agent));
        assertEq(third, keccak256(abi.encode(second, keccak256("removeAllRules"))));
    }

    function test_RulesAreEnumerableAndReadBack() public {
        Rule memory r = rule(address(target), ACT);
        r.maxValue = 5;
        r.conditions = condition(32, Op.InSet, 9);
        r.spendAsset = carol;
        r.callLimit = 3;
        allow(r);
        allow(plainRule(alice));
        bytes32[] memory keys = scope.ruleKeys(address(agent));
        assertEq(keys.length, 2);
        assertEq(keys[0], scope.ruleKey(address(target), ACT, false));
        (RuleState memory state, Condition[] memory conditions) = scope.ruleOf(address(agent), keys[0]);
        assertTrue(state.enabled && state.spends && state.counted && !state.pinned);
        assertEq(state.maxValue, 5);
        assertEq(state.spendAsset, carol);
        assertEq(conditions.length, 1);
        assertEq(conditions[0].offset, 32);
        assertEq(uint256(conditions[0].op), uint256(Op.InSet));
        assertEq(conditions[0].value, 9);
        allow(r); // setting it again is no second entry
        assertEq(scope.ruleKeys(address(agent)).length, 2);
        vm.prank(owner);
        scope.removeRule(address(agent), keys[0]);
        assertEq(scope.ruleKeys(address(agent)).length, 1);
        member(4, bob);
        assertTrue(scope.isMember(address(agent), 4, uint160(bob)));
    }

    function test_AChangedCapKeepsWhatWasUsed() public {
        vm.deal(address(agent), 1 ether);
        allow(rule(address(target), ACT));
        cap(address(0), 100, 0, type(uint256).max);
        execute(address(target), 90, act(1, alice));
        cap(address(0), 120, 0, type(uint256).max);
        expectVerdict(Verdict.CapExceeded, 31, act(1, alice));
        expectVerdict(Verdict.Allowed, 30, act(1, alice));
    }

    function test_MalformedChangesAreRefused() public {
        Policy memory p = onePolicy();
        p.rules[0].conditions = new Condition[](13);
        refusePolicy(p, abi.encodeWithSelector(IScope.TooMany.selector, 13, 12));
        p = emptyPolicy();
        p.members = new Member[](65);
        refusePolicy(p, abi.encodeWithSelector(IScope.TooMany.selector, 65, 64));
        p = emptyPolicy();
        p.rules = new Rule[](1);
        p.rules[0] = plainRule(alice);
        p.rules[0].conditions = condition(0, Op.Equal, 1);
        refusePolicy(p, abi.encodeWithSelector(IScope.PlainRuleHasArguments.selector, alice));
        p.rules[0] = rule(alice, ACT);
        p.rules[0].callPeriodSec = 5;
        refusePolicy(p, abi.encodeWithSelector(IScope.LimitWithoutBucket.selector, alice));
        p.rules = new Rule[](64);
        for (uint256 i = 0; i < 64; ++i) {
            p.rules[i] = rule(address(uint160(i + 1)), ACT);
        }
        install(p);
        refusePolicy(onePolicy(), abi.encodeWithSelector(IScope.TooMany.selector, 65, 64));
    }

    function refusePolicy(Policy memory p, bytes memory reason) private {
        vm.startPrank(owner);
        scope.propose(address(agent), p);
        skip(DELAY);
        vm.expectRevert(reason);
        scope.enact(address(agent), p);
        vm.stopPrank();
    }

    // --- the guardian can only tighten ---

    /// @dev Under a policy of every kind, any number of the guardian's acts at any time: no call that was refused becomes
    ///      allowed, and no allowance that is left grows by more than time gives back anyway.
    function testFuzz_AGuardianNeverTurnsANoIntoAYes(uint256 seed) public {
        richPolicy(seed);
        for (uint256 i = 0; i < 8; ++i) {
            seed = uint256(keccak256(abi.encode(seed, i)));
            if (seed % 5 == 0) spendSome(seed);
            Verdict[24] memory before = verdicts();
            uint256[3] memory left = allowances();
            vm.startPrank(guardian);
            tighten(seed >> 8);
            vm.stopPrank();
            Verdict[24] memory now_ = verdicts();
            uint256[3] memory leftNow = allowances();
            for (uint256 k = 0; k < before.length; ++k) {
                if (before[k] != Verdict.Allowed) assertTrue(now_[k] != Verdict.Allowed, "a no became a yes");
            }
            for (uint256 k = 0; k < left.length; ++k) {
                assertLe(leftNow[k], left[k], "an allowance grew");
            }
            skip((seed >> 200) % 300);
        }
    }

    function richPolicy(uint256 seed) private {
        Policy memory p = emptyPolicy();
        p.rules = new Rule[](3);
        p.rules[0] = rule(address(target), ACT);
        p.rules[0].conditions = condition(32, Op.InSet, 1);
        p.rules[0].callLimit = 5;
        p.rules[0].callPeriodSec = 500;
        p.rules[1] = rule(address(target), Target.pull.selector);
        p.rules[1].expiresAt = uint40(block.timestamp + DELAY + 400 + seed % 1_000);
        p.rules[2] = plainRule(alice);
        p.caps = new Cap[](2);
        p.caps[0] = Cap(address(0), 100, 1_000, 200);
        p.caps[1] = Cap(address(token), 500, 2_000, type(uint256).max);
        p.members = new Member[](2);
        p.members[0] = Member(1, uint160(alice));
        p.members[1] = Member(1, uint160(bob));
        install(p);
        vm.deal(address(agent), 1_000);
    }

    function spendSome(uint256 seed) private {
        vm.prank(executor);
        try agent.execute(alice, seed % 40, "", HASH, URI) {} catch {}
        vm.prank(executor);
        try agent.execute(address(target), 0, act(1, alice), HASH, URI) {} catch {}
    }

    function verdicts() private view returns (Verdict[24] memory list) {
        for (uint256 i = 0; i < list.length; ++i) {
            uint256 value = [uint256(0), 1, 50, 100][i % 4];
            address to = address(target);
            bytes memory data = act(i, [alice, bob, carol][(i / 4) % 3]);
            if (i >= 16) data = abi.encodeCall(Target.pull, (token, i));
            if (i >= 20) (to, data) = (alice, "");
            uint256 tokenOut = i >= 16 && i < 20 ? [uint256(0), 1, 250, 500][i % 4] : 0;
            list[i] = scope.verdict(address(agent), to, value, data, address(token), tokenOut);
        }
    }

    function allowances() private view returns (uint256[3] memory left) {
        bytes32 calls = scope.ruleKey(address(target), ACT, false);
        bytes32[3] memory keys = [scope.capKey(address(0)), scope.capKey(address(token)), calls];
        for (uint256 i = 0; i < keys.length; ++i) {
            (, left[i]) = scope.bucketOf(address(agent), keys[i]);
        }
    }

    function tighten(uint256 seed) private {
        bytes32[] memory keys = scope.ruleKeys(address(agent));
        bytes32 key = keys.length == 0 ? bytes32(0) : keys[seed % keys.length];
        uint256 kind = (seed >> 16) % 6;
        uint256 amount = (seed >> 32) % 250;
        if (kind == 0) try scope.removeRule(address(agent), key) {} catch {}
        if (kind == 1) try scope.expireRule(address(agent), key, uint40(block.timestamp + amount)) {} catch {}
        bytes32 capKey = seed % 2 == 0 ? scope.capKey(address(0)) : key;
        if (kind == 2) try scope.lowerCap(address(agent), capKey, uint128(amount), amount) {} catch {}
        if (kind == 3) try scope.lowerCap(address(agent), capKey, uint128(amount), type(uint256).max) {} catch {}
        if (kind == 4) scope.removeMember(address(agent), 1, uint160(seed % 2 == 0 ? alice : bob));
        if (kind == 5 && seed % 11 == 0) scope.removeAllRules(address(agent));
    }
}
