// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title Refunds over random tenders: pro rata, independent of order, conserved to the last unit
contract RefundsFuzzTest is TaskTest {
    struct Plan {
        uint256 reward;
        uint256[6] contributions;
        uint256 funders; // 2 to 6 of the contributions are made
        uint256 giftBefore; // before any reward is paid
        uint256 giftAfter; // after the rewards
        uint256 completions;
        uint256 seed; // order of the refunds
    }

    MockERC20 private token;
    address[6] private people;

    function setUp() public override {
        super.setUp();
        token = new MockERC20();
        for (uint256 i = 0; i < 6; i++) {
            people[i] = makeAddr(string.concat("funder ", vm.toString(i)));
        }
    }

    function _bounded(Plan memory plan, uint256 max) private pure {
        plan.reward = bound(plan.reward, 1, max);
        plan.funders = bound(plan.funders, 2, 6);
        for (uint256 i = 0; i < 6; i++) {
            plan.contributions[i] = bound(plan.contributions[i], 1, max);
        }
        plan.giftBefore = bound(plan.giftBefore, 0, max);
        plan.giftAfter = bound(plan.giftAfter, 0, max);
        plan.completions = bound(plan.completions, 0, 8);
    }

    /// @dev Play the plan up to cancellation.
    /// @return id the tender
    /// @return contributed sum of all contributions
    /// @return pool what is left of them
    function _play(Plan memory plan) private returns (uint256 id, uint256 contributed, uint256 pool) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = plan.reward;
        id = _mint(terms);
        for (uint256 i = 0; i < plan.funders; i++) {
            _fund(id, people[i], plan.contributions[i]);
            contributed += plan.contributions[i];
        }
        if (plan.giftBefore != 0) _give(id, plan.giftBefore);
        // the model: gifts pay first
        uint256 gifts = plan.giftBefore;
        pool = contributed;
        for (uint256 i = 0; i < plan.completions; i++) {
            if (gifts + pool < plan.reward) break;
            _accept(id, _submit(id));
            uint256 fromGifts = gifts < plan.reward ? gifts : plan.reward;
            gifts -= fromGifts;
            pool -= plan.reward - fromGifts;
        }
        if (plan.giftAfter != 0) _give(id, plan.giftAfter);
        _cancel(id);
    }

    /// @dev The `step`th funder in an order that depends on the seed.
    function _turn(Plan memory plan, uint256 step) private pure returns (uint256) {
        uint256 start = plan.seed % plan.funders;
        return plan.seed & 256 == 0 ? (start + step) % plan.funders : (start + plan.funders - step) % plan.funders;
    }

    function _settleAll(Plan memory plan, uint256 id, uint256 contributed, uint256 pool) private {
        uint256 outOfVault = token.balanceOf(task.vaultOf(id));
        for (uint256 step = 0; step < plan.funders; step++) {
            uint256 i = _turn(plan, step);
            uint256 before = token.balanceOf(people[i]);
            _reclaim(id, people[i]);
            uint256 got = token.balanceOf(people[i]) - before;
            assertEq(got, plan.contributions[i] * pool / contributed, "share");
            assertEq(task.contributionOf(id, people[i]), 0);
            if (plan.seed >> 32 & (1 << step) != 0) _tryResidual(id);
        }
        _tryResidual(id);
        assertEq(task.escrowBalanceOf(id), 0, "nothing is stranded");
        uint256 refunded;
        for (uint256 i = 0; i < plan.funders; i++) {
            refunded += token.balanceOf(people[i]);
        }
        assertEq(refunded + token.balanceOf(owner), outOfVault, "conserved");
        assertLt(pool - refunded, plan.funders, "dust is less than a unit a funder");
    }

    /// @dev The owner may come between any two funders, and changes nothing for them.
    function _tryResidual(uint256 id) private {
        vm.prank(owner);
        (bool success, bytes memory reply) = address(task).call(abi.encodeCall(task.reclaimResidual, (id)));
        if (!success) assertEq(bytes4(reply), NothingToReclaim.selector);
    }

    function testFuzz_Refunds_MUST_BeProRataInAnyOrder(Plan memory plan) external {
        _bounded(plan, type(uint96).max);
        (uint256 id, uint256 contributed, uint256 pool) = _play(plan);
        (, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(funders, pool, "attributed");
        assertEq(residual, task.escrowBalanceOf(id) - pool, "gifts");
        _settleAll(plan, id, contributed, pool);
    }

    function testFuzz_Refunds_MUST_BeProRataInAnyOrder_SmallAmounts(Plan memory plan) external {
        _bounded(plan, 12);
        (uint256 id, uint256 contributed, uint256 pool) = _play(plan);
        _settleAll(plan, id, contributed, pool);
    }

    /// Amounts whose products need 512 bits: nobody gets more than was put in, nobody less than a unit below its share.
    function testFuzz_Refunds_MUST_BeExactWith_HugeAmounts(uint256 first, uint256 second, uint256 reward) external {
        first = bound(first, 1, type(uint256).max - 1);
        second = bound(second, 1, type(uint256).max - first);
        uint256 contributed = first + second;
        reward = bound(reward, 1, contributed);
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = reward;
        uint256 id = _mint(terms);
        _fund(id, people[0], first);
        _fund(id, people[1], second);
        _accept(id, _submit(id));
        _cancel(id);
        uint256 pool = contributed - reward;
        _reclaim(id, people[0]);
        _reclaim(id, people[1]);
        uint256 got = token.balanceOf(people[0]) + token.balanceOf(people[1]);
        assertLe(got, pool);
        assertLe(pool - got, 1);
        assertLe(token.balanceOf(people[0]), first);
        assertEq(task.escrowBalanceOf(id), pool - got);
        if (pool != got) _reclaimResidual(id);
        assertEq(token.balanceOf(owner), pool - got);
    }

    /// A gift after contributions were spent never comes back to the funders, however it is cut.
    function testFuzz_Refunds_MUST_NotGrowByLaterGifts(uint64 funded, uint64 gift, uint64 reward) external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.rewardPerCompletion = uint256(reward) + 1;
        uint256 id = _mint(terms);
        uint256 contribution = uint256(funded) + terms.rewardPerCompletion;
        _fund(id, funder, contribution);
        _accept(id, _submit(id));
        _give(id, gift);
        if (task.escrowBalanceOf(id) >= terms.rewardPerCompletion) _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        uint256 spent = task.completionsOf(id) * terms.rewardPerCompletion;
        uint256 secondFromGift =
            task.completionsOf(id) == 2 ? (gift < terms.rewardPerCompletion ? gift : terms.rewardPerCompletion) : 0;
        assertEq(funder.balance, contribution + secondFromGift - spent);
    }
}
