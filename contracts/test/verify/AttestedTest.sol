// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IAttestedOutcome} from "../mocks/companions/IAttestedVerifiers.sol";
import {VerifierTest} from "./VerifierTest.sol";

/// @title Keys, signatures and proofs that the tests of attested outcomes share
abstract contract AttestedTest is VerifierTest {
    /// @dev Keys in the order of their addresses.
    uint256[] internal keys;
    address[] internal attestors;

    function _makeAttestors(uint256 count) internal {
        delete keys;
        delete attestors;
        for (uint256 i = 0; i < count; i++) {
            (address account, uint256 key) = makeAddrAndKey(string.concat("attestor ", vm.toString(i)));
            attestors.push(account);
            keys.push(key);
            for (uint256 j = i; j > 0 && attestors[j] < attestors[j - 1]; j--) {
                (attestors[j], attestors[j - 1]) = (attestors[j - 1], attestors[j]);
                (keys[j], keys[j - 1]) = (keys[j - 1], keys[j]);
            }
        }
    }

    function _digestOf(uint256 submissionId) internal view returns (bytes32) {
        return IAttestedOutcome(address(verifier))
            .outcomeDigest(
                address(task),
                id,
                submissionId,
                task.submissionOf(id, submissionId).fulfiller,
                task.submissionOf(id, submissionId).resultHash
            );
    }

    function _sign(uint256 key, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev A proof by the attestors with these numbers, in this order.
    function _proofBy(uint256[] memory numbers, bytes32 digest) internal view returns (bytes memory) {
        bytes[] memory signatures = new bytes[](numbers.length);
        for (uint256 i = 0; i < numbers.length; i++) {
            signatures[i] = _sign(keys[numbers[i]], digest);
        }
        return abi.encode(signatures);
    }

    function _proofBy(uint256 a, bytes32 digest) internal view returns (bytes memory) {
        uint256[] memory numbers = new uint256[](1);
        numbers[0] = a;
        return _proofBy(numbers, digest);
    }

    function _proofBy(uint256 a, uint256 b, bytes32 digest) internal view returns (bytes memory) {
        uint256[] memory numbers = new uint256[](2);
        (numbers[0], numbers[1]) = (a, b);
        return _proofBy(numbers, digest);
    }
}
