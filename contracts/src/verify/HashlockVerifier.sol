// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {StockVerifier} from "./StockVerifier.sol";

/// @title Settles whoever knows the answer: profile `x-hashlock-v1`
/// @notice sha256(proof) is the committed answer hash, and resultHash is sha256(proof || fulfiller), so a copied proof
///         does not settle a copied delivery.
/// @dev Front-running posture: settling reveals the answer. Whoever sees it in the mempool can deliver and settle for
///      itself while the tender has a free slot, so use it with one completion, or use receipts with a minimum age.
contract HashlockVerifier is StockVerifier {
    event AnswerCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 answerHash);

    mapping(address taskContract => mapping(uint256 tokenId => bytes32)) public answerHashOf;

    /// @notice Commit to the answer, once, as the tender's update authority.
    function commitAnswer(address taskContract, uint256 tokenId, bytes32 answerHash)
        external
        onlyPublisher(taskContract, tokenId)
    {
        if (answerHash == 0) revert EmptyCommitment();
        if (answerHashOf[taskContract][tokenId] != 0) revert AlreadyCommitted(taskContract, tokenId);
        answerHashOf[taskContract][tokenId] = answerHash;
        emit AnswerCommitted(taskContract, tokenId, answerHash);
    }

    function profile() external pure override returns (string memory) {
        return "x-hashlock-v1";
    }

    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal view override returns (bool) {
        bytes32 answerHash = answerHashOf[taskContract][tokenId];
        return
            answerHash != 0 && sha256(proof) == answerHash && sha256(abi.encodePacked(proof, fulfiller)) == resultHash;
    }
}
