// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Corridor} from "../../src/agent/Corridor.sol";
import {AcceptToken} from "../mocks/agent/Tokens.sol";
import {Reenterer, StubValuation, Vault4626} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {IAttestedValuation, IErc4626Valuation} from "../mocks/agent/IAgentContracts.sol";

contract ValuationTest is AgentFixture {
    Vault4626 private vault;
    IErc4626Valuation private position;
    IAttestedValuation private attested;
    address private proposer = makeAddr("proposer");
    address private accepter = makeAddr("accepter");
    bytes32 private constant EVIDENCE = keccak256("evidence");

    function setUp() public override {
        super.setUp();
        vault = new Vault4626(IERC20(address(token)));
        token.issue(address(this), 1_000 * UNIT);
        token.approve(address(vault), type(uint256).max);
        vault.deposit(1_000 * UNIT, address(this));
        position = IErc4626Valuation(
            deployCode("Erc4626Valuation.sol:Erc4626Valuation", abi.encode(IERC4626(address(vault)), 100))
        );
        attested = IAttestedValuation(
            deployCode(
                "AttestedValuation.sol:AttestedValuation",
                abi.encode(address(agent), proposer, accepter, 1_000, uint128(100 * UNIT), 2 days)
            )
        );
    }

    function add(address valuation) private {
        vm.prank(owner);
        agent.addValuation(StubValuation(valuation));
    }

    function attest(uint128 value) private {
        vm.prank(proposer);
        attested.propose(value, EVIDENCE);
        vm.prank(accepter);
        attested.accept(value, EVIDENCE);
    }

    // --- ERC-4626 ---

    function test_InvestingIdleCapitalLeavesTheRateAndYieldRaisesIt() public {
        add(address(position));
        buy(alice, 100 * UNIT);
        allow(rule(address(vault), IERC4626.deposit.selector));
        executeWithAllowance(address(vault), abi.encodeCall(IERC4626.deposit, (60 * UNIT, address(agent))), 60 * UNIT);
        assertEq(token.balanceOf(address(agent)), 40 * UNIT);
        assertApproxEqAbs(agent.exchangeRate(), UNIT, 1);
        token.issue(address(vault), 10 * UNIT);
        assertGt(agent.exchangeRate(), UNIT + 5_000);
    }

    function test_VaultMovedInsideOneTransactionStopsSettlement() public {
        add(address(position));
        buy(alice, 100 * UNIT);
        allow(rule(address(vault), IERC4626.deposit.selector));
        executeWithAllowance(address(vault), abi.encodeCall(IERC4626.deposit, (60 * UNIT, address(agent))), 60 * UNIT);
        requestRedeem(alice, 10e18);
        token.issue(address(vault), 500 * UNIT);
        vm.expectRevert(abi.encodeWithSelector(ValuationStale.selector, position));
        settleRedeem(alice);
        vm.expectRevert();
        position.poke();
        agent.exchangeRate(); // the view goes on
        skip(7 days);
        token.confiscate(address(vault), 500 * UNIT - 5 * UNIT);
        position.poke();
        settleRedeem(alice);
    }

    function test_PokingDoesNotEatTheTimeOfASlowPrice() public {
        // 1 % a day of 1e6 is one unit per 8.64 seconds; grow by two units every 18 seconds and poke every 3: were the
        // time since the last poke all that counts, two units at once would be too many
        for (uint256 i = 0; i < 60; ++i) {
            skip(3);
            if (i % 6 == 5) token.issue(address(vault), 2_000);
            position.poke();
        }
        assertApproxEqAbs(position.price(), UNIT + 20, 1);
        uint256 checkedAt = position.checkedAt();
        skip(3);
        position.poke();
        assertEq(position.checkedAt(), checkedAt, "an unchanged price keeps its checkpoint");
    }

    // --- attested ---

    function test_AttestedNeedsTwoPartiesAndExactlyTheProposal() public {
        add(address(attested));
        buy(alice, 100 * UNIT);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.NotParty.selector, stranger, proposer));
        attested.propose(1, EVIDENCE);
        vm.startPrank(proposer);
        vm.expectRevert(IAttestedValuation.ZeroEvidence.selector);
        attested.propose(1, 0);
        attested.propose(uint128(5 * UNIT), EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.NotParty.selector, proposer, accepter));
        attested.accept(uint128(5 * UNIT), EVIDENCE);
        vm.stopPrank();
        skip(1 days);
        vm.startPrank(accepter);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.NoProposal.selector, 6 * UNIT, EVIDENCE));
        attested.accept(uint128(6 * UNIT), EVIDENCE);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.NoProposal.selector, 5 * UNIT, bytes32(uint256(1))));
        attested.accept(uint128(5 * UNIT), bytes32(uint256(1)));
        attested.accept(uint128(5 * UNIT), EVIDENCE);
        assertApproxEqAbs(agent.exchangeRate(), 1_050_000, 1);
        vm.expectRevert();
        attested.accept(uint128(5 * UNIT), EVIDENCE);
    }

    function test_AttestedCorridorLeavesZeroAndHasNoIntegerTrap() public {
        // 10 % a day of at least 100 units
        skip(1 days);
        uint128 most = uint128(10 * UNIT + 1);
        vm.prank(proposer);
        attested.propose(most + 1, EVIDENCE);
        vm.prank(accepter);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.ValueOutsideCorridor.selector, most + 1, 0, most));
        attested.accept(most + 1, EVIDENCE);
        attest(most);
        assertEq(attested.value(), most);
        skip(1);
        attest(most + 1);
        attest(most);
    }

    function test_AMoveBeyondTheCorridorNeedsTheOwner() public {
        vm.prank(proposer);
        attested.propose(uint128(900 * UNIT), EVIDENCE);
        vm.prank(accepter);
        vm.expectRevert();
        attested.accept(uint128(900 * UNIT), EVIDENCE);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.NotParty.selector, stranger, owner));
        attested.confirm(uint128(900 * UNIT), EVIDENCE);
        vm.prank(owner);
        attested.confirm(uint128(900 * UNIT), EVIDENCE);
        assertEq(attested.value(), 900 * UNIT);
    }

    function test_StalenessStopsSettlementAndNothingElse() public {
        add(address(attested));
        allow(rule(address(target), target.act.selector));
        buyFresh();
        requestMint(bob, 10 * UNIT);
        requestRedeem(alice, 10e18);
        settleRedeem(alice);
        requestRedeem(alice, 10e18);
        skip(2 days + 1);
        vm.expectRevert(abi.encodeWithSelector(ValuationStale.selector, attested));
        settleMint(bob);
        vm.expectRevert(abi.encodeWithSelector(ValuationStale.selector, attested));
        settleRedeem(alice);
        agent.exchangeRate();
        execute(address(target), 0, act(1, alice));
        agent.redeem(alice);
        skip(HORIZON);
        vm.prank(bob);
        agent.reclaim();
        vm.prank(alice);
        agent.reclaim();
    }

    function buyFresh() private {
        attest(0);
        buy(alice, 100 * UNIT);
    }

    function test_TheExecutorNeverSuppliesANumber() public {
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.SameParty.selector, proposer));
        IAttestedValuation(
            deployCode(
                "AttestedValuation.sol:AttestedValuation", abi.encode(address(agent), proposer, proposer, 1, 1, 1)
            )
        );
        vm.expectRevert();
        IAttestedValuation(
            deployCode(
                "AttestedValuation.sol:AttestedValuation", abi.encode(address(agent), address(agent), accepter, 1, 1, 1)
            )
        );
        vm.expectRevert();
        IAttestedValuation(
            deployCode(
                "AttestedValuation.sol:AttestedValuation", abi.encode(address(agent), proposer, address(agent), 1, 1, 1)
            )
        );
        vm.prank(owner);
        agent.setExecutor(proposer, true);
        vm.prank(proposer);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.PartyIsExecutor.selector, proposer));
        attested.propose(1, EVIDENCE);
        vm.prank(owner);
        agent.setExecutor(accepter, true);
        vm.prank(accepter);
        vm.expectRevert(abi.encodeWithSelector(IAttestedValuation.PartyIsExecutor.selector, accepter));
        attested.accept(0, EVIDENCE);
    }

    function test_AnAttestedValueIsThatAgentsAlone() public view {
        (uint256 assets, bool fresh) = attested.valueOf(alice);
        assertEq(assets, 0);
        assertTrue(fresh);
    }

    // --- the list ---

    function test_OnlyTheOwnerListsAndOnlyTheAcceptToken() public {
        StubValuation stub = new StubValuation(address(token));
        vm.prank(executor);
        vm.expectRevert();
        agent.addValuation(stub);
        StubValuation other = new StubValuation(alice);
        vm.startPrank(owner);
        vm.expectRevert(abi.encodeWithSelector(WrongValuationAsset.selector, other, alice, token));
        agent.addValuation(other);
        agent.addValuation(stub);
        vm.expectRevert(abi.encodeWithSelector(ValuationListed.selector, stub));
        agent.addValuation(stub);
        for (uint256 i = 1; i < 8; ++i) {
            agent.addValuation(new StubValuation(address(token)));
        }
        StubValuation ninth = new StubValuation(address(token));
        vm.expectRevert(abi.encodeWithSelector(ListTooLong.selector, 9, 8));
        agent.addValuation(ninth);
        assertEq(agent.valuations().length, 8);
        agent.removeValuation(address(stub));
        assertEq(agent.valuations().length, 7);
        vm.expectRevert(abi.encodeWithSelector(ValuationUnlisted.selector, stub));
        agent.removeValuation(address(stub));
    }

    function test_ABrokenValuationStopsSettlementAndTheRateNotClaimsNorExecution() public {
        StubValuation stub = new StubValuation(address(token));
        add(address(stub));
        allow(rule(address(target), target.act.selector));
        requestMint(alice, 100 * UNIT);
        settleMint(alice);
        requestMint(bob, 100 * UNIT);
        stub.set(0, true, true);
        vm.expectRevert(abi.encodeWithSelector(ValuationUnreadable.selector, stub));
        settleMint(bob);
        vm.expectRevert(abi.encodeWithSelector(ValuationUnreadable.selector, stub));
        agent.exchangeRate();
        agent.books();
        assertEq(agent.mint(alice), 100e18);
        execute(address(target), 0, act(1, alice));
        vm.prank(owner);
        agent.removeValuation(address(stub));
        settleMint(bob);
    }

    function test_AnAbsurdValueCountsAsUnreadable() public {
        StubValuation stub = new StubValuation(address(token));
        add(address(stub));
        stub.set(uint256(type(uint160).max) + 1, true, false);
        vm.expectRevert(abi.encodeWithSelector(ValuationUnreadable.selector, stub));
        agent.exchangeRate();
        stub.set(type(uint160).max, true, false);
        agent.exchangeRate();
    }

    function test_DuringExecuteWithABrokenValuationTheRateIsUnavailable() public {
        StubValuation stub = new StubValuation(address(token));
        add(address(stub));
        Reenterer seer = new Reenterer(agent);
        allow(rule(address(seer), Reenterer.run.selector));
        stub.set(0, true, true);
        execute(address(seer), 0, abi.encodeCall(Reenterer.run, ()));
        assertFalse(seer.rateReadable());
    }

    function test_GasCannotMakeAValuationUnreadable() public {
        StubValuation stub = new StubValuation(address(token));
        add(address(stub));
        (bool success, bytes memory reply) =
            address(agent).staticcall{gas: 500_000}(abi.encodeCall(agent.exchangeRate, ()));
        assertFalse(success);
        assertEq(bytes4(reply), InsufficientGas.selector);
    }

    // --- corridor ---

    function testFuzz_CorridorIsSymmetricAndMonotone(uint128 anchor, uint128 move, uint32 bps, uint40 elapsed)
        public
        pure
    {
        uint256 allowance = Corridor.allowance(anchor, 0, bps, elapsed);
        assertGe(allowance, 1, "never rounded to nothing");
        assertEq(Corridor.contains(anchor, uint256(anchor) + move, 0, bps, elapsed), move <= allowance);
        if (move <= anchor) {
            assertEq(Corridor.contains(anchor, anchor - move, 0, bps, elapsed), move <= allowance);
        }
        assertGe(Corridor.allowance(anchor, 0, bps, uint256(elapsed) + 1), allowance);
        assertEq(
            Corridor.allowance(anchor, 0, bps, elapsed),
            Corridor.allowance(anchor, 0, bps, elapsed > 7 days ? 7 days : elapsed)
        );
    }
}
