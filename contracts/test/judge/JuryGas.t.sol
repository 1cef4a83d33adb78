// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {JuryTest} from "./JuryTest.sol";

/// @title Gas of what a jury and its jurors do: three jurors, a quorum of two, a native tender
/// @dev Whole transactions, as receipts would show. Into snapshots/JuryGasTest.json, which is committed: a figure that
///      changes fails the tests until the file does.
/// forge-config: default.isolate = true
contract JuryGasTest is JuryTest {
    function _measure(string memory name) private {
        vm.snapshotValue(name, vm.lastCallGas().gasTotalUsed);
    }

    function _promiseAndFund(uint256 amount) private {
        vm.prank(publisher);
        panel.promiseFee(address(task), id, address(0), 3_000);
        _measure("promiseFee");
        vm.deal(funder, amount);
        vm.prank(funder);
        panel.fundFees{value: amount}(address(task), id, amount);
        _measure("fundFees, native, first");
    }

    function test_GasOfAVerdict() external {
        uint256 accepted = _submit(id);
        _vote(0, accepted, true);
        _measure("vote, opens the case");
        _vote(1, accepted, true);
        _measure("vote, accepts and pays");
        uint256 refused = _submit(id);
        _vote(0, refused, false);
        _vote(1, refused, false);
        _measure("vote, refuses");
    }

    function test_GasOfATimeout() external {
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        _vote(1, submissionId, false);
        _measure("vote, in an open case");
        vm.warp(START + VOTE_WINDOW + 1);
        panel.finalizeTimeout(address(task), id, submissionId);
        _measure("finalizeTimeout");
    }

    function test_GasOfAFee() external {
        _promiseAndFund(9_000);
        uint256 submissionId = _submit(id);
        _vote(0, submissionId, true);
        _vote(1, submissionId, true);
        _measure("vote, accepts, pays and credits the fee");
        panel.withdraw(address(0), jury[0]);
        _measure("withdraw, a juror, native");
        vm.prank(jury[1]);
        panel.withdrawTo(address(0), stranger);
        _measure("withdrawTo, a juror, native");
        _cancel(id);
        panel.returnFees(address(task), id);
        _measure("returnFees, native");
    }

    function test_GasOfAKeptVerdict() external {
        _keepOne();
        _measure("vote, accepts, kept for the next epoch");
        vm.warp(START + 1 days);
        panel.execute(address(task), id, 2);
        _measure("execute");
    }

    function test_GasOfAHandOver() external {
        vm.prank(jury[0]);
        panel.voteHandOver(address(task), id, judge, true);
        _measure("voteHandOver, first");
        vm.prank(jury[1]);
        panel.voteHandOver(address(task), id, judge, true);
        _measure("voteHandOver, hands over");
    }

    /// The largest jury: what the last of thirty-two votes costs, with a fee for all of them.
    function test_GasOfTheLargestJury() external {
        delete jury;
        for (uint256 i = 0; i < 32; i++) {
            jury.push(address(uint160(0x1000 + i)));
        }
        panel = _deployPanel(jury, 32, VOTE_WINDOW);
        id = _mint(_terms(), address(panel));
        _fund(id, funder, REWARD);
        vm.prank(publisher);
        panel.promiseFee(address(task), id, address(0), 3_200);
        panel.fundFees{value: 3_200}(address(task), id, 3_200);
        uint256 submissionId = _submit(id);
        for (uint256 i = 0; i < 32; i++) {
            _vote(i, submissionId, true);
        }
        _measure("vote, the last of 32, accepts and credits 32 fees");
    }
}
