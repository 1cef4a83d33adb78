// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

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

    /// @dev Into snapshots/AgentGasTest.json, which is committed: a figure that changes fails the tests until it is too.
    function record(string memory name, uint256 gas) private {
        vm.snapshotValue(name, gas);
        emit log_named_uint(name, gas);
    }

    function measure(string memory name) private {
        record(name, vm.lastCallGas().gasTotalUsed);
    }

    function test_GasOfTheLifecycle() public {
        vm.prank(bob);
        token.approve(address(agent), 100 * UNIT);
        vm.prank(bob);
        agent.requestMint(100 * UNIT);
        measure("requestMint");
        vm.prank(executor);
        agent.settleMint(bob, HASH, URI);
        measure("settleMint");
        vm.prank(bob);
        agent.mint(bob);
        measure("mint claim");
        vm.prank(bob);
        agent.requestRedeem(40e18);
        measure("requestRedeem");
        vm.prank(executor);
        agent.settleRedeem(bob, HASH, URI);
        measure("settleRedeem");
        vm.prank(bob);
        agent.redeem(bob);
        measure("redeem claim");
    }

    function test_GasOfRequestMintWithUnlimitedApproval() public {
        vm.prank(bob);
        token.approve(address(agent), type(uint256).max);
        vm.prank(bob);
        agent.requestMint(100 * UNIT);
        measure("requestMint, unlimited approval");
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
        record("execute over a direct call", used - direct);
        cap(address(0), 1 ether, 1 days, type(uint256).max);
        vm.deal(address(agent), 1 ether);
        execute(address(target), 1, data);
        vm.prank(executor);
        agent.execute(address(target), 1, data, HASH, URI);
        measure("execute with value under a refilling cap, whole transaction");
    }

    /// @return settlement gas of settling one more buyer among `holders`
    /// @return claim gas of this buyer's claim
    function amongHolders(uint256 holders) private returns (uint256 settlement, uint256 claim) {
        for (uint256 i = 0; i < holders; ++i) {
            buy(address(uint160(0x20000 + i)), 10 * UNIT);
        }
        requestMint(bob, 10 * UNIT);
        settleMint(bob);
        settlement = vm.lastCallGas().gasTotalUsed;
        agent.mint(bob);
        claim = vm.lastCallGas().gasTotalUsed;
        string memory n = vm.toString(holders);
        record(string.concat("settleMint among ", n), settlement);
        record(string.concat("mint claim among ", n), claim);
    }

    function test_GasDoesNotGrowWithTheNumberOfHolders() public {
        uint256 before = vm.snapshotState();
        (uint256 settlementFew, uint256 claimFew) = amongHolders(10);
        vm.revertToState(before);
        (uint256 settlementMany, uint256 claimMany) = amongHolders(1_000);
        assertEq(settlementMany, settlementFew);
        assertEq(claimMany, claimFew);
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
        string memory n = vm.toString(size);
        record(string.concat("settleMintBatch of ", n), mints);
        record(string.concat("mintBatch of ", n), claims);
        record(string.concat("settleRedeemBatch of ", n), redeems);
        record(string.concat("redeemBatch of ", n), payments);
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
        measure("a new Agent");
        b.policy.rules = new Rule[](1);
        b.policy.rules[0] = rule(address(target), ACT);
        b.policy.rules[0].conditions = condition(32, Op.SelfIs, 0);
        factory.create(b, "two");
        measure("a new Agent with one rule");
    }
}
