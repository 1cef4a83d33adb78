// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {IAgentErrors, Outcome} from "../../src/agent/IAgentErrors.sol";
import {IAgentEvents} from "../../src/agent/IAgentEvents.sol";
import {IAgentOwnEvents} from "../../src/agent/IAgentOwnEvents.sol";
import {Cap, Condition, Member, Op, Policy, Rule, Verdict} from "../../src/agent/scope/IScope.sol";
import {AcceptToken} from "../mocks/agent/Tokens.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {Birth, Constitution} from "../../src/agent/Birth.sol";
import {IAgentContract, IAgentFactory, IScopeContract} from "../mocks/agent/IAgentContracts.sol";

/// @dev A factory, a six-decimals Accept Token, people with money, and an Agent on demand.
abstract contract AgentFixture is Test, IAgentEvents, IAgentOwnEvents, IAgentErrors {
    uint256 internal constant UNIT = 1e6;
    uint32 internal constant HORIZON = 3 days;
    uint40 internal constant DELAY = 1 days;
    bytes32 internal constant HASH = keccak256("reason");
    string internal constant URI = "ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy";

    address internal owner = makeAddr("owner");
    address internal guardian = makeAddr("guardian");
    address internal executor = makeAddr("executor");
    address internal treasurer = makeAddr("treasurer");
    address internal alice = makeAddr("alice");
    address internal bob = makeAddr("bob");
    address internal carol = makeAddr("carol");
    address internal stranger = makeAddr("stranger");

    IAgentFactory internal factory;
    IScopeContract internal scope;
    AcceptToken internal token;
    IAgentContract internal agent;
    Target internal target;

    function setUp() public virtual {
        vm.warp(1_800_000_000);
        vm.roll(1_000);
        factory = IAgentFactory(deployCode("AgentFactory.sol:AgentFactory"));
        scope = IScopeContract(address(factory.SCOPE()));
        token = new AcceptToken(6);
        target = new Target();
        agent = create(birth());
    }

    function birth() internal view returns (Birth memory b) {
        b.acceptToken = address(token);
        b.initialRate = uint128(UNIT);
        b.reclaimHorizonSec = HORIZON;
        b.name = "Agent Share";
        b.symbol = "AGNT";
        b.constitution.owner = owner;
        b.constitution.guardian = guardian;
        b.constitution.feeRecipient = treasurer;
        b.constitution.executors = new address[](1);
        b.constitution.executors[0] = executor;
        b.constitution.agentURI = "ipfs://agent";
        b.policy.delaySec = DELAY;
    }

    function create(Birth memory b) internal returns (IAgentContract) {
        return IAgentContract(payable(factory.create(b, 0)));
    }

    // --- money ---

    function fund(address user, uint256 amount) internal {
        token.issue(user, amount);
        vm.prank(user);
        token.approve(address(agent), amount);
    }

    function requestMint(address user, uint256 amount) internal {
        fund(user, amount);
        vm.prank(user);
        agent.requestMint(amount);
    }

    function requestRedeem(address user, uint256 shares) internal {
        vm.prank(user);
        agent.requestRedeem(shares);
    }

    function settleMint(address user) internal {
        vm.prank(executor);
        agent.settleMint(user, HASH, URI);
    }

    function settleRedeem(address user) internal {
        vm.prank(executor);
        agent.settleRedeem(user, HASH, URI);
    }

    function buy(address user, uint256 amount) internal returns (uint256 shares) {
        requestMint(user, amount);
        settleMint(user);
        return agent.mint(user);
    }

    function profit(uint256 amount) internal {
        token.issue(address(agent), amount);
    }

    function reserve() internal view returns (uint256 r) {
        (, r,,,) = agent.books();
    }

    // --- scope ---

    function emptyPolicy() internal pure returns (Policy memory p) {
        p.delaySec = type(uint40).max;
    }

    function rule(address to, bytes4 selector) internal pure returns (Rule memory r) {
        r.target = to;
        r.selector = selector;
        r.maxValue = type(uint128).max;
        r.maxTokenOut = type(uint256).max;
    }

    function plainRule(address to) internal pure returns (Rule memory r) {
        r = rule(to, 0);
        r.plain = true;
    }

    function condition(uint16 offset, Op op, uint256 value) internal pure returns (Condition[] memory list) {
        list = new Condition[](1);
        list[0] = Condition(offset, op, uint232(value));
    }

    function allow(Rule memory r) internal {
        Policy memory p = emptyPolicy();
        p.rules = new Rule[](1);
        p.rules[0] = r;
        install(p);
    }

    function cap(address asset, uint128 limit, uint40 period, uint256 lifetime) internal {
        Policy memory p = emptyPolicy();
        p.caps = new Cap[](1);
        p.caps[0] = Cap(asset, limit, period, lifetime);
        install(p);
    }

    function member(uint232 set, address account) internal {
        Policy memory p = emptyPolicy();
        p.members = new Member[](1);
        p.members[0] = Member(set, uint160(account));
        install(p);
    }

    /// @dev Propose, wait, apply: moves the clock by the delay.
    function install(Policy memory p) internal {
        vm.startPrank(owner);
        scope.propose(address(agent), p);
        (uint40 delay,) = scope.configOf(address(agent));
        skip(delay);
        scope.enact(address(agent), p);
        vm.stopPrank();
    }

    function execute(address to, uint256 value, bytes memory data) internal returns (bytes memory) {
        vm.prank(executor);
        return agent.execute(to, value, data, HASH, URI);
    }

    function executeWithAllowance(address to, bytes memory data, uint256 amount) internal returns (bytes memory) {
        vm.prank(executor);
        return agent.executeWithAllowance(to, 0, data, amount, HASH, URI);
    }

    function act(uint256 a, address b) internal pure returns (bytes memory) {
        return abi.encodeCall(Target.act, (a, b));
    }

    function expectVerdict(Verdict expected, uint256 value, bytes memory data) internal {
        if (expected == Verdict.Allowed) {
            assertTrue(agent.isInScope(address(target), value, data));
            execute(address(target), value, data);
        } else {
            assertFalse(agent.isInScope(address(target), value, data));
            vm.expectRevert(abi.encodeWithSelector(OutOfScope.selector, target, bytes4(data), expected));
            execute(address(target), value, data);
        }
    }
}
