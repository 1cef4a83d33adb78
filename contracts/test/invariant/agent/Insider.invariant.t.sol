// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Policy, Rule} from "../../../src/agent/scope/IScope.sol";
import {IValuation} from "../../../src/agent/valuation/IValuation.sol";
import {AgentFixture} from "../../agent/AgentFixture.sol";
import {Vault4626} from "../../mocks/agent/Targets.sol";
import {InsiderHandler} from "./InsiderHandler.sol";

/// @dev No corridor, no least age, no fees: what remains is the pricing itself. The vault is large against the insiders'
///      purse, as an Owner has to choose one; nobody outside adds a yield.
contract InsiderInvariantTest is AgentFixture {
    uint256 private constant PURSE = 10_000 * UNIT;
    uint256 private constant HONEST = 1_000 * UNIT;
    InsiderHandler internal handler;

    function setUp() public override {
        super.setUp();
        Vault4626 vault = new Vault4626(IERC20(address(token)));
        token.issue(address(this), 1_000_000 * UNIT);
        token.approve(address(vault), type(uint256).max);
        vault.deposit(1_000_000 * UNIT, address(this));
        address valuation = deployCode(
            "Erc4626Valuation.sol:Erc4626Valuation", abi.encode(IERC4626(address(vault)), uint32(1_000_000))
        );
        vm.prank(owner);
        agent.addValuation(IValuation(valuation));
        Policy memory p = emptyPolicy();
        p.rules = new Rule[](2);
        p.rules[0] = rule(address(vault), IERC4626.deposit.selector);
        p.rules[1] = rule(address(vault), IERC4626.redeem.selector);
        install(p);
        buy(alice, HONEST);
        token.issue(bob, PURSE / 2);
        token.issue(carol, PURSE / 2);
        handler = new InsiderHandler(agent, token, IERC4626(address(vault)), alice, executor, [bob, carol]);
        targetContract(address(handler));
    }

    /// forge-config: default.invariant.fail-on-revert = true
    function invariant_3b_NoSequenceOfInsidersGainsAndNoneCostsAHolderWhoSitsStill() public view {
        uint256 slack = handler.vaultMoves() + 2;
        assertGe(handler.honestHas() + slack, HONEST, "a holder who sits still keeps what he has");
        assertLe(handler.insidersHave(), PURSE + slack, "insiders end with no more than they brought");
    }

    function test_EveryKindOfInsiderActionIsReached() public {
        uint256 seed = 11;
        for (uint256 i = 0; i < 1_500; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 a = seed >> 8;
            uint256 kind = seed % 7;
            if (kind == 0) handler.requestMint(a, seed >> 30);
            else if (kind == 1) handler.requestRedeem(a, seed >> 30);
            else if (kind == 2) handler.settle(a, (a >> 9) % 2 == 0);
            else if (kind == 3) handler.claim(a);
            else if (kind == 4) handler.invest(a, seed >> 30);
            else if (kind == 5) handler.divest(a, seed >> 30);
            else if (i % 50 == 0) handler.donate(a, (seed >> 30) % UNIT, a % 2 == 0);
        }
        bytes32[8] memory actions = [
            bytes32("requestMint"), "requestRedeem", "settleMint", "settleRedeem", "mint", "redeem", "invest", "divest"
        ];
        for (uint256 i = 0; i < actions.length; ++i) {
            assertGt(handler.done(actions[i]), 20, string(abi.encode(actions[i])));
        }
        invariant_3b_NoSequenceOfInsidersGainsAndNoneCostsAHolderWhoSitsStill();
    }
}
