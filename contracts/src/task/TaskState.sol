// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {SlotDerivation} from "@openzeppelin/contracts/utils/SlotDerivation.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {ITaskErrors} from "./ITaskErrors.sol";
import {ITaskTender} from "./ITaskTender.sol";

/// @title Storage of the task market, and the lock of a single tender
/// @dev Counters are 32 and 40 bits wide. Filling the narrowest takes 2^32 deliveries to one tender, about 3.7e14 gas;
///      then the call that would overflow reverts, and everything that is owed stays payable.
abstract contract TaskState is ERC721, ITaskErrors {
    using SlotDerivation for bytes32;
    using TransientSlot for *;

    struct Delivery {
        address fulfiller;
        uint40 submittedAt;
        uint40 taskVersion;
        bool machineSettled;
        ITaskTender.SubmissionStatus status;
        bytes32 resultHash;
    }

    struct Tender {
        // slot 0: written by every delivery and every decision
        address vault;
        uint32 pending;
        uint32 submissions;
        uint24 shortWindow; // judgmentWindow in seconds where it fits (194 days), else 0: ask the terms
        bool hasAdjustments; // `credited` or `spared` may be nonzero
        // slot 1: written by every settlement
        address acceptanceAuthority;
        uint40 completions;
        uint40 version;
        bool cancelled;
        bool refunding; // `pool` and `outstanding` are fixed
        // slot 2
        address updateAuthority;
        bool frozen;
        // slot 3, 4
        bytes32 tdHash;
        bytes32 taskHash;
        // slot 5: all that ever came in through fundTask, at most one uint256
        uint256 contributed;
        // slot 6: by how much settlements spared contributions: gifts that were spent, and rewards that were cut short
        uint256 spared;
        // slot 7: owed to fulfillers whose payment could not be delivered
        uint256 credited;
        // slot 8, 9: what funders share, and the contributions that have not been reclaimed yet
        uint256 pool;
        uint256 outstanding;
        // slot 10: contract whose code holds the published document
        address document;
        string uri;
        mapping(address funder => uint256) contributions;
        mapping(address account => uint256) credits;
        mapping(uint256 submissionId => Delivery) deliveries;
        mapping(uint256 epoch => uint256) completionsInEpoch;
    }

    bytes32 private constant LOCKS = keccak256("oikos.task.lock");

    mapping(uint256 tokenId => Tender) private _tenders;

    /// @dev One tender is entered at most once at a time; every other tender of this contract stays usable.
    modifier exclusive(uint256 tokenId) {
        _requireUnlocked(tokenId);
        TransientSlot.BooleanSlot lock = LOCKS.deriveMapping(tokenId).asBoolean();
        lock.tstore(true);
        _;
        lock.tstore(false);
    }

    function _requireUnlocked(uint256 tokenId) internal view {
        if (LOCKS.deriveMapping(tokenId).asBoolean().tload()) revert TenderLocked(tokenId);
    }

    function _slotFor(uint256 tokenId) internal view returns (Tender storage) {
        return _tenders[tokenId];
    }

    function _tender(uint256 tokenId) internal view returns (Tender storage t) {
        t = _tenders[tokenId];
        if (t.vault == address(0)) revert ERC721NonexistentToken(tokenId);
    }
}
