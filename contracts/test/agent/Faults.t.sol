// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IAgent} from "../../src/agent/IAgent.sol";
import {Outcome} from "../../src/agent/IAgentErrors.sol";
import {FeeToken, HookedToken} from "../mocks/agent/Tokens.sol";
import {Reenterer, StubValuation, Target} from "../mocks/agent/Targets.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth} from "../../src/agent/Birth.sol";

/// @dev Faults that other implementations of the standard, and asynchronous vaults in general, were shown to have.
contract FaultsTest is AgentFixture {
    // --- faults of implementations of this standard ---

    function test_Fault1_NoApprovalOnTheAcceptTokenSurvivesACall() public {
        buy(alice, 50 * UNIT);
        allow(rule(address(token), IERC20.approve.selector));
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, token, IERC20.approve.selector));
        execute(address(token), 0, abi.encodeCall(IERC20.approve, (stranger, type(uint256).max)));
        allow(rule(address(target), Target.act.selector));
        executeWithAllowance(address(target), act(1, alice), 50 * UNIT);
        requestMint(bob, 100 * UNIT);
        vm.expectRevert();
        target.pullFrom(token, address(agent), 1);
        settleMint(bob);
        assertEq(agent.mint(bob), 100e18);
    }

    function test_Fault1_MoneyThatVanishedUnderADepositBecomesNoShares() public {
        requestMint(bob, 100 * UNIT);
        token.confiscate(address(agent), 1);
        vm.expectRevert(abi.encodeWithSelector(ReserveBroken.selector, 100 * UNIT - 1, 100 * UNIT));
        settleMint(bob);
        token.issue(address(agent), 1);
        settleMint(bob);
    }

    function test_Fault2_AnInsiderWhoMovesTheRateIsStoppedByTheCorridor() public {
        // the insider is Executor, and requests under another address; the Scope lets him park money outside
        vm.prank(owner);
        agent.setGuard(100, 0);
        allow(rule(address(token), IERC20.transfer.selector));
        allow(rule(address(target), Target.send.selector));
        buy(alice, 1_000 * UNIT);
        requestMint(bob, 100 * UNIT);
        execute(address(token), 0, abi.encodeCall(IERC20.transfer, (address(target), 900 * UNIT)));
        settleMint(bob);
        (, uint256 claimable) = agent.queryMintStatus(bob);
        assertEq(claimable, 0, "settlement stopped");
        execute(address(target), 0, abi.encodeCall(Target.send, (token, address(agent), 900 * UNIT)));
        vm.expectRevert(SettlementHalted.selector);
        settleMint(bob);
        skip(HORIZON);
        vm.prank(bob);
        agent.reclaim();
        assertEq(token.balanceOf(bob), 100 * UNIT, "100 in, 100 out");
    }

    function test_Fault2_NobodySettlesHisOwnRequest() public {
        requestMint(executor, 100 * UNIT);
        vm.startPrank(executor);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, executor, Outcome.OwnRequest));
        agent.settleMint(executor, HASH, URI);
        address[] memory one = new address[](1);
        one[0] = executor;
        agent.settleMintBatch(one, HASH, URI);
        (uint256 pending,) = agent.queryMintStatus(executor);
        assertEq(pending, 100 * UNIT);
    }

    function test_Fault3_SettledUnclaimedSharesCountInTheSupply() public {
        buy(alice, 100 * UNIT);
        requestMint(bob, 100 * UNIT);
        uint256 before = agent.exchangeRate();
        settleMint(bob);
        assertEq(agent.exchangeRate(), before);
        agent.mint(bob);
        assertEq(agent.exchangeRate(), before);
    }

    function test_Fault4_ATargetCannotReenterToMoveTheRate() public {
        Reenterer evil = new Reenterer(agent);
        allow(rule(address(evil), Reenterer.run.selector));
        buy(alice, 100 * UNIT);
        fund(address(evil), 10 * UNIT);
        evil.arm(abi.encodeCall(IAgent.requestMint, (10 * UNIT)));
        execute(address(evil), 0, abi.encodeCall(Reenterer.run, ()));
        assertFalse(evil.succeeded());
        assertTrue(evil.rateReadable());
        assertEq(evil.rate(), UNIT);
    }

    function test_Fault5_FeeOnTransferTokensAreRefusedAtTheFirstDeposit() public {
        FeeToken fee = new FeeToken();
        Birth memory b = birth();
        b.acceptToken = address(fee);
        agent = create(b);
        fee.issue(alice, 100 * UNIT);
        vm.startPrank(alice);
        fee.approve(address(agent), 100 * UNIT);
        vm.expectRevert(abi.encodeWithSelector(DepositMismatch.selector, 99 * UNIT, 100 * UNIT));
        agent.requestMint(100 * UNIT);
    }

    function test_Fault6_AnAddressWithoutCodeIsNoSuccess() public {
        allow(rule(stranger, Target.act.selector));
        vm.expectRevert(abi.encodeWithSelector(RefusedByConstruction.selector, stranger, Target.act.selector));
        execute(stranger, 0, act(1, alice));
    }

    function test_Fault7_AReplyOf100kBytesIsRefusedBeforeItIsPaidFor() public {
        allow(rule(address(target), Target.returnRaw.selector));
        bytes memory data = abi.encodeCall(Target.returnRaw, (100_000));
        vm.prank(executor);
        uint256 before = gasleft();
        (bool success,) = address(agent).call(abi.encodeCall(IAgent.execute, (address(target), 0, data, HASH, URI)));
        assertFalse(success);
        assertLt(before - gasleft(), 150_000);
    }

    function test_Fault8_TheRateIsWeiToWei() public {
        assertEq(agent.exchangeRate(), 1e6, "one share for one unit of a 6-decimals token");
        assertEq(buy(alice, 1e6), 1e18);
    }

    function test_Fault9_ReclaimExistsAndItsHorizonIsReadable() public view {
        assertEq(agent.reclaimHorizon(), HORIZON);
    }

    // --- faults of asynchronous vaults ---

    function test_AStrangerCranksFirstAndAliceIsWhole() public {
        requestMint(alice, 100 * UNIT);
        settleMint(alice);
        vm.prank(stranger);
        agent.mint(alice);
        vm.prank(alice);
        assertEq(agent.mint(alice), 0);
        assertEq(agent.balanceOf(alice), 100e18);
        requestRedeem(alice, 100e18);
        settleRedeem(alice);
        vm.prank(stranger);
        agent.redeem(alice);
        vm.prank(alice);
        assertEq(agent.redeem(alice), 0);
        assertEq(token.balanceOf(alice), 100 * UNIT);
    }

    function test_ThreeUsersThreeRatesSixOrdersTheLastIsPaidInFull() public {
        uint8[3][6] memory orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        address[3] memory users = [alice, bob, carol];
        for (uint256 o = 0; o < 6; ++o) {
            uint256 snapshot = vm.snapshotState();
            uint256[3] memory amounts = [uint256(1_000_003), 77_777_777, 13_000_000_019];
            for (uint256 i = 0; i < 3; ++i) {
                buy(users[i], amounts[i]);
                profit(1_234_567 * (i + 1));
            }
            uint256 owed = 0;
            for (uint256 i = 0; i < 3; ++i) {
                requestRedeem(users[i], agent.balanceOf(users[i]));
                settleRedeem(users[i]);
                (, uint256 claimable) = agent.queryRedeemStatus(users[i]);
                owed += claimable;
                if (i == 1) profit(7_654_321);
            }
            assertEq(reserve(), owed);
            for (uint256 i = 0; i < 3; ++i) {
                address user = users[orders[o][i]];
                (, uint256 claimable) = agent.queryRedeemStatus(user);
                assertEq(agent.redeem(user), claimable);
                assertEq(token.balanceOf(user), claimable);
            }
            assertEq(reserve(), 0);
            assertEq(agent.totalSupply(), 0);
            vm.revertToState(snapshot);
        }
    }

    function test_FirstDepositorInflationCostsTheVictimLessThanOneHundredthOfAPercent() public {
        Birth memory b = birth();
        b.acceptToken = address(token);
        b.initialRate = 1e18;
        agent = create(b);
        buy(stranger, 1);
        profit(1e24);
        assertGt(agent.exchangeRate(), 0);
        uint256 victim = 1e20;
        uint256 shares = buy(alice, victim);
        uint256 worth = shares * agent.exchangeRate() / 1e18;
        assertGt(worth * 10_000, victim * 9_999);
        // the donation is lost to the donor
        uint256 attackers = agent.balanceOf(stranger) * agent.exchangeRate() / 1e18;
        assertLt(attackers, 1e24 / 1_000);
    }

    function test_ADepositTooCoarseForTheRateIsNotSettledAndComesBack() public {
        Birth memory b = birth();
        b.initialRate = 1e18;
        agent = create(b);
        buy(stranger, 1);
        profit(1e24);
        requestMint(alice, 1e15 + 5e11);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, alice, Outcome.TooSmall));
        settleMint(alice);
        skip(HORIZON);
        vm.prank(alice);
        agent.reclaim();
        assertEq(token.balanceOf(alice), 1e15 + 5e11);
    }

    function test_TheMitigationDoesNotBrickTheFirstDeposit() public {
        assertEq(buy(alice, 1), 1e12);
        assertEq(buy(bob, 1_000_000 * UNIT), 1_000_000e18);
    }

    function test_DonationBeforeTheFirstDepositIsNoWayToSteal() public {
        profit(1_000 * UNIT);
        uint256 shares = buy(alice, 100 * UNIT);
        assertGt(shares * agent.exchangeRate() / 1e18 * 10_000, 100 * UNIT * 9_999);
        requestRedeem(alice, shares);
        settleRedeem(alice);
        assertLe(agent.redeem(alice), 100 * UNIT);
    }

    function test_RateIsTheSameBeforeAndAfterEveryStepThatMovesNoValue() public {
        buy(alice, 123 * UNIT);
        profit(45 * UNIT + 1);
        uint256 rate = agent.exchangeRate();
        requestMint(bob, 1_000_000 * UNIT);
        assertEq(agent.exchangeRate(), rate, "request");
        skip(HORIZON);
        vm.prank(bob);
        agent.reclaim();
        assertEq(agent.exchangeRate(), rate, "reclaim");
        requestMint(bob, 1_000_000 * UNIT);
        settleMint(bob);
        assertApproxEqAbs(agent.exchangeRate(), rate, 1, "settlement");
        assertGe(agent.exchangeRate(), rate, "in favour of those who stay");
        rate = agent.exchangeRate();
        agent.mint(bob);
        assertEq(agent.exchangeRate(), rate, "claim");
        requestRedeem(bob, 500_000e18);
        assertEq(agent.exchangeRate(), rate, "requestRedeem");
        settleRedeem(bob);
        assertGe(agent.exchangeRate(), rate);
        assertApproxEqAbs(agent.exchangeRate(), rate, 3, "two thirds left at a rate rounded down by one unit");
        rate = agent.exchangeRate();
        agent.redeem(bob);
        assertEq(agent.exchangeRate(), rate, "payment");
    }

    function test_ALossAfterTheRequestIsBorneAndTheClaimNeverReverts() public {
        buy(alice, 100 * UNIT);
        buy(bob, 100 * UNIT);
        requestRedeem(alice, 100e18);
        token.confiscate(address(agent), 100 * UNIT);
        settleRedeem(alice);
        (, uint256 claimable) = agent.queryRedeemStatus(alice);
        assertApproxEqAbs(claimable, 50 * UNIT, 100);
        assertEq(agent.redeem(alice), claimable);
    }

    function test_ARequestAfterThePriceWasSeenFallsIntoTheNextRound() public {
        vm.prank(owner);
        agent.setGuard(0, 600);
        requestMint(alice, 100 * UNIT);
        skip(600);
        requestMint(bob, 100 * UNIT);
        address[] memory both = new address[](2);
        (both[0], both[1]) = (alice, bob);
        vm.prank(executor);
        agent.settleMintBatch(both, HASH, URI);
        (uint256 pendingA,) = agent.queryMintStatus(alice);
        (uint256 pendingB,) = agent.queryMintStatus(bob);
        assertEq(pendingA, 0);
        assertEq(pendingB, 100 * UNIT);
    }

    function test_ZeroAmountRequestsRevert() public {
        vm.startPrank(alice);
        vm.expectRevert(ZeroAmount.selector);
        agent.requestMint(0);
        vm.expectRevert(ZeroAmount.selector);
        agent.requestRedeem(0);
    }

    function test_AHolderFrozenByTheAcceptTokenKeepsHisShareSide() public {
        buy(alice, 100 * UNIT);
        requestMint(alice, 10 * UNIT);
        settleMint(alice);
        token.setBlocked(alice, true);
        requestRedeem(alice, 50e18);
        settleRedeem(alice);
        assertEq(agent.mint(alice), 10e18);
        vm.expectRevert();
        agent.redeem(alice);
        (, uint256 claimable) = agent.queryRedeemStatus(alice);
        assertEq(claimable, 50 * UNIT, "stays owed");
        token.setBlocked(alice, false);
        assertEq(agent.redeem(alice), 50 * UNIT);
    }

    function test_SharesSentToTheAgentAreRefusedNotLost() public {
        buy(alice, 100 * UNIT);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, agent));
        agent.transfer(address(agent), 1);
        agent.approve(bob, 1);
        vm.stopPrank();
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, agent));
        agent.transferFrom(alice, address(agent), 1);
    }

    function test_TotalLossStopsMintsInsteadOfGivingSharesAway() public {
        buy(alice, 100_000_000 * UNIT);
        requestMint(bob, 100 * UNIT);
        token.confiscate(address(agent), 100_000_000 * UNIT);
        assertEq(agent.exchangeRate(), 0);
        vm.expectRevert(RateIsZero.selector);
        settleMint(bob);
        skip(HORIZON);
        vm.prank(bob);
        agent.reclaim();
    }

    // --- tokens with hooks ---

    function test_TokenHooksCannotReenterAndSeeNoMixedRate() public {
        HookedToken hooked = new HookedToken();
        Birth memory b = birth();
        b.acceptToken = address(hooked);
        agent = create(b);
        Reenterer evil = new Reenterer(agent);
        hooked.issue(address(evil), 100 * UNIT);
        vm.startPrank(address(evil));
        hooked.setHook(address(evil));
        hooked.approve(address(agent), 100 * UNIT);
        evil.arm(abi.encodeCall(IAgent.requestMint, (1)));
        agent.requestMint(100 * UNIT);
        vm.stopPrank();
        assertTrue(evil.tried());
        assertFalse(evil.succeeded());
        assertEq(bytes4(evil.reply()), AgentLocked.selector);
        assertFalse(evil.rateReadable(), "no rate in the middle");
        settleMint(address(evil));
        agent.mint(address(evil));
        vm.prank(address(evil));
        agent.requestRedeem(100e18);
        settleRedeem(address(evil));
        evil.arm(abi.encodeCall(IAgent.redeem, (address(evil))));
        agent.redeem(address(evil));
        assertFalse(evil.succeeded());
        assertEq(hooked.balanceOf(address(evil)), 100 * UNIT);
    }

    // --- no signature in the Agent's name ---

    function test_TheAgentSignsNothing() public {
        (bool success,) =
            address(agent).call(abi.encodeWithSignature("isValidSignature(bytes32,bytes)", bytes32(0), ""));
        assertFalse(success, "ERC-1271 must not exist");
        assertFalse(agent.supportsInterface(0x1626ba7e));
    }

    // --- fixed price ---

    function test_FixedPriceAgentFromTheSameCode() public {
        Birth memory b = birth();
        b.fixedPrice = true;
        agent = create(b);
        assertTrue(agent.isFixedPrice());
        buy(alice, 100 * UNIT);
        profit(900 * UNIT);
        assertEq(agent.exchangeRate(), UNIT);
        assertEq(buy(bob, 100 * UNIT), 100e18);
        token.confiscate(address(agent), 1_000 * UNIT);
        requestRedeem(alice, 100e18);
        requestRedeem(bob, 1e18);
        settleRedeem(alice);
        assertEq(agent.redeem(alice), 100 * UNIT);
        vm.expectRevert(abi.encodeWithSelector(Unsettled.selector, bob, Outcome.Illiquid));
        settleRedeem(bob);
        vm.prank(owner);
        agent.confirmRate(UNIT, UNIT);
    }
}
