// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Policy, Rule} from "../../../src/agent/scope/IScope.sol";
import {AgentFixture} from "../../agent/AgentFixture.sol";
import {AgentHandler} from "./AgentHandler.sol";
import {Mischief} from "./Mischief.sol";
import {Birth} from "../../../src/agent/Birth.sol";

/// @dev The numbered invariants of the design, over any sequence of holders, outsiders and a malicious Executor.
contract AgentInvariantTest is AgentFixture {
    AgentHandler internal handler;
    Mischief internal mischief;
    address[] internal users;

    function setUp() public virtual override {
        super.setUp();
        mischief = new Mischief();
        Birth memory b = birth();
        b.fixedPrice = fixedPrice();
        b.constitution.mintFeeBps = 30;
        b.constitution.redeemFeeBps = 70;
        b.constitution.corridorBpsPerDay = 100_000;
        agent = create(b);
        mischief.bind(agent, token);
        users = [alice, bob, carol, address(mischief)];
        handler = new AgentHandler(agent, token, mischief, users, executor, owner);
        vm.prank(owner);
        agent.setExecutor(address(mischief), true);
        widest();
        vm.deal(address(agent), 1 ether);
        targetContract(address(handler));
    }

    function fixedPrice() internal pure virtual returns (bool) {
        return false;
    }

    /// @dev A Scope that allows everything anybody could ask for, on every address that matters.
    function widest() private {
        Policy memory p = emptyPolicy();
        p.rules = new Rule[](15);
        p.rules[0] = rule(address(token), IERC20.transfer.selector);
        p.rules[1] = rule(address(token), IERC20.approve.selector);
        p.rules[2] = rule(address(token), IERC20.transferFrom.selector);
        p.rules[3] = rule(address(agent), IERC20.transfer.selector);
        p.rules[4] = rule(address(agent), agent.payClaim.selector);
        p.rules[5] = rule(address(agent), agent.setExecutor.selector);
        p.rules[6] = rule(address(scope), 0x12345678);
        p.rules[7] = plainRule(address(mischief));
        p.rules[8] = rule(address(mischief), Mischief.fail.selector);
        p.rules[9] = rule(address(mischief), Mischief.reenter.selector);
        p.rules[10] = rule(address(mischief), Mischief.pullAll.selector);
        p.rules[11] = rule(address(mischief), Mischief.nothing.selector);
        p.rules[12] = rule(address(mischief), Mischief.pull.selector);
        p.rules[13] = plainRule(address(token));
        p.rules[14] = plainRule(address(agent));
        install(p);
    }

    function sums() private view returns (uint256[2] memory pending, uint256[2] memory claimable) {
        for (uint256 i = 0; i < users.length; ++i) {
            for (uint8 kind = 0; kind < 2; ++kind) {
                (uint256 p, uint256 c) = handler.status(users[i], kind);
                pending[kind] += p;
                claimable[kind] += c;
            }
        }
    }

    function invariant_1_AcceptTokenCoversPendingAndClaimable() public view {
        (uint256[2] memory pending, uint256[2] memory claimable) = sums();
        (,,, uint256 fees) = agent.feesOf();
        assertEq(reserve(), pending[0] + claimable[1] + fees, "the reserve is exactly what is owed");
        assertGe(token.balanceOf(address(agent)), pending[0] + claimable[1] + fees);
        assertEq(token.allowance(address(agent), address(mischief)), 0, "no allowance survives a call");
    }

    function invariant_2_NothingIsPaidOrMintedThatWasNotSettled() public view {
        (uint256[2] memory pending, uint256[2] memory claimable) = sums();
        assertEq(handler.minted() + claimable[0], handler.settledShares());
        assertEq(handler.paid() + claimable[1], handler.settledTokens());
        for (uint256 kind = 0; kind < 2; ++kind) {
            assertEq(
                handler.requested(kind),
                pending[kind] + handler.consumed(kind) + handler.reclaimed(kind),
                "requested = pending + settled + reclaimed"
            );
        }
    }

    function invariant_3_RequestsAndClaimsLeaveTheRateAndSettlementNeverLowersIt() public view {
        assertFalse(handler.rateMovedByRequestOrClaim());
        assertFalse(handler.rateLoweredBySettlement());
    }

    function invariant_4_AnOwedClaimNeverFailsBecauseOfSomebodyElse() public view {
        assertFalse(handler.claimFailedForSomebodyElse());
    }

    function invariant_5_SharesAddUpAndTheEscrowIsExact() public view {
        (uint256[2] memory pending, uint256[2] memory claimable) = sums();
        uint256 sum = agent.balanceOf(address(agent));
        assertEq(sum, pending[1], "the Agent holds the escrow and nothing else");
        for (uint256 i = 0; i < users.length; ++i) {
            sum += agent.balanceOf(users[i]);
        }
        assertEq(sum, agent.totalSupply());
        (,,,, uint256 unclaimed) = agent.books();
        assertEq(unclaimed, claimable[0]);
    }

    function invariant_6_ThePredicateNeverDisagreesAndNothingReenters() public view {
        assertFalse(handler.predicateDisagreed());
        assertEq(mischief.reentries(), 0);
        assertEq(agent.owner(), owner);
    }

    /// @dev From any state everybody gets what he is owed, whatever the Executor did before.
    function afterInvariant() public {
        uint256 owed = 0;
        for (uint256 i = 0; i < users.length; ++i) {
            token.setBlocked(users[i], false);
            (, uint256 tokens) = agent.queryRedeemStatus(users[i]);
            assertEq(agent.redeem(users[i]), tokens);
            (, uint256 shares) = agent.queryMintStatus(users[i]);
            assertEq(agent.mint(users[i]), shares);
            owed += tokens;
        }
        skip(HORIZON);
        for (uint256 i = 0; i < users.length; ++i) {
            (uint256 deposit,) = agent.queryMintStatus(users[i]);
            (uint256 shares,) = agent.queryRedeemStatus(users[i]);
            if (deposit == 0 && shares == 0) continue;
            uint256 before = token.balanceOf(users[i]);
            vm.prank(users[i]);
            agent.reclaim();
            assertEq(token.balanceOf(users[i]) - before, deposit);
        }
        (,,, uint256 fees) = agent.feesOf();
        assertEq(reserve(), fees);
    }

    /// @dev The handler must reach what the invariants are about.
    function test_EveryKindOfActionIsReached() public {
        uint256 seed = 7;
        for (uint256 i = 0; i < 3_000; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 kind = seed % 8;
            uint256 a = seed >> 8;
            if (kind == 0) handler.requestMint(a, seed >> 30, seed >> 60);
            else if (kind == 1) handler.requestRedeem(a, seed >> 30, seed >> 60);
            else if (kind == 2) handler.settle(a, a % 2 == 0, a % 3 == 0);
            else if (kind == 3) handler.claimShares(a);
            else if (kind == 4) handler.claimTokens(a);
            else if (kind == 5) handler.attack(a, seed >> 30, a % 3 == 0);
            else if (kind == 6 && i % 20 == 0) handler.reclaim(a, false, seed >> 30);
            else handler.confirm();
        }
        bytes32[8] memory actions = [
            bytes32("requestMint"), "requestRedeem", "reclaim", "mint", "redeem", "settleMint", "settleRedeem", "attack"
        ];
        for (uint256 i = 0; i < actions.length; ++i) {
            assertGt(handler.done(actions[i]), 3, string(abi.encode(actions[i])));
        }
        assertGt(mischief.hooked(), 10);
        invariant_1_AcceptTokenCoversPendingAndClaimable();
        invariant_2_NothingIsPaidOrMintedThatWasNotSettled();
        invariant_4_AnOwedClaimNeverFailsBecauseOfSomebodyElse();
    }
}

contract FixedPriceInvariantTest is AgentInvariantTest {
    function fixedPrice() internal pure override returns (bool) {
        return true;
    }
}
