// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Vm} from "forge-std/Vm.sol";
import {Condition, Op, Policy, Rule} from "../../src/agent/scope/IScope.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {AcceptToken} from "../mocks/agent/Tokens.sol";
import {Target} from "../mocks/agent/Targets.sol";
import {Birth} from "../../src/agent/Birth.sol";

/// @dev Gas of whole transactions, as receipts would show: run with `--isolate`, where each call is a transaction of its
///      own (intrinsic gas, cold accounts and slots, refunds). Second user, 66-character URI, books (not fixed price).
///      The figures go to docs/agent-equity.md.
/// forge-config: default.isolate = true
contract AgentGasTest is AgentFixture {
    bytes4 private constant ACT = Target.act.selector;

    function setUp() public override {
        super.setUp();
        token = AcceptToken(deployCode("BareToken.sol:BareToken"));
        agent = create(birth());
        buy(alice, 1_000 * UNIT);
        requestRedeem(alice, 10e18);
        token.issue(bob, 1_000 * UNIT);
    }

    /// @dev The ceiling is the figure of the document, rounded up: what grows beyond it is to be explained there.
    function measure(string memory name, uint256 ceiling) private {
        Vm.Gas memory gas = vm.lastCallGas();
        emit log_named_uint(name, gas.gasTotalUsed);
        assertLe(gas.gasTotalUsed, ceiling, name);
    }

    function test_GasOfTheLifecycle() public {
        vm.prank(bob);
        token.approve(address(agent), 100 * UNIT);
        vm.prank(bob);
        agent.requestMint(100 * UNIT);
        measure("requestMint", 74_000);
        vm.prank(executor);
        agent.settleMint(bob, HASH, URI);
        measure("settleMint", 65_000);
        vm.prank(bob);
        agent.mint(bob);
        measure("mint claim", 59_500);
        vm.prank(bob);
        agent.requestRedeem(40e18);
        measure("requestRedeem", 63_500);
        vm.prank(executor);
        agent.settleRedeem(bob, HASH, URI);
        measure("settleRedeem", 72_000);
        vm.prank(bob);
        agent.redeem(bob);
        measure("redeem claim", 51_000);
    }

    function test_GasOfRequestMintWithUnlimitedApproval() public {
        vm.prank(bob);
        token.approve(address(agent), type(uint256).max);
        vm.prank(bob);
        agent.requestMint(100 * UNIT);
        measure("requestMint, unlimited approval", 76_000);
    }

    function test_GasOfExecuteOverADirectCall() public {
        Rule memory r = rule(address(target), ACT);
        r.conditions = condition(32, Op.SelfIs, 0);
        allow(r);
        bytes memory data = act(1, address(agent));
        execute(address(target), 0, data);
        vm.prank(executor);
        target.act(2, address(agent));
        uint256 direct = vm.lastCallGas().gasTotalUsed;
        vm.prank(executor);
        agent.execute(address(target), 0, act(3, address(agent)), HASH, URI);
        uint256 used = vm.lastCallGas().gasTotalUsed;
        emit log_named_uint("execute over a direct call", used - direct);
        assertLe(used - direct, 41_000);
        cap(address(0), 1 ether, 1 days, type(uint256).max);
        vm.deal(address(agent), 1 ether);
        execute(address(target), 1, data);
        vm.prank(executor);
        agent.execute(address(target), 1, data, HASH, URI);
        measure("execute with value under a refilling cap, whole transaction", 103_000);
    }

    function batchOf(uint256 size) private {
        address[] memory users = new address[](size);
        for (uint256 i = 0; i < size; ++i) {
            users[i] = address(uint160(0x10000 + i));
            requestMint(users[i], 10 * UNIT);
        }
        vm.prank(executor);
        agent.settleMintBatch(users, HASH, URI);
        uint256 mints = vm.lastCallGas().gasTotalUsed;
        agent.mintBatch(users);
        uint256 claims = vm.lastCallGas().gasTotalUsed;
        for (uint256 i = 0; i < size; ++i) {
            requestRedeem(users[i], 5e18);
        }
        vm.prank(executor);
        agent.settleRedeemBatch(users, HASH, URI);
        uint256 redeems = vm.lastCallGas().gasTotalUsed;
        agent.redeemBatch(users);
        uint256 payments = vm.lastCallGas().gasTotalUsed;
        assertLe(mints / size, 71_000 - 55_000 * (size > 1 ? 1 : 0) + 55_000 / size, "cost of one more");
        string memory n = vm.toString(size);
        emit log_named_uint(string.concat("settleMintBatch of ", n), mints);
        emit log_named_uint(string.concat("mintBatch of ", n), claims);
        emit log_named_uint(string.concat("settleRedeemBatch of ", n), redeems);
        emit log_named_uint(string.concat("redeemBatch of ", n), payments);
    }

    function test_GasOfABatchOf1() public {
        batchOf(1);
    }

    function test_GasOfABatchOf10() public {
        batchOf(10);
    }

    function test_GasOfABatchOf100() public {
        batchOf(100);
    }

    function test_GasOfABirth() public {
        Birth memory b = birth();
        b.constitution.agentURI = URI;
        factory.create(b, "one");
        measure("a new Agent", 340_000);
        b.policy.rules = new Rule[](1);
        b.policy.rules[0] = rule(address(target), ACT);
        b.policy.rules[0].conditions = condition(32, Op.SelfIs, 0);
        factory.create(b, "two");
        measure("a new Agent with one rule", 500_000);
    }
}
