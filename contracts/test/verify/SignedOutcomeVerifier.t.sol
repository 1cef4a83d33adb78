// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IAttestedOutcome, ISignedOutcomeVerifier} from "../mocks/companions/IAttestedVerifiers.sol";
import {AttestedTest} from "./AttestedTest.sol";
import {IStockVerifier} from "./VerifierTest.sol";

/// @title SignedOutcomeVerifier: K of N attestors, profile x-signed-outcome-eip712-v1
contract SignedOutcomeVerifierTest is AttestedTest {
    uint256 private constant HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0;
    uint256 private constant ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
    ISignedOutcomeVerifier private signed;

    function setUp() public override {
        super.setUp();
        _open("SignedOutcomeVerifier");
        signed = ISignedOutcomeVerifier(address(verifier));
        _makeAttestors(3);
    }

    function _commit(uint256 threshold) private {
        vm.prank(publisher);
        signed.commitAttestors(address(task), id, attestors, threshold);
    }

    function _commitRefused(bytes memory reason, address[] memory list, uint256 threshold) private {
        vm.expectRevert(reason);
        vm.prank(publisher);
        signed.commitAttestors(address(task), id, list, threshold);
    }

    // --- commitAttestors ---

    function test_CommitAttestors_RevertsWhen_CallerIsNotTheUpdateAuthority() external {
        address[3] memory callers = [owner, judge, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotPublisher.selector, callers[i], publisher));
            vm.prank(callers[i]);
            signed.commitAttestors(address(task), id, attestors, 2);
        }
    }

    function test_CommitAttestors_RevertsWhen_ThereAreTooMany() external {
        _makeAttestors(33);
        _commitRefused(abi.encodeWithSelector(IAttestedOutcome.TooManyAttestors.selector, 33, 32), attestors, 2);
    }

    function test_CommitAttestors_RevertsWhen_TheThresholdIsOutOfRange() external {
        _commitRefused(abi.encodeWithSelector(IAttestedOutcome.ThresholdOutOfRange.selector, 0, 3), attestors, 0);
        _commitRefused(abi.encodeWithSelector(IAttestedOutcome.ThresholdOutOfRange.selector, 4, 3), attestors, 4);
        address[] memory none;
        _commitRefused(abi.encodeWithSelector(IAttestedOutcome.ThresholdOutOfRange.selector, 1, 0), none, 1);
    }

    function test_CommitAttestors_RevertsWhen_Unsorted() external {
        (attestors[1], attestors[2]) = (attestors[2], attestors[1]);
        _commitRefused(
            abi.encodeWithSelector(IAttestedOutcome.AttestorsNotAscending.selector, attestors[1], attestors[2]),
            attestors,
            2
        );
    }

    function test_CommitAttestors_RevertsWhen_OneOccursTwice() external {
        attestors[2] = attestors[1];
        _commitRefused(
            abi.encodeWithSelector(IAttestedOutcome.AttestorsNotAscending.selector, attestors[1], attestors[1]),
            attestors,
            2
        );
    }

    function test_CommitAttestors_RevertsWhen_OneIsZero() external {
        attestors[0] = address(0);
        _commitRefused(
            abi.encodeWithSelector(IAttestedOutcome.AttestorsNotAscending.selector, address(0), address(0)),
            attestors,
            2
        );
    }

    function test_CommitAttestors_IsSetOnce() external {
        _commit(2);
        _commitRefused(
            abi.encodeWithSelector(IStockVerifier.AlreadyCommitted.selector, address(task), id), attestors, 1
        );
        assertEq(signed.thresholdOf(address(task), id), 2);
    }

    function test_CommitAttestors_RecordsAndEmits() external {
        vm.expectEmit(address(verifier));
        emit IAttestedOutcome.AttestorsCommitted(address(task), id, attestors, 2);
        _commit(2);
        assertEq(signed.thresholdOf(address(task), id), 2);
        for (uint256 i = 0; i < 3; i++) {
            assertTrue(signed.isAttestor(address(task), id, attestors[i]));
        }
        assertFalse(signed.isAttestor(address(task), id, stranger));
        assertFalse(signed.isAttestor(address(task), id + 1, attestors[0]));
    }

    // --- settling ---

    function test_Settle_PaysTheFulfillerWhoever_BringsTheSignatures() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        bytes memory proof = _proofBy(0, 2, _digestOf(submissionId));
        vm.prank(stranger);
        task.settleFulfillment(id, submissionId, proof);
        assertEq(worker.balance, REWARD);
    }

    function testFuzz_Settle_AcceptsAnyKOfN(uint256 count, uint256 threshold, uint256 choice) external {
        count = bound(count, 1, 12);
        threshold = bound(threshold, 1, count);
        _makeAttestors(count);
        _commit(threshold);
        uint256 submissionId = _deliver(worker, RESULT);
        uint256[] memory chosen = new uint256[](threshold);
        uint256 next;
        for (uint256 i = 0; i < count && next < threshold; i++) {
            bool mustTake = count - i == threshold - next;
            if (mustTake || choice >> i & 1 == 1) chosen[next++] = i;
        }
        task.settleFulfillment(id, submissionId, _proofBy(chosen, _digestOf(submissionId)));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_AcceptsThirtyTwoSignatures() external {
        _makeAttestors(32);
        _commit(32);
        uint256 submissionId = _deliver(worker, RESULT);
        uint256[] memory all = new uint256[](32);
        for (uint256 i = 0; i < 32; i++) {
            all[i] = i;
        }
        task.settleFulfillment(id, submissionId, _proofBy(all, _digestOf(submissionId)));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsBeforeTheAttestorsAreCommitted() external {
        uint256 submissionId = _deliver(worker, RESULT);
        _settleRefused(submissionId, _proofBy(0, 1, _digestOf(submissionId)));
        _settleRefused(submissionId, abi.encode(new bytes[](0)));
    }

    function test_Settle_RevertsFor_TooFewOrTooManySignatures() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        bytes32 digest = _digestOf(submissionId);
        _settleRefused(submissionId, _proofBy(1, digest));
        uint256[] memory all = new uint256[](3);
        (all[1], all[2]) = (1, 2);
        _settleRefused(submissionId, _proofBy(all, digest));
        _settleRefused(submissionId, abi.encode(new bytes[](0)));
    }

    function test_Settle_RevertsFor_DuplicateSigners() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        _settleRefused(submissionId, _proofBy(1, 1, _digestOf(submissionId)));
    }

    function test_Settle_RevertsFor_UnsortedSigners() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        _settleRefused(submissionId, _proofBy(2, 0, _digestOf(submissionId)));
    }

    function test_Settle_RevertsFor_SignersThatAreNoAttestors() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        bytes32 digest = _digestOf(submissionId);
        (, uint256 outsider) = makeAddrAndKey("outsider");
        bytes[] memory signatures = new bytes[](2);
        signatures[0] = _sign(keys[0], digest);
        signatures[1] = _sign(outsider, digest);
        _settleRefused(submissionId, abi.encode(signatures));
        (signatures[0], signatures[1]) = (signatures[1], signatures[0]);
        _settleRefused(submissionId, abi.encode(signatures));
    }

    /// A tender's attestors are its own: the same verifier serves others.
    function test_Settle_RevertsFor_AttestorsOfAnotherTender() external {
        _commit(2);
        uint256 first = id;
        id = _mint(_terms(), address(verifier));
        _fund(id, funder, REWARD);
        uint256 submissionId = _deliver(worker, RESULT);
        _settleRefused(submissionId, _proofBy(0, 1, _digestOf(submissionId)));
        assertEq(first + 1, id);
    }

    /// The second of the two valid forms of a signature: a signer cannot be counted by both.
    function test_Settle_RevertsFor_AMalleatedSignature() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keys[0], _digestOf(submissionId));
        assertLe(uint256(s), HALF_ORDER);
        bytes[] memory signatures = new bytes[](1);
        signatures[0] = abi.encodePacked(r, bytes32(ORDER - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _settleRefused(submissionId, abi.encode(signatures));
    }

    function test_Settle_RevertsFor_SignaturesOfTheWrongSize() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        bytes memory good = _sign(keys[0], _digestOf(submissionId));
        bytes[] memory signatures = new bytes[](1);
        _settleRefused(submissionId, abi.encode(signatures));
        signatures[0] = bytes.concat(good, hex"00");
        _settleRefused(submissionId, abi.encode(signatures));
        signatures[0] = new bytes(65);
        _settleRefused(submissionId, abi.encode(signatures));
    }

    // --- what a signature is bound to ---

    function _digest(address taskContract, uint256 tokenId, uint256 submissionId, address fulfiller, bytes32 result)
        private
        view
        returns (bytes32)
    {
        return signed.outcomeDigest(taskContract, tokenId, submissionId, fulfiller, result);
    }

    function test_Settle_RevertsFor_SignaturesOnAnythingElse() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        address other = makeAddr("another task contract");
        bytes32[5] memory digests = [
            _digest(other, id, submissionId, worker, RESULT),
            _digest(address(task), id + 1, submissionId, worker, RESULT),
            _digest(address(task), id, submissionId + 1, worker, RESULT),
            _digest(address(task), id, submissionId, stranger, RESULT),
            _digest(address(task), id, submissionId, worker, NEXT_HASH)
        ];
        for (uint256 i = 0; i < digests.length; i++) {
            _settleRefused(submissionId, _proofBy(0, digests[i]));
        }
        task.settleFulfillment(id, submissionId, _proofBy(0, _digestOf(submissionId)));
    }

    function test_Settle_RevertsFor_SignaturesForAnotherVerifier() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        ISignedOutcomeVerifier twin =
            ISignedOutcomeVerifier(deployCode("SignedOutcomeVerifier.sol:SignedOutcomeVerifier"));
        bytes32 digest = twin.outcomeDigest(address(task), id, submissionId, worker, RESULT);
        _settleRefused(submissionId, _proofBy(0, digest));
    }

    function test_Settle_RevertsFor_SignaturesOfAnotherChain() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        uint256 chainId = block.chainid;
        vm.chainId(chainId + 1);
        bytes32 elsewhere = _digestOf(submissionId);
        vm.chainId(chainId);
        _settleRefused(submissionId, _proofBy(0, elsewhere));
        assertTrue(elsewhere != _digestOf(submissionId));
    }

    /// What wallets show: the domain and the type, hashed here by other code than the contract's.
    function test_Digest_IsTheEip712HashOfTheOutcome() external {
        uint256 submissionId = _deliver(worker, RESULT);
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Oikos Signed Outcome"),
                keccak256("1"),
                block.chainid,
                address(verifier)
            )
        );
        bytes32 message = vm.eip712HashStruct(
            "Outcome(address taskContract,uint256 tokenId,uint256 submissionId,address fulfiller,bytes32 resultHash)",
            abi.encode(address(task), id, submissionId, worker, RESULT)
        );
        assertEq(_digestOf(submissionId), keccak256(bytes.concat(hex"1901", domain, message)));
        (bytes1 fields, string memory name, string memory version,,,,) = signed.eip712Domain();
        assertEq(fields, hex"0f");
        assertEq(name, "Oikos Signed Outcome");
        assertEq(version, "1");
    }

    // --- once ---

    function test_Settle_MUST_ConsumeWhatItAccepted() external {
        _commit(1);
        uint256 first = _deliver(worker, RESULT);
        uint256 second = _deliver(worker, RESULT);
        task.settleFulfillment(id, first, _proofBy(0, _digestOf(first)));
        assertTrue(verifier.isConsumed(address(task), id, RESULT));
        _settleRefused(second, _proofBy(0, _digestOf(second)));
        assertEq(worker.balance, REWARD);
    }

    function test_Settle_RevertsFor_AProofOfAnotherDelivery() external {
        _commit(1);
        uint256 first = _deliver(worker, RESULT);
        uint256 copied = _deliver(stranger, RESULT);
        _settleRefused(copied, _proofBy(0, _digestOf(first)));
    }

    function test_Settle_LeavesTheDeliveryPendingFor_AMalformedProof() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        _settleRefused(submissionId, "");
        _settleRefused(submissionId, hex"00");
        _settleRefused(submissionId, abi.encode(type(uint256).max));
        _settleRefused(submissionId, abi.encode(uint256(32), type(uint256).max));
        _settleRefused(submissionId, abi.encode(uint256(32), uint256(1), type(uint256).max));
        task.settleFulfillment(id, submissionId, _proofBy(0, _digestOf(submissionId)));
    }

    function testFuzz_Settle_LeavesTheDeliveryPendingFor_AnyOtherProof(bytes calldata proof) external {
        _commit(1);
        _settleRefused(_deliver(worker, RESULT), proof);
    }

    function test_Verify_RevertsWhen_CallerIsNotTheTaskContract() external {
        _commit(1);
        uint256 submissionId = _deliver(worker, RESULT);
        bytes memory proof = _proofBy(0, _digestOf(submissionId));
        vm.expectRevert(abi.encodeWithSelector(IStockVerifier.NotTaskContract.selector, stranger, address(task)));
        vm.prank(stranger);
        verifier.verifyFulfillment(address(task), id, submissionId, worker, RESULT, proof);
    }

    /// An outcome that nobody signs is no refusal: it expires.
    function test_Release_FreesWhatNobodySigned() external {
        _commit(2);
        uint256 submissionId = _deliver(worker, RESULT);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, submissionId);
        _assertStatus(id, submissionId, ITaskTender.SubmissionStatus.Rejected);
    }

    function test_Verifier_DeclaresItself() external view {
        assertTrue(verifier.supportsInterface(0x9977db15));
        assertTrue(verifier.supportsInterface(0x01ffc9a7));
        assertFalse(verifier.supportsInterface(0xffffffff));
        assertEq(verifier.profile(), "x-signed-outcome-eip712-v1");
    }
}
