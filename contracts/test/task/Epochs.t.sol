// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title Epoch pacing: at most so many completions in any one epoch, by whatever path
contract EpochsTest is TaskTest {
    uint64 private constant DAY = START_DAY * 1 days;
    uint64 private constant START_DAY = uint64(START / 1 days) + 1;

    function _mintPaced(uint64 perEpoch, address authority, address asset) private returns (uint256 id) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = asset;
        terms.epochLength = 1 days;
        terms.maxCompletionsPerEpoch = perEpoch;
        id = _mint(terms, authority);
        _fund(id, funder, 10 * REWARD);
    }

    function _exhausted(uint256 id, uint64 epoch, uint64 max) private {
        _refuses(abi.encodeWithSelector(EpochExhausted.selector, id, epoch, max));
    }

    function test_Epoch_IsAbsolute_AndChangesAtItsFirstSecond() external {
        uint256 id = _mintPaced(1, judge, address(0));
        for (uint256 i = 0; i < 3; i++) {
            _submit(id);
        }
        vm.warp(DAY - 1); // last second of an epoch
        _accept(id, 1);
        assertEq(task.completionsInEpochOf(id, START_DAY - 1), 1);
        vm.warp(DAY); // first second of the next
        _accept(id, 2);
        assertEq(task.completionsInEpochOf(id, START_DAY), 1);
        vm.warp(DAY + 1 days - 1); // last second of it
        _exhausted(id, START_DAY, 1);
        _accept(id, 3);
        vm.warp(DAY + 1 days);
        _accept(id, 3);
        assertEq(task.completionsInEpochOf(id, START_DAY + 1), 1);
        assertEq(task.completionsInEpochOf(id, START_DAY + 2), 0);
        assertEq(task.completionsOf(id), 3);
    }

    function test_Epoch_MUST_BoundAcceptances() external {
        uint256 id = _mintPaced(2, judge, address(0));
        for (uint256 i = 0; i < 3; i++) {
            _submit(id);
        }
        _accept(id, 1);
        _accept(id, 2);
        _exhausted(id, START_DAY - 1, 2);
        _accept(id, 3);
        assertEq(task.completionsInEpochOf(id, START_DAY - 1), 2);
    }

    function test_Epoch_MUST_BoundProofs() external {
        uint256 id = _mintPaced(1, address(new WordVerifier()), address(0));
        _submit(id);
        _submit(id);
        task.settleFulfillment(id, 1, "yes");
        _exhausted(id, START_DAY - 1, 1);
        task.settleFulfillment(id, 2, "yes");
    }

    /// Silence must not drain in one epoch what the cadence spreads: the claim waits for the next.
    function test_Epoch_MUST_BoundClaims_WhichAreQueuedNotLost() external {
        uint256 id = _mintPaced(1, judge, address(0));
        _submit(id);
        _submit(id);
        uint256 at = DAY + WINDOW;
        uint64 epoch = uint64(at / 1 days);
        vm.warp(at);
        task.claimUnjudged(id, 1);
        _exhausted(id, epoch, 1);
        task.claimUnjudged(id, 2);
        _cancel(id); // cancelling does not lose it either
        vm.warp(at + 1 days);
        task.claimUnjudged(id, 2);
        assertEq(worker.balance, 2 * REWARD);
    }

    function test_Epoch_BoundsShortfallClaims() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintPaced(1, judge, address(token));
        _submit(id);
        _submit(id);
        token.shrink(task.vaultOf(id), 10 * REWARD - 5);
        vm.warp(DAY + WINDOW);
        vm.startPrank(worker);
        task.claimShortfall(id, 1);
        _exhausted(id, uint64((DAY + WINDOW) / 1 days), 1);
        task.claimShortfall(id, 2);
        vm.warp(DAY + WINDOW + 1 days);
        task.claimShortfall(id, 2);
    }

    function test_Epoch_MUST_NotBoundSubmissionsOrRejections() external {
        uint256 id = _mintPaced(1, judge, address(0));
        for (uint256 i = 1; i <= 5; i++) {
            _submit(id);
        }
        _accept(id, 1);
        _reject(id, 2);
        _reject(id, 3);
        assertEq(task.pendingOf(id), 2);
    }

    function test_Epoch_IsPerTender() external {
        uint256 first = _mintPaced(1, judge, address(0));
        uint256 second = _mintPaced(1, judge, address(0));
        _submit(first);
        _submit(second);
        _accept(first, 1);
        _accept(second, 1);
        assertEq(worker.balance, 2 * REWARD);
    }

    function test_Epoch_CountsNothingWithoutACadence() external {
        uint256 id = _funded(1);
        _accept(id, _submit(id));
        assertEq(task.completionsInEpochOf(id, uint64(START)), 0);
        assertEq(task.completionsInEpochOf(id, 0), 0);
    }

    function testFuzz_Epoch_MUST_NeverExceedItsBound(uint64 length, uint8 perEpoch, uint32[12] calldata steps)
        external
    {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.epochLength = uint64(bound(length, 1, 30 days));
        terms.maxCompletionsPerEpoch = uint64(bound(perEpoch, 1, 3));
        uint256 id = _mint(terms);
        _fund(id, funder, 12 * REWARD);
        uint256 now_ = START;
        for (uint256 i = 1; i <= 12; i++) {
            _submit(id);
        }
        for (uint256 i = 1; i <= 12; i++) {
            now_ += steps[i - 1] % (2 * uint256(terms.epochLength));
            vm.warp(now_);
            uint64 epoch = uint64(now_ / terms.epochLength);
            bool isFull = task.completionsInEpochOf(id, epoch) == terms.maxCompletionsPerEpoch;
            vm.prank(judge);
            (bool success,) = address(task).call(abi.encodeCall(task.acceptFulfillment, (id, i)));
            assertEq(success, !isFull);
            assertLe(task.completionsInEpochOf(id, epoch), terms.maxCompletionsPerEpoch);
        }
    }
}
