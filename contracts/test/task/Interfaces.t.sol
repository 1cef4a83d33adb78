// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721Metadata} from "@openzeppelin/contracts/token/ERC721/extensions/IERC721Metadata.sol";
import {IOnchainTaskDocument} from "../../src/task/IOnchainTaskDocument.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskToken} from "../../src/task/ITaskToken.sol";
import {ITaskVerifier} from "../../src/task/ITaskVerifier.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title ERC-165 identifiers, and views of tokens that do not exist
contract InterfacesTest is TaskTest {
    // --- identifiers ---

    function test_InterfaceIds_MUST_BeThoseOfTheStandard() external pure {
        assertEq(type(ITaskToken).interfaceId, bytes4(0xcdaeb26d));
        assertEq(type(ITaskTender).interfaceId, bytes4(0xc319d532));
        assertEq(type(ITaskVerifier).interfaceId, bytes4(0x9977db15));
        assertEq(type(IOnchainTaskDocument).interfaceId, bytes4(0xeb078d05));
    }

    function test_SupportsInterface_MUST_BeTrueForEveryImplementedInterface() external view {
        assertTrue(task.supportsInterface(0xcdaeb26d), "ITaskToken");
        assertTrue(task.supportsInterface(0xc319d532), "ITaskTender");
        assertTrue(task.supportsInterface(0xeb078d05), "IOnchainTaskDocument");
        assertTrue(task.supportsInterface(type(IERC721).interfaceId), "ERC-721");
        assertTrue(task.supportsInterface(type(IERC721Metadata).interfaceId), "ERC-721 Metadata");
        assertTrue(task.supportsInterface(type(IERC165).interfaceId), "ERC-165");
    }

    function test_SupportsInterface_MUST_BeFalseForTheInvalidId() external view {
        assertFalse(task.supportsInterface(0xffffffff));
    }

    function test_SupportsInterface_IsFalseForVerifier() external view {
        assertFalse(task.supportsInterface(type(ITaskVerifier).interfaceId), "a task contract is no verifier");
    }

    // --- tokens that do not exist ---

    function _viewRefused(bytes memory call, uint256 id) private view {
        (bool success, bytes memory reply) = address(task).staticcall(call);
        assertFalse(success, "a view of a nonexistent token must revert");
        assertEq(reply, abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id));
    }

    function _viewsRefused(uint256 id) private view {
        _viewRefused(abi.encodeCall(task.taskOf, (id)), id);
        _viewRefused(abi.encodeCall(task.taskURI, (id)), id);
        _viewRefused(abi.encodeCall(task.updateAuthorityOf, (id)), id);
        _viewRefused(abi.encodeCall(task.isTaskFrozen, (id)), id);
        _viewRefused(abi.encodeCall(task.hasOnchainTaskDocument, (id)), id);
        _viewRefused(abi.encodeCall(task.taskDocument, (id)), id);
        _viewRefused(abi.encodeCall(task.vaultOf, (id)), id);
        _viewRefused(abi.encodeCall(task.tenderTermsOf, (id)), id);
        _viewRefused(abi.encodeCall(task.acceptanceAuthorityOf, (id)), id);
        _viewRefused(abi.encodeCall(task.escrowBalanceOf, (id)), id);
        _viewRefused(abi.encodeCall(task.pendingOf, (id)), id);
        _viewRefused(abi.encodeCall(task.lockedEscrowOf, (id)), id);
        _viewRefused(abi.encodeCall(task.completionsOf, (id)), id);
        _viewRefused(abi.encodeCall(task.completionsInEpochOf, (id, 0)), id);
        _viewRefused(abi.encodeCall(task.isTenderCancelled, (id)), id);
        _viewRefused(abi.encodeCall(task.submissionCountOf, (id)), id);
        _viewRefused(abi.encodeCall(task.submissionOf, (id, 1)), id);
        _viewRefused(abi.encodeCall(task.creditOf, (id, worker)), id);
        _viewRefused(abi.encodeCall(task.contributionOf, (id, funder)), id);
        _viewRefused(abi.encodeCall(task.escrowSharesOf, (id)), id);
        _viewRefused(abi.encodeCall(task.tokenURI, (id)), id);
        _viewRefused(abi.encodeCall(task.ownerOf, (id)), id);
    }

    function test_Views_MUST_RevertFor_NonexistentToken() external {
        _mint();
        _viewsRefused(0);
        _viewsRefused(2);
        _viewsRefused(type(uint256).max);
    }

    function test_SubmissionOf_RevertsFor_NonexistentSubmission() external {
        uint256 id = _funded(1);
        _submit(id);
        _refuses(abi.encodeWithSelector(NonexistentSubmission.selector, id, 0));
        task.submissionOf(id, 0);
        _refuses(abi.encodeWithSelector(NonexistentSubmission.selector, id, 2));
        task.submissionOf(id, 2);
    }
}
