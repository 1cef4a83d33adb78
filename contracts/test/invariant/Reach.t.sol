// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test, console} from "forge-std/Test.sol";
import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {Episode} from "./Episode.sol";

/// @title What the runs of the invariant tests reach
/// @notice Invariants that hold because nothing ever happens prove nothing. This replays a fixed set of runs with the
///         same handler and asserts that every entry point succeeded, every refusal occurred and every fate of a
///         payment was met.
contract Reach is Test {
    uint256 private constant EPISODES = 30;
    uint256 private constant STEPS = 150;
    uint256 private constant LEAST = 3; // successes of each entry point, and payments of each fate

    mapping(string => uint256) private _successes;
    mapping(string => uint256) private _calls;
    mapping(bytes4 => uint256) private _refusals;
    uint256[6] private _fates;

    function test_TheRunsReachEveryEntryPointEveryRefusalAndEveryFateOfAPayment() public {
        for (uint256 episode = 0; episode < EPISODES; episode++) {
            Episode play = new Episode();
            assertEq(play.run(episode, STEPS), "", vm.toString(episode));
            _collect(play);
        }
        string[16] memory names = _entryPoints();
        bytes4[] memory errors = _refusalKinds();
        string[6] memory fates = ["paid at once", "credited", "cut short", "forwarded", "little gas", "intrusions"];
        for (uint256 i = 0; i < names.length; i++) {
            console.log(names[i], "calls and successes", _calls[names[i]], _successes[names[i]]);
        }
        for (uint256 i = 0; i < errors.length; i++) {
            console.log("refusal", vm.toString(abi.encodePacked(errors[i])), _refusals[errors[i]]);
        }
        for (uint256 i = 0; i < fates.length; i++) {
            console.log(fates[i], _fates[i]);
        }
        for (uint256 i = 0; i < names.length; i++) {
            assertGe(_successes[names[i]], LEAST, names[i]);
        }
        for (uint256 i = 0; i < errors.length; i++) {
            assertGe(_refusals[errors[i]], 1, vm.toString(abi.encodePacked(errors[i])));
        }
        for (uint256 i = 0; i < fates.length; i++) {
            assertGe(_fates[i], LEAST, fates[i]);
        }
    }

    function _collect(Episode play) private {
        string[16] memory names = _entryPoints();
        for (uint256 i = 0; i < names.length; i++) {
            _calls[names[i]] += play.handler().calls(names[i]);
            _successes[names[i]] += play.handler().successes(names[i]);
        }
        bytes4[] memory errors = _refusalKinds();
        for (uint256 i = 0; i < errors.length; i++) {
            _refusals[errors[i]] += play.handler().refusals(errors[i]);
        }
        _fates[0] += play.handler().paidAtOnce();
        _fates[1] += play.handler().credited();
        _fates[2] += play.handler().cutShort();
        _fates[3] += play.handler().forwards();
        _fates[4] += play.handler().starvedSuccesses();
        _fates[5] += play.handler().intruder().attempts();
    }

    function _entryPoints() private pure returns (string[16] memory) {
        return [
            "fundTask",
            "submitFulfillment",
            "acceptFulfillment",
            "settleFulfillment",
            "rejectFulfillment",
            "claimUnjudged",
            "claimShortfall",
            "releaseExpired",
            "withdrawCredit",
            "reclaimEscrow",
            "reclaimResidual",
            "reclaimForeign",
            "setAcceptanceAuthority",
            "cancelTask",
            "updateTask",
            "freezeTask"
        ];
    }

    function _refusalKinds() private pure returns (bytes4[] memory list) {
        list = new bytes4[](31);
        list[0] = ITaskErrors.ZeroAmount.selector;
        list[1] = ITaskErrors.WrongNativeValue.selector;
        list[2] = ITaskErrors.TenderIsCancelled.selector;
        list[3] = ITaskErrors.RefundsStarted.selector;
        list[4] = ITaskErrors.SettlementClosed.selector;
        list[5] = ITaskErrors.FundingMismatch.selector;
        list[6] = ITaskErrors.ZeroResultHash.selector;
        list[7] = ITaskErrors.SubmissionsClosed.selector;
        list[8] = ITaskErrors.CompletionsExhausted.selector;
        list[9] = ITaskErrors.EscrowTooLow.selector;
        list[10] = ITaskErrors.EpochExhausted.selector;
        list[11] = ITaskErrors.NonexistentSubmission.selector;
        list[12] = ITaskErrors.SubmissionDecided.selector;
        list[13] = ITaskErrors.NotAcceptanceAuthority.selector;
        list[14] = ITaskErrors.SlotHoldsVerifier.selector;
        list[15] = ITaskErrors.SlotHoldsNoVerifier.selector;
        list[16] = ITaskErrors.ProofNotAccepted.selector;
        list[17] = ITaskErrors.JudgmentWindowClosed.selector;
        list[18] = ITaskErrors.JudgmentWindowOpen.selector;
        list[19] = ITaskErrors.MachineSettledSubmission.selector;
        list[20] = ITaskErrors.JudgedSubmission.selector;
        list[21] = ITaskErrors.NotFulfiller.selector;
        list[22] = ITaskErrors.EscrowSufficient.selector;
        list[23] = ITaskErrors.NothingCredited.selector;
        list[24] = ITaskErrors.PayoutFailed.selector;
        list[25] = ITaskErrors.TenderStillOpen.selector;
        list[26] = ITaskErrors.DeliveriesPending.selector;
        list[27] = ITaskErrors.NothingToReclaim.selector;
        list[28] = ITaskErrors.AssetOfTender.selector;
        list[29] = ITaskErrors.InsufficientGas.selector;
        list[30] = ITaskErrors.TaskIsFrozen.selector;
    }
}
