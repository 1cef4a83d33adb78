// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {SSTORE2} from "solady/utils/SSTORE2.sol";
import {IOnchainTaskDocument} from "./IOnchainTaskDocument.sol";
import {ITaskToken} from "./ITaskToken.sol";
import {TaskState} from "./TaskState.sol";

/// @title What a token asks for: binding, publication, freeze, on-chain document
/// @dev Nothing here moves money, so nothing here takes the tender's lock.
abstract contract TaskBindings is TaskState, ITaskToken, IOnchainTaskDocument {
    /// @dev A document is stored as the code of one contract: 24,576 bytes less the leading STOP.
    uint256 private constant MAX_DOCUMENT_BYTES = 24_575;

    function taskOf(uint256 tokenId) external view returns (TaskBinding memory) {
        Tender storage t = _tender(tokenId);
        return TaskBinding(t.tdHash, t.taskHash, t.version);
    }

    function taskURI(uint256 tokenId) external view returns (string memory) {
        return _tender(tokenId).uri;
    }

    function updateAuthorityOf(uint256 tokenId) external view returns (address) {
        return _tender(tokenId).updateAuthority;
    }

    function isTaskFrozen(uint256 tokenId) external view returns (bool) {
        return _tender(tokenId).frozen;
    }

    function hasOnchainTaskDocument(uint256 tokenId) external view returns (bool) {
        return _tender(tokenId).document != address(0);
    }

    function taskDocument(uint256 tokenId) external view returns (bytes memory) {
        address document = _tender(tokenId).document;
        if (document == address(0)) revert NoOnchainDocument(tokenId);
        return SSTORE2.read(document);
    }

    function updateTask(uint256 tokenId, bytes32 tdHash, bytes32 taskHash) external {
        Tender storage t = _published(tokenId);
        if (t.document != address(0) && tdHash != t.tdHash) revert DocumentUpdateRequired(tokenId);
        _update(t, tokenId, tdHash, taskHash);
    }

    function updateTaskWithDocument(uint256 tokenId, bytes calldata document, bytes32 taskHash) external {
        Tender storage t = _published(tokenId);
        bytes32 tdHash = sha256(document);
        _update(t, tokenId, tdHash, taskHash);
        _storeDocument(t, tokenId, document, tdHash);
    }

    /// @dev Allowed after a freeze: it discloses bytes that the frozen tdHash already commits to.
    function publishTaskDocument(uint256 tokenId, bytes calldata document) external {
        Tender storage t = _published(tokenId);
        if (t.document != address(0)) revert DocumentAlreadyPublished(tokenId);
        bytes32 got = sha256(document);
        if (got != t.tdHash) revert DocumentMismatch(tokenId, got, t.tdHash);
        _storeDocument(t, tokenId, document, got);
    }

    function setTaskURI(uint256 tokenId, string calldata uri) external {
        Tender storage t = _published(tokenId);
        _setURI(t, tokenId, uri);
    }

    function setUpdateAuthority(uint256 tokenId, address newAuthority) external {
        Tender storage t = _published(tokenId);
        if (newAuthority == address(0)) revert ZeroAuthority();
        t.updateAuthority = newAuthority;
        emit TaskUpdateAuthorityChanged(tokenId, msg.sender, newAuthority);
    }

    function freezeTask(uint256 tokenId) external {
        Tender storage t = _published(tokenId);
        if (t.frozen) revert TaskIsFrozen(tokenId);
        t.frozen = true;
        emit TaskFrozen(tokenId);
    }

    /// @dev The tender, for its update authority alone.
    function _published(uint256 tokenId) internal view returns (Tender storage t) {
        t = _tender(tokenId);
        if (msg.sender != t.updateAuthority) revert NotUpdateAuthority(tokenId, msg.sender, t.updateAuthority);
    }

    function _setURI(Tender storage t, uint256 tokenId, string calldata uri) internal {
        if (bytes(uri).length == 0) revert EmptyURI();
        t.uri = uri;
        emit TaskURIUpdated(tokenId, uri);
    }

    function _update(Tender storage t, uint256 tokenId, bytes32 tdHash, bytes32 taskHash) private {
        if (tdHash == 0 || taskHash == 0) revert ZeroHash();
        if (t.frozen) revert TaskIsFrozen(tokenId);
        if (taskHash == t.taskHash) revert TaskHashUnchanged(tokenId, taskHash);
        t.tdHash = tdHash;
        t.taskHash = taskHash;
        uint40 version = t.version + 1;
        t.version = version;
        emit TaskUpdated(tokenId, tdHash, taskHash, version);
    }

    function _storeDocument(Tender storage t, uint256 tokenId, bytes calldata document, bytes32 tdHash) private {
        if (document.length > MAX_DOCUMENT_BYTES) revert DocumentTooLarge(document.length, MAX_DOCUMENT_BYTES);
        t.document = SSTORE2.write(document);
        emit TaskDocumentPublished(tokenId, tdHash);
    }
}
