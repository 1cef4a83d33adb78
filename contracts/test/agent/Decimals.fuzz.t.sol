// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AcceptToken} from "../mocks/agent/Tokens.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth} from "../../src/agent/Birth.sol";

/// @dev Accept Tokens with 0 to 24 decimals, fixed price and books, from the same code.
contract DecimalsFuzzTest is AgentFixture {
    function agentWith(uint8 decimals, uint256 rate, bool fixedPrice) private {
        token = new AcceptToken(decimals);
        Birth memory b = birth();
        b.acceptToken = address(token);
        b.initialRate = uint128(rate);
        b.fixedPrice = fixedPrice;
        agent = create(b);
    }

    function redeemAll(address user) private returns (uint256) {
        requestRedeem(user, agent.balanceOf(user));
        settleRedeem(user);
        return agent.redeem(user);
    }

    function test_StartsAtParAndARoundTripNeverGains() public {
        uint8[7] memory all = [0, 2, 6, 8, 18, 24, 12];
        for (uint256 i = 0; i < all.length; ++i) {
            for (uint256 f = 0; f < 2; ++f) {
                agentWith(all[i], 10 ** all[i], f == 1);
                assertEq(agent.exchangeRate(), 10 ** all[i]);
                uint256 shares = buy(alice, 10 ** all[i]);
                assertEq(shares, 1e18, "one share for one unit");
                assertEq(redeemAll(alice), 10 ** all[i]);
            }
        }
    }

    function test_NoOverflowAt1e30() public {
        uint8[6] memory all = [0, 2, 6, 8, 18, 24];
        for (uint256 i = 0; i < all.length; ++i) {
            agentWith(all[i], 10 ** all[i], false);
            buy(alice, 1e30);
            profit(1e30);
            requestMint(alice, 1e30);
            settleMint(alice);
            requestMint(alice, 1e30);
            settleMint(alice);
            (uint256 pending, uint256 claimable) = agent.queryMintStatus(alice);
            assertEq(pending, 0);
            assertGt(claimable, 0);
            agent.mint(alice);
            buy(bob, 1e30);
            uint256 paid = redeemAll(alice);
            assertApproxEqRel(paid, 4e30, 1e12);
            assertLe(paid, 4e30);
            redeemAll(bob);
            assertEq(agent.totalSupply(), 0);
            assertEq(reserve(), 0);
        }
    }

    function testFuzz_RoundTripAtConstantRateNeverGains(uint8 decimals, uint256 rate, uint256 amount, bool fixedPrice)
        public
    {
        decimals = uint8(bound(decimals, 0, 24));
        rate = bound(rate, 1, 1e30);
        amount = bound(amount, 1, 1e30);
        agentWith(decimals, rate, fixedPrice);
        requestMint(alice, amount);
        vm.prank(executor);
        try agent.settleMint(alice, HASH, URI) {}
        catch {
            return; // too coarse for the rate: reclaimable
        }
        uint256 shares = agent.mint(alice);
        assertLe(shares * rate, amount * 1e18, "mint rounds in favour of the Agent");
        requestRedeem(alice, shares);
        vm.prank(executor);
        try agent.settleRedeem(alice, HASH, URI) {}
        catch {
            return; // below one unit
        }
        assertLe(agent.redeem(alice), amount);
    }

    /// @dev tokens out * 1e18 <= shares * rate, and the mirror: shares out * rate <= tokens in * 1e18.
    function testFuzz_RoundingAlwaysFavoursTheAgent(
        uint256 seedAmount,
        uint256 gain,
        uint256 loss,
        uint256 amount,
        uint256 part
    ) public {
        seedAmount = bound(seedAmount, 1e6, 1e24);
        gain = bound(gain, 0, seedAmount * 10);
        loss = bound(loss, 0, (seedAmount + gain) * 9 / 10); // the rate stays above 1e4, where it is the price
        amount = bound(amount, 1e6, 1e24);
        buy(alice, seedAmount);
        profit(gain);
        token.confiscate(address(agent), loss);

        uint256 rate = agent.exchangeRate();
        requestMint(bob, amount);
        vm.prank(executor);
        try agent.settleMint(bob, HASH, URI) {}
        catch {
            return;
        }
        assertGe(agent.exchangeRate(), rate, "a mint never lowers the rate of the others");
        uint256 shares = agent.mint(bob);
        assertLe(shares * rate, amount * 1e18);

        uint256 back = bound(part, 1, shares);
        rate = agent.exchangeRate();
        requestRedeem(bob, back);
        vm.prank(executor);
        try agent.settleRedeem(bob, HASH, URI) {}
        catch {
            return;
        }
        assertGe(agent.exchangeRate(), rate, "a redemption never lowers the rate of the others");
        uint256 tokens = agent.redeem(bob);
        assertLe(tokens * 1e18, back * rate);
        assertLe(tokens, amount);
    }

    function testFuzz_FirstDepositorInflation(uint256 first, uint256 donation, uint256 victim, uint8 decimals) public {
        decimals = uint8(bound(decimals, 0, 24));
        agentWith(decimals, 10 ** decimals, false);
        first = bound(first, 1, 1e12);
        donation = bound(donation, 0, 1e24);
        victim = bound(victim, 1, 1e24);
        requestMint(stranger, first);
        vm.prank(executor);
        try agent.settleMint(stranger, HASH, URI) {
            agent.mint(stranger);
        } catch {}
        profit(donation);
        uint256 floor = agent.exchangeRate();
        assertGt(floor, 0);
        requestMint(alice, victim);
        vm.prank(executor);
        try agent.settleMint(alice, HASH, URI) {}
        catch {
            skip(HORIZON);
            vm.prank(alice);
            agent.reclaim();
            assertEq(token.balanceOf(alice), victim, "refused, and whole");
            return;
        }
        uint256 shares = agent.mint(alice);
        // at the price of the settlement, which is the rate rounded up: by one unit where the rate is coarse
        assertGe(shares * (floor + 1) / 1e14, victim * 9_999);
    }

    function testFuzz_NoSequenceOfRequestsAndSettlementsGains(uint256 seed) public {
        buy(carol, 1_000 * UNIT);
        profit(seed % 777_777_777);
        uint256 put = 0;
        uint256 got = 0;
        for (uint256 i = 0; i < 12; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 amount = 1 + (seed >> 8) % (50 * UNIT);
            if (seed % 2 == 0) {
                requestMint(bob, amount);
                put += amount;
                settleMint(bob);
                agent.mint(bob);
            } else if (agent.balanceOf(bob) > 1e15) {
                requestRedeem(bob, 1e14 + (seed >> 8) % (agent.balanceOf(bob) - 1e14));
                settleRedeem(bob);
                got += agent.redeem(bob);
            }
        }
        uint256 rest = agent.balanceOf(bob) * agent.exchangeRate() / 1e18;
        // what rounding gave back to all holders is shared by bob too: at most one unit of the rate each round
        assertLe(got + rest, put + 12 + agent.balanceOf(bob) * 12 / 1e18);
    }
}
