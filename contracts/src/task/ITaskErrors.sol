// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title Every reason for which a TaskToken refuses a call
/// @notice Each error carries the token id, what was found and the limit that was broken. A nonexistent token is
///         refused with `ERC721NonexistentToken(tokenId)` of ERC-6093. Where several reasons apply, the order in which
///         the entry points check them is listed in docs/task-market.md and pinned by a test.
interface ITaskErrors {
    // binding
    error ZeroHash();
    error ZeroAuthority();
    error EmptyURI();
    error NotUpdateAuthority(uint256 tokenId, address caller, address authority);
    error TaskIsFrozen(uint256 tokenId);
    error TaskHashUnchanged(uint256 tokenId, bytes32 taskHash);
    error DocumentUpdateRequired(uint256 tokenId);
    error DocumentMismatch(uint256 tokenId, bytes32 got, bytes32 expected);
    error DocumentTooLarge(uint256 size, uint256 max);
    error DocumentAlreadyPublished(uint256 tokenId);
    error NoOnchainDocument(uint256 tokenId);

    // terms
    error ZeroReward();
    error ZeroJudgmentWindow();
    error SettleByBeforeSubmitBy(uint64 settleBy, uint64 submitBy);
    error EpochFieldsMustPair(uint64 epochLength, uint64 maxCompletionsPerEpoch);

    // roles
    error NotAcceptanceAuthority(uint256 tokenId, address caller, address authority);
    error NotTokenOwner(uint256 tokenId, address caller, address owner);
    error NotFulfiller(uint256 tokenId, uint256 submissionId, address caller, address fulfiller);
    error SlotHoldsVerifier(uint256 tokenId, address verifier);
    error SlotHoldsNoVerifier(uint256 tokenId, address authority);

    // state of the tender
    error TenderIsCancelled(uint256 tokenId);
    error TenderStillOpen(uint256 tokenId, uint64 settleBy);
    error RefundsStarted(uint256 tokenId);
    error SubmissionsClosed(uint256 tokenId, uint64 submitBy);
    error SettlementClosed(uint256 tokenId, uint64 settleBy);
    error CompletionsExhausted(uint256 tokenId, uint64 maxCompletions);
    error EpochExhausted(uint256 tokenId, uint64 epoch, uint64 maxCompletionsPerEpoch);
    error EscrowTooLow(uint256 tokenId, uint256 available, uint256 required);
    error EscrowSufficient(uint256 tokenId, uint256 available, uint256 required);
    error DeliveriesPending(uint256 tokenId, uint64 pending);

    // one submission
    error ZeroResultHash();
    error NonexistentSubmission(uint256 tokenId, uint256 submissionId);
    error SubmissionDecided(uint256 tokenId, uint256 submissionId);
    error JudgmentWindowClosed(uint256 tokenId, uint256 submissionId, uint256 deadline);
    error JudgmentWindowOpen(uint256 tokenId, uint256 submissionId, uint256 deadline);
    error MachineSettledSubmission(uint256 tokenId, uint256 submissionId);
    error JudgedSubmission(uint256 tokenId, uint256 submissionId);
    error ProofNotAccepted(uint256 tokenId, uint256 submissionId);

    // money
    error ZeroAmount();
    error WrongNativeValue(uint256 got, uint256 expected);
    error FundingMismatch(uint256 tokenId, uint256 received, uint256 expected);
    error NothingToReclaim(uint256 tokenId, address account);
    error NothingCredited(uint256 tokenId, address account);
    error AssetOfTender(uint256 tokenId, address asset);
    error PayoutFailed(uint256 tokenId, address to, uint256 moved, uint256 expected);
    error UnreadableBalance(address asset);

    // calls
    error TenderLocked(uint256 tokenId);
    error InsufficientGas(uint256 available, uint256 required);
}
