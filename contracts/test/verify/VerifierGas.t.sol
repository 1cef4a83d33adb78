// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {
    IMerkleSecretVerifier,
    ISignedOutcomeVerifier,
    IStreakVerifier
} from "../mocks/companions/IAttestedVerifiers.sol";
import {AttestedTest} from "./AttestedTest.sol";
import {IStockVerifier} from "./VerifierTest.sol";

/// @title Gas of committing to what will be checked, and of settling by it
/// @dev Whole transactions, as receipts would show. Into snapshots/VerifierGasTest.json, which is committed: a figure
///      that changes fails the tests until the file does.
/// forge-config: default.isolate = true
contract VerifierGasTest is AttestedTest {
    function _measure(string memory name) private {
        vm.snapshotValue(name, vm.lastCallGas().gasTotalUsed);
    }

    function _settle(uint256 submissionId, bytes memory proof, string memory name) private {
        vm.prank(stranger);
        task.settleFulfillment(id, submissionId, proof);
        _measure(name);
    }

    function _signed(uint256 count, uint256 threshold) private {
        string memory kOfN = string.concat(vm.toString(threshold), " of ", vm.toString(count));
        _makeAttestors(count);
        _open("SignedOutcomeVerifier");
        vm.prank(publisher);
        ISignedOutcomeVerifier(address(verifier)).commitAttestors(address(task), id, attestors, threshold);
        _measure(string.concat("commitAttestors, ", kOfN));
        uint256[] memory numbers = new uint256[](threshold);
        for (uint256 i = 0; i < threshold; i++) {
            numbers[i] = i;
        }
        uint256 submissionId = _deliver(worker, RESULT);
        _settle(submissionId, _proofBy(numbers, _digestOf(submissionId)), string.concat("settle, signatures ", kOfN));
    }

    function test_GasOfSignedOutcomes() external {
        _signed(1, 1);
        _signed(2, 2);
        _signed(3, 2);
        _signed(9, 5);
        _signed(32, 32);
    }

    function _settleReport(address provider, string memory name) private {
        uint256 submissionId = _deliver(provider, keccak256(abi.encode("report", vm.getBlockTimestamp())));
        _settle(submissionId, _proofBy(0, 1, _digestOf(submissionId)), name);
    }

    function test_GasOfAStreak() external {
        _makeAttestors(3);
        verifier = IStockVerifier(deployCode("StreakVerifier.sol:StreakVerifier"));
        ITaskTender.TenderTerms memory terms = _terms();
        (terms.epochLength, terms.maxCompletionsPerEpoch) = (1 days, 2);
        id = _mint(terms, address(verifier));
        _fund(id, funder, 9 * REWARD);
        IStreakVerifier streak = IStreakVerifier(address(verifier));
        vm.prank(publisher);
        streak.commitStreak(address(task), id, attestors, 2, 1 days);
        _measure("commitStreak, 2 of 3");
        _settleReport(worker, "settle, streak, takes the seat");
        vm.warp(START + 1 days);
        _settleReport(worker, "settle, streak, next epoch");
        vm.warp(START + 5 days);
        _settleReport(judge, "settle, streak, takes over a missed seat");
        vm.warp(START + 9 days);
        streak.declareMiss(address(task), id);
        _measure("declareMiss");
    }

    function test_GasOfASecret() external {
        _open("MerkleSecretVerifier");
        bytes32[] memory branch = new bytes32[](10);
        bytes32 root = sha256(bytes.concat(hex"00", RESULT));
        for (uint256 i = 0; i < 10; i++) {
            branch[i] = keccak256(abi.encode("sibling", i));
            root = root < branch[i]
                ? sha256(bytes.concat(hex"01", root, branch[i]))
                : sha256(bytes.concat(hex"01", branch[i], root));
        }
        vm.prank(publisher);
        IMerkleSecretVerifier(address(verifier)).commitSecrets(address(task), id, root, 60);
        _measure("commitSecrets");
        bytes32 result = sha256(bytes.concat(RESULT, bytes20(worker)));
        uint256 submissionId = _deliver(worker, result);
        vm.warp(START + 60);
        _settle(submissionId, abi.encode(RESULT, branch), "settle, one secret of 1,024");
        vm.prank(publisher);
        verifier.handOver(address(task), id, judge);
        _measure("handOver");
    }
}
