// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {
    BurningJudge,
    GarbageJudge,
    HalfVerifier,
    MegabyteJudge,
    RevertingJudge,
    SilentJudge,
    TwoJudge,
    YesJudge
} from "../mocks/Judges.sol";
import {SlowVerifier, WordVerifier} from "../mocks/Verifiers.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title How a verifier is recognised: by a clean ERC-165 answer, and by nothing else
contract VerifierProbeTest is TaskTest {
    /// @dev The mode that a delivery records while `authority` holds the slot.
    function _recordedMode(address authority) private returns (bool) {
        uint256 id = _mint(_terms(), authority);
        _fund(id, funder, REWARD);
        _submit(id);
        return task.submissionOf(id, 1).machineSettled;
    }

    // --- verifiers ---

    function test_Probe_MUST_RecogniseADeclaredVerifier() external {
        assertTrue(_recordedMode(address(new WordVerifier())));
    }

    /// ERC-165 allows an answer 30,000 gas.
    function test_Probe_MUST_GiveAVerifierAllTheGasOfERC165() external {
        assertTrue(_recordedMode(address(new SlowVerifier())));
    }

    // --- judges ---

    function test_Probe_MUST_TreatAnAccountAsAJudge() external {
        assertFalse(_recordedMode(judge));
    }

    /// A wallet that takes any call and replies nothing must not make every delivery revert.
    function test_Probe_MUST_TreatASilentFallbackAsAJudge() external {
        assertFalse(_recordedMode(address(new SilentJudge())));
    }

    function test_Probe_MUST_TreatEveryMalformedReplyAsAJudge() external {
        uint16[8] memory sizes = [1, 4, 31, 32, 33, 64, 256, 5000];
        for (uint256 i = 0; i < sizes.length; i++) {
            assertFalse(_recordedMode(address(new GarbageJudge(sizes[i], 0x01))), "bytes of 1");
            assertFalse(_recordedMode(address(new GarbageJudge(sizes[i], 0xff))), "bytes of 255");
            assertFalse(_recordedMode(address(new GarbageJudge(sizes[i], 0x00))), "zeros");
        }
    }

    function test_Probe_MUST_TreatARevertAsAJudge() external {
        assertFalse(_recordedMode(address(new RevertingJudge())));
    }

    function test_Probe_MUST_TreatAContractThatSaysYesToEverythingAsAJudge() external {
        assertFalse(_recordedMode(address(new YesJudge())));
    }

    /// A Boolean is 0 or 1; the rest of the answers are those of a verifier.
    function test_Probe_MUST_TreatAnotherWordThanTrueAsAJudge() external {
        assertFalse(_recordedMode(address(new TwoJudge())));
    }

    function test_Probe_MUST_TreatAContractWithoutERC165AsAJudge() external {
        assertFalse(_recordedMode(address(new HalfVerifier())));
    }

    function test_Probe_MUST_BoundTheGasOfABurningJudge() external {
        BurningJudge burner = new BurningJudge();
        uint256 before = gasleft();
        assertFalse(_recordedMode(address(burner)));
        assertLt(before - gasleft(), 700_000);
    }

    function test_Probe_MUST_BoundTheReplyOfAJudge() external {
        MegabyteJudge judge_ = new MegabyteJudge();
        uint256 before = gasleft();
        assertFalse(_recordedMode(address(judge_)));
        assertLt(before - gasleft(), 700_000);
    }

    /// Every one of them can rule, and its silence can be claimed.
    function test_Probe_MUST_LetOddContractsJudge() external {
        SilentJudge[4] memory judges = [
            new SilentJudge(),
            SilentJudge(payable(address(new YesJudge()))),
            SilentJudge(payable(address(new BurningJudge()))),
            SilentJudge(payable(address(new GarbageJudge(7, 0x01))))
        ];
        for (uint256 i = 0; i < judges.length; i++) {
            uint256 id = _mint(_terms(), address(judges[i]));
            _fund(id, funder, 3 * REWARD);
            for (uint256 j = 0; j < 3; j++) {
                _submit(id);
            }
            judges[i].accept(task, id, 1);
            judges[i].reject(task, id, 2);
            _refuses(abi.encodeWithSelector(SlotHoldsNoVerifier.selector, id, address(judges[i])));
            task.settleFulfillment(id, 3, "yes");
            vm.warp(START + WINDOW + 1);
            task.claimUnjudged(id, 3);
            vm.warp(START);
        }
        assertEq(worker.balance, 8 * REWARD);
    }

    // --- the caller's gas ---

    /// @dev Deliver with every gas limit of a sweep: either nothing happens, or the mode is the true one.
    function _sweep(address verifier) private {
        uint256 id = _mint(_terms(), verifier);
        _fund(id, funder, REWARD);
        uint256 delivered;
        for (uint256 gasLimit = 30_000; gasLimit <= 330_000; gasLimit += 601) {
            uint256 snapshot = vm.snapshotState();
            vm.cool(verifier);
            (bool success,) =
                address(task).call{gas: gasLimit}(abi.encodeCall(task.submitFulfillment, (id, RESULT, "ipfs://r")));
            if (success) {
                delivered++;
                assertTrue(task.submissionOf(id, 1).machineSettled, "starved into the judged mode");
            }
            vm.revertToState(snapshot);
        }
        assertGt(delivered, 0, "the sweep reaches success");
    }

    function test_Probe_MUST_NotBeStarved() external {
        _sweep(address(new WordVerifier()));
    }

    function test_Probe_MUST_NotBeStarved_SlowVerifier() external {
        _sweep(address(new SlowVerifier()));
    }

    /// Enough for the first probe and not for the third: refused, and not answered.
    function test_Probe_MUST_RefuseWithTooLittleGas() external {
        uint256 id = _mint(_terms(), address(new SlowVerifier()));
        _fund(id, funder, REWARD);
        (bool success, bytes memory reply) =
            address(task).call{gas: 100_000}(abi.encodeCall(task.submitFulfillment, (id, RESULT, "ipfs://r")));
        assertFalse(success);
        assertEq(bytes4(reply), InsufficientGas.selector);
    }
}
