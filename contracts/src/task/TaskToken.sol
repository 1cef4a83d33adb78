// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {IOnchainTaskDocument} from "./IOnchainTaskDocument.sol";
import {ITaskTender} from "./ITaskTender.sol";
import {ITaskToken} from "./ITaskToken.sol";
import {TaskCard} from "./TaskCard.sol";
import {TaskTender} from "./TaskTender.sol";
import {VaultClone} from "./VaultClone.sol";

/// @title ERC-8414 token-bound task tenders
/// @notice An ERC-721 token that is a funded tender: a task bound by hashes, a vault with the reward, and one slot that
///         says who judges. The owner holds the asset, the update authority publishes, the acceptance authority judges;
///         none of them can take money out of a vault.
contract TaskToken is TaskTender {
    /// @notice The id that the next mint will get; ids count from 1.
    uint256 public nextId = 1;

    constructor(string memory name_, string memory symbol_) ERC721(name_, symbol_) {}

    /// @notice Mint a tender. Anyone may; every part of it is set here and the terms never change.
    /// @param to holder of the asset, to whom the residual belongs
    /// @param updateAuthority may publish, freeze and cancel
    /// @param acceptanceAuthority judge, or a contract that declares ITaskVerifier
    /// @param tdHash SHA-256 of the plaintext primary document
    /// @param taskHash SHA-256 of the encoded TaskRoot
    /// @param uri where the package may be found; not empty
    function mintTask(
        address to,
        address updateAuthority,
        address acceptanceAuthority,
        bytes32 tdHash,
        bytes32 taskHash,
        string calldata uri,
        TenderTerms calldata terms
    ) external returns (uint256 tokenId) {
        if (updateAuthority == address(0) || acceptanceAuthority == address(0)) {
            revert ZeroAuthority();
        }
        if (tdHash == 0 || taskHash == 0) revert ZeroHash();
        _checkTerms(terms);

        tokenId = nextId++;
        _mint(to, tokenId);
        Tender storage t = _slotFor(tokenId);
        t.vault = _deployVault(terms);
        if (terms.judgmentWindow <= type(uint24).max) t.shortWindow = uint24(terms.judgmentWindow);
        t.acceptanceAuthority = acceptanceAuthority;
        t.version = 1;
        t.updateAuthority = updateAuthority;
        t.tdHash = tdHash;
        t.taskHash = taskHash;
        emit TaskUpdated(tokenId, tdHash, taskHash, 1);
        emit TaskUpdateAuthorityChanged(tokenId, address(0), updateAuthority);
        emit AcceptanceAuthorityChanged(tokenId, address(0), acceptanceAuthority);
        _setURI(t, tokenId, uri);
    }

    /// @notice A card of the tender's live facts, for display. Never a source for verification.
    function tokenURI(uint256 tokenId) public view override returns (string memory) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        return TaskCard.render(
            TaskCard.Facts({
                tokenId: tokenId,
                asset: terms.asset,
                reward: terms.rewardPerCompletion,
                escrow: BoundedCall.balanceOf(terms.asset, t.vault),
                completions: t.completions,
                maxCompletions: terms.maxCompletions,
                pending: t.pending,
                version: t.version,
                frozen: t.frozen,
                cancelled: t.cancelled
            })
        );
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721) returns (bool) {
        return interfaceId == type(ITaskToken).interfaceId || interfaceId == type(ITaskTender).interfaceId
            || interfaceId == type(IOnchainTaskDocument).interfaceId || super.supportsInterface(interfaceId);
    }

    function _checkTerms(TenderTerms calldata terms) private pure {
        if (terms.rewardPerCompletion == 0) revert ZeroReward();
        if (terms.judgmentWindow == 0) revert ZeroJudgmentWindow();
        if (terms.submitBy != 0 && terms.settleBy != 0 && terms.settleBy < terms.submitBy) {
            revert SettleByBeforeSubmitBy(terms.settleBy, terms.submitBy);
        }
        if ((terms.epochLength == 0) != (terms.maxCompletionsPerEpoch == 0)) {
            revert EpochFieldsMustPair(terms.epochLength, terms.maxCompletionsPerEpoch);
        }
    }
}
