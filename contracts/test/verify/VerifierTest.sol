// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TaskTest} from "../task/TaskTest.sol";

/// @title What both stock verifiers offer
interface IStockVerifier {
    error NotPublisher(address caller, address updateAuthority);
    error AlreadyCommitted(address taskContract, uint256 tokenId);
    error EmptyCommitment();
    error ZeroMinAge();
    error NotTaskContract(address caller, address taskContract);
    error DeliveriesPending(address taskContract, uint256 tokenId, uint64 pending);

    event AnswerCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 answerHash);
    event BatchRootCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 root, uint64 minAge);

    function commitAnswer(address taskContract, uint256 tokenId, bytes32 answerHash) external;
    function answerHashOf(address taskContract, uint256 tokenId) external view returns (bytes32);
    function commitBatchRoot(address taskContract, uint256 tokenId, bytes32 root, uint64 minAge) external;
    function batchOf(address taskContract, uint256 tokenId) external view returns (bytes32 root, uint64 minAge);
    function handOver(address taskContract, uint256 tokenId, address newAuthority) external;
    function isConsumed(address taskContract, uint256 tokenId, bytes32 resultHash) external view returns (bool);
    function profile() external view returns (string memory);
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
    function verifyFulfillment(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) external returns (bool);
}

/// @title Steps that the tests of the stock verifiers share
abstract contract VerifierTest is TaskTest {
    IStockVerifier internal verifier;
    uint256 internal id;

    /// @dev Mint a tender that `name` judges, with enough for five completions.
    function _open(string memory name) internal {
        verifier = IStockVerifier(deployCode(string.concat(name, ".sol:", name)));
        id = _mint(_terms(), address(verifier));
        _fund(id, funder, 5 * REWARD);
    }

    function _deliver(address fulfiller, bytes32 resultHash) internal returns (uint256) {
        vm.prank(fulfiller);
        return task.submitFulfillment(id, resultHash, "ipfs://result");
    }

    function _settleRefused(uint256 submissionId, bytes memory proof) internal {
        _refuses(abi.encodeWithSelector(ProofNotAccepted.selector, id, submissionId));
        task.settleFulfillment(id, submissionId, proof);
        assertEq(uint8(_status(id, submissionId)), 0, "stays pending");
    }
}
