// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IOnchainTaskDocument} from "../../src/task/IOnchainTaskDocument.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskToken} from "../../src/task/ITaskToken.sol";

/// @title Everything that a TaskToken offers, as an interface
/// @notice Tests know the contract by this alone, so that a change of its source does not compile them again.
interface ITaskMarket is ITaskToken, ITaskTender, IOnchainTaskDocument, IERC721 {
    event ForeignReclaimed(uint256 indexed tokenId, address indexed owner, address indexed asset, uint256 amount);

    function nextId() external view returns (uint256);
    function name() external view returns (string memory);
    function symbol() external view returns (string memory);
    function tokenURI(uint256 tokenId) external view returns (string memory);
    function mintTask(
        address to,
        address updateAuthority,
        address acceptanceAuthority,
        bytes32 tdHash,
        bytes32 taskHash,
        string calldata uri,
        TenderTerms calldata terms
    ) external returns (uint256 tokenId);
    function claimShortfall(uint256 tokenId, uint256 submissionId) external;
    function reclaimForeign(uint256 tokenId, address foreign) external;
    function contributionOf(uint256 tokenId, address funder) external view returns (uint256);
    function escrowSharesOf(uint256 tokenId) external view returns (uint256 credits, uint256 funders, uint256 residual);
}

/// @title What the vault of a tender offers
interface ITaskVault {
    error NotKernel(address caller, address kernel);
    error MovedTooMuch(address asset, uint256 moved, uint256 expected);

    function KERNEL() external view returns (address);
    function release(address asset, address to, uint256 amount, uint256 gasLimit) external returns (uint256 moved);
}
