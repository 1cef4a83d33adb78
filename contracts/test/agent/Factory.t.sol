// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Policy, Rule} from "../../src/agent/scope/IScope.sol";
import {IScope} from "../../src/agent/scope/IScope.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth, Constitution} from "../../src/agent/Birth.sol";
import {IAgentContract, IAgentFactory} from "../mocks/agent/IAgentContracts.sol";

contract FactoryTest is AgentFixture {
    function test_BirthSetsEverythingInOneTransaction() public {
        Birth memory b = birth();
        b.name = "Second";
        b.symbol = "SEC";
        b.constitution.mintFeeBps = 10;
        b.constitution.redeemFeeBps = 20;
        b.constitution.minRequestAgeSec = 60;
        b.constitution.corridorBpsPerDay = 300;
        b.policy.rules = new Rule[](1);
        b.policy.rules[0] = rule(address(target), Target.act.selector);
        address predicted = factory.predict(b, "salt");
        vm.expectEmit(address(factory));
        emit IAgentFactory.AgentCreated(predicted, owner, address(token), UNIT, false, HORIZON, "Second", "SEC");
        vm.prank(stranger);
        address created = factory.create(b, "salt");
        assertEq(created, predicted, "known before birth, whoever sends it");
        agent = IAgentContract(payable(created));
        assertEq(agent.name(), "Second");
        assertEq(agent.symbol(), "SEC");
        assertEq(agent.decimals(), 18);
        assertEq(agent.owner(), owner);
        assertEq(agent.guardian(), guardian);
        assertTrue(agent.isExecutor(executor));
        assertEq(agent.agentURI(), "ipfs://agent");
        assertEq(agent.exchangeRate(), UNIT);
        assertFalse(agent.isFixedPrice());
        assertEq(agent.reclaimHorizon(), HORIZON);
        (uint32 bps, uint24 age,,,) = agent.guardOf();
        assertEq(bps, 300);
        assertEq(age, 60);
        (uint16 mintFee, uint16 redeemFee,,) = agent.feesOf();
        assertEq(mintFee, 10);
        assertEq(redeemFee, 20);
        (uint40 delay,) = scope.configOf(created);
        assertEq(delay, DELAY);
        assertTrue(agent.isInScope(address(target), 0, act(1, alice)), "the first policy is in effect at once");
    }

    function test_TheAddressCommitsToTheWholeBirth() public {
        Birth memory b = birth();
        address first = factory.predict(b, 0);
        assertEq(first, address(agent));
        b.constitution.owner = stranger;
        assertNotEq(factory.predict(b, 0), first);
        b = birth();
        b.policy.delaySec = 0;
        assertNotEq(factory.predict(b, 0), first);
        assertNotEq(factory.predict(birth(), "other"), first);
        vm.expectRevert();
        factory.create(birth(), 0);
    }

    function test_NobodyInitializesTwiceNorTheImplementation() public {
        Constitution memory c = birth().constitution;
        vm.expectRevert(abi.encodeWithSelector(NotFactory.selector, address(this), factory));
        agent.initialize(c);
        IAgentContract implementation = IAgentContract(payable(factory.IMPLEMENTATION()));
        vm.expectRevert(abi.encodeWithSelector(NotFactory.selector, address(this), factory));
        implementation.initialize(c);
        assertEq(implementation.owner(), address(0xdead));
        vm.expectRevert(abi.encodeWithSelector(IScope.NotFactory.selector, address(this)));
        scope.open(address(agent), birth().policy);
    }

    function test_AbsurdBirthsAreRefused() public {
        Birth memory b = birth();
        b.initialRate = 0;
        vm.expectRevert(abi.encodeWithSelector(OutOfRange.selector, bytes32("initialRate"), 0, 1, 1e30));
        factory.create(b, 0);
        b.initialRate = 1e30 + 1;
        vm.expectRevert(abi.encodeWithSelector(OutOfRange.selector, bytes32("initialRate"), 1e30 + 1, 1, 1e30));
        factory.create(b, 0);
        b = birth();
        b.acceptToken = alice;
        vm.expectRevert();
        factory.create(b, 0);
        b = birth();
        b.reclaimHorizonSec = 3_599;
        vm.expectRevert(
            abi.encodeWithSelector(OutOfRange.selector, bytes32("reclaimHorizonSec"), 3_599, 1 hours, 365 days)
        );
        factory.create(b, 0);
        b.reclaimHorizonSec = 365 days + 1;
        vm.expectRevert();
        factory.create(b, 0);
        b = birth();
        b.constitution.owner = address(0);
        vm.expectRevert(ZeroAddress.selector);
        factory.create(b, 0);
        b = birth();
        b.constitution.executors = new address[](17);
        vm.expectRevert(abi.encodeWithSelector(ListTooLong.selector, 17, 16));
        factory.create(b, 0);
        b = birth();
        b.name = string(new bytes(65));
        vm.expectRevert(abi.encodeWithSelector(TextTooLong.selector, 65, 64));
        factory.create(b, 0);
        b = birth();
        b.symbol = string(new bytes(17));
        vm.expectRevert(abi.encodeWithSelector(TextTooLong.selector, 17, 16));
        factory.create(b, 0);
        b = birth();
        b.policy.delaySec = 30 days + 1;
        vm.expectRevert(abi.encodeWithSelector(IScope.DelayTooLong.selector, 30 days + 1, 30 days));
        factory.create(b, 0);
    }

    function test_EmptyNameAndLongestTextsAreReadBack() public {
        Birth memory b = birth();
        b.name = "";
        b.symbol = "";
        agent = create(b);
        assertEq(agent.name(), "");
        assertEq(agent.symbol(), "");
        b.name = "0123456789012345678901234567890123456789012345678901234567890123";
        b.symbol = "0123456789012345";
        agent = create(b);
        assertEq(agent.name(), b.name);
        assertEq(agent.symbol(), b.symbol);
    }
}
