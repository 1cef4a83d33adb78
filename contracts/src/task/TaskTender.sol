// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {ITaskVerifier} from "./ITaskVerifier.sol";
import {TaskBindings} from "./TaskBindings.sol";
import {TaskEscrow} from "./TaskEscrow.sol";
import {VaultClone} from "./VaultClone.sol";

/// @title The tender: funding, delivery, judgment, settlement, refund
/// @dev Checks come in one order everywhere: the tender's lock is free, the token exists, the caller's role, the
///      arguments, the state of the tender, the state of the submission, the clock, the money.
abstract contract TaskTender is TaskBindings, TaskEscrow {
    event ForeignReclaimed(uint256 indexed tokenId, address indexed owner, address indexed asset, uint256 amount);

    // --- funding ---

    function fundTask(uint256 tokenId, uint256 amount) external payable exclusive(tokenId) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        if (amount == 0) revert ZeroAmount();
        uint256 expected = terms.asset == address(0) ? amount : 0;
        if (msg.value != expected) revert WrongNativeValue(msg.value, expected);
        if (t.cancelled) revert TenderIsCancelled(tokenId);
        if (t.refunding) revert RefundsStarted(tokenId);
        // after settleBy money can only serve deliveries that still wait for a default
        if (t.pending == 0 && _isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);

        t.contributed += amount;
        // proof of no overflow: no contribution exceeds their checked sum
        unchecked {
            t.contributions[msg.sender] += amount;
        }
        uint256 balance = _deposit(tokenId, t.vault, terms.asset, amount);
        emit TenderFunded(tokenId, msg.sender, amount, balance);
    }

    /// @return balance of the vault after the deposit
    function _deposit(uint256 tokenId, address vault, address asset, uint256 amount) private returns (uint256 balance) {
        uint256 before = BoundedCall.balanceOf(asset, vault);
        if (asset == address(0)) Address.sendValue(payable(vault), amount);
        else BoundedCall.call(asset, gasleft(), abi.encodeCall(IERC20.transferFrom, (msg.sender, vault, amount)));
        balance = BoundedCall.balanceOf(asset, vault);
        uint256 received = Math.saturatingSub(balance, before);
        if (received != amount) revert FundingMismatch(tokenId, received, amount);
    }

    // --- delivery ---

    function submitFulfillment(uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId)
    {
        _requireUnlocked(tokenId);
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        if (resultHash == 0) revert ZeroResultHash();
        if (t.cancelled) revert TenderIsCancelled(tokenId);
        uint256 pending = t.pending;
        if (terms.maxCompletions != 0 && t.completions + pending >= terms.maxCompletions) {
            revert CompletionsExhausted(tokenId, terms.maxCompletions);
        }
        if (_isPast(terms.submitBy)) revert SubmissionsClosed(tokenId, terms.submitBy);
        if (_isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);
        uint256 available = _available(t, terms.asset);
        uint256 required = Math.saturatingMul(pending + 1, terms.rewardPerCompletion);
        // a saturated product is more than any balance can cover, even one of 2^256 - 1
        if (available / terms.rewardPerCompletion <= pending) revert EscrowTooLow(tokenId, available, required);

        submissionId = ++t.submissions;
        t.pending += 1;
        uint40 version = t.version;
        t.deliveries[submissionId] = Delivery({
            fulfiller: msg.sender,
            submittedAt: uint40(block.timestamp), // safe until the year 36,812
            taskVersion: version,
            machineSettled: _isVerifier(t.acceptanceAuthority),
            status: SubmissionStatus.Pending,
            resultHash: resultHash
        });
        emit FulfillmentSubmitted(tokenId, submissionId, msg.sender, resultHash, resultURI, version);
    }

    // --- ruling: follows the judgment slot as it stands ---

    function acceptFulfillment(uint256 tokenId, uint256 submissionId) external exclusive(tokenId) {
        Tender storage t = _judged(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        _pendingDelivery(t, tokenId, submissionId);
        _settle(t, tokenId, submissionId, terms);
    }

    function settleFulfillment(uint256 tokenId, uint256 submissionId, bytes calldata proof)
        external
        exclusive(tokenId)
    {
        Tender storage t = _tender(tokenId);
        address verifier = t.acceptanceAuthority;
        if (!_isVerifier(verifier)) revert SlotHoldsNoVerifier(tokenId, verifier);
        Delivery storage d = _pendingDelivery(t, tokenId, submissionId);
        if (!_isProven(verifier, tokenId, submissionId, d, proof)) revert ProofNotAccepted(tokenId, submissionId);
        _settle(t, tokenId, submissionId, VaultClone.readTerms(t.vault));
    }

    function rejectFulfillment(uint256 tokenId, uint256 submissionId) external {
        _requireUnlocked(tokenId);
        Tender storage t = _judged(tokenId);
        Delivery storage d = _pendingDelivery(t, tokenId, submissionId);
        uint256 deadline = _deadline(t, d);
        if (block.timestamp > deadline) revert JudgmentWindowClosed(tokenId, submissionId, deadline);
        _reject(t, d);
        emit FulfillmentRejected(tokenId, submissionId);
    }

    // --- the clock: follows the settlement mode that was recorded with the delivery ---

    function claimUnjudged(uint256 tokenId, uint256 submissionId) external exclusive(tokenId) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        (address fulfiller, uint256 deadline) = _unjudged(t, tokenId, submissionId);
        emit FulfillmentClaimedUnjudged(tokenId, submissionId, fulfiller, uint64(deadline));
        _settleDefault(t, tokenId, submissionId, terms);
    }

    /// @notice The way out for a delivery that silence has accepted and whose vault lost money by its token's own
    ///         doing: take what is there instead of waiting for someone to make the vault whole again.
    /// @dev The fulfiller may choose so from the deadline on, anyone after a second judgment window, so that every
    ///      delivery is resolved on a clock.
    function claimShortfall(uint256 tokenId, uint256 submissionId) external exclusive(tokenId) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        (address fulfiller, uint256 deadline) = _unjudged(t, tokenId, submissionId);
        if (msg.sender != fulfiller && block.timestamp <= deadline + terms.judgmentWindow) {
            revert NotFulfiller(tokenId, submissionId, msg.sender, fulfiller);
        }
        _countEpoch(t, tokenId, terms);
        uint256 available = _available(t, terms.asset);
        if (available >= terms.rewardPerCompletion) {
            revert EscrowSufficient(tokenId, available, terms.rewardPerCompletion);
        }
        emit FulfillmentClaimedUnjudged(tokenId, submissionId, fulfiller, uint64(deadline));
        _accept(t, tokenId, submissionId, terms, available, available);
    }

    function releaseExpired(uint256 tokenId, uint256 submissionId) external {
        _requireUnlocked(tokenId);
        Tender storage t = _tender(tokenId);
        Delivery storage d = _pendingDelivery(t, tokenId, submissionId);
        if (!d.machineSettled) revert JudgedSubmission(tokenId, submissionId);
        uint256 deadline = _deadline(t, d);
        if (block.timestamp <= deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);
        _reject(t, d);
        emit SubmissionReleased(tokenId, submissionId, uint64(deadline));
        emit FulfillmentRejected(tokenId, submissionId);
    }

    // --- roles ---

    function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external {
        _requireUnlocked(tokenId);
        Tender storage t = _tender(tokenId);
        address authority = t.acceptanceAuthority;
        if (msg.sender != authority) revert NotAcceptanceAuthority(tokenId, msg.sender, authority);
        if (newAuthority == address(0)) revert ZeroAuthority();
        t.acceptanceAuthority = newAuthority;
        emit AcceptanceAuthorityChanged(tokenId, authority, newAuthority);
    }

    // --- the end of a tender ---

    function cancelTask(uint256 tokenId) external {
        _requireUnlocked(tokenId);
        Tender storage t = _published(tokenId);
        if (t.cancelled) revert TenderIsCancelled(tokenId);
        t.cancelled = true;
        emit TenderCancelled(tokenId);
    }

    function withdrawCredit(uint256 tokenId, address account) external exclusive(tokenId) {
        Tender storage t = _tender(tokenId);
        uint256 credit = t.credits[account];
        if (credit == 0) revert NothingCredited(tokenId, account);
        address asset = VaultClone.readTerms(t.vault).asset;
        uint256 amount = Math.min(credit, BoundedCall.balanceOf(asset, t.vault));
        if (amount == 0) revert EscrowTooLow(tokenId, 0, credit);
        // proof of no underflow: amount <= credit <= credited, the sum of all credits
        unchecked {
            t.credits[account] = credit - amount;
            t.credited -= amount;
        }
        emit PayoutWithdrawn(tokenId, account, amount);
        _pull(t, tokenId, asset, account, amount);
    }

    function reclaimEscrow(uint256 tokenId) external exclusive(tokenId) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = _requireOver(t, tokenId);
        uint256 contribution = t.contributions[msg.sender];
        if (contribution == 0) revert NothingToReclaim(tokenId, msg.sender);
        uint256 available = _available(t, terms.asset);
        uint256 pool = t.pool;
        uint256 outstanding = t.outstanding;
        if (!t.refunding) {
            pool = _owedToFunders(t, terms.rewardPerCompletion, available);
            outstanding = t.contributed;
            t.refunding = true;
            t.pool = pool;
        }
        t.contributions[msg.sender] = 0;
        t.outstanding = outstanding - contribution;
        // rounded down, the vault keeps the remainder; less only where a token shrank after the first refund
        uint256 amount = Math.min(Math.mulDiv(contribution, pool, t.contributed), available);
        emit EscrowReclaimed(tokenId, msg.sender, amount);
        if (amount != 0) _pull(t, tokenId, terms.asset, msg.sender, amount);
    }

    function reclaimResidual(uint256 tokenId) external exclusive(tokenId) {
        Tender storage t = _owned(tokenId);
        TenderTerms memory terms = _requireOver(t, tokenId);
        uint256 available = _available(t, terms.asset);
        uint256 amount = Math.saturatingSub(available, _owedToFunders(t, terms.rewardPerCompletion, available));
        if (amount == 0) revert NothingToReclaim(tokenId, msg.sender);
        emit ResidualReclaimed(tokenId, msg.sender, amount);
        _pull(t, tokenId, terms.asset, msg.sender, amount);
    }

    /// @notice Hand the owner what was sent to the vault by mistake: native currency or an ERC-20 that is not the
    ///         tender's asset. Under the same gate as the residual.
    /// @dev A token that is the tender's asset under a second address is found out by the asset's balance.
    function reclaimForeign(uint256 tokenId, address foreign) external exclusive(tokenId) {
        Tender storage t = _owned(tokenId);
        address asset = VaultClone.readTerms(t.vault).asset;
        if (foreign == asset) revert AssetOfTender(tokenId, foreign);
        _requireOver(t, tokenId);
        uint256 escrow = BoundedCall.balanceOf(asset, t.vault);
        uint256 amount = BoundedCall.balanceOf(foreign, t.vault);
        if (amount == 0) revert NothingToReclaim(tokenId, msg.sender);
        emit ForeignReclaimed(tokenId, msg.sender, foreign, amount);
        _pull(t, tokenId, foreign, msg.sender, amount);
        if (BoundedCall.balanceOf(asset, t.vault) < escrow) revert AssetOfTender(tokenId, foreign);
    }

    // --- views ---

    function vaultOf(uint256 tokenId) external view returns (address) {
        return _tender(tokenId).vault;
    }

    function tenderTermsOf(uint256 tokenId) external view returns (TenderTerms memory) {
        return VaultClone.readTerms(_tender(tokenId).vault);
    }

    function acceptanceAuthorityOf(uint256 tokenId) external view returns (address) {
        return _tender(tokenId).acceptanceAuthority;
    }

    function escrowBalanceOf(uint256 tokenId) external view returns (uint256) {
        address vault = _tender(tokenId).vault;
        return BoundedCall.balanceOf(VaultClone.readTerms(vault).asset, vault);
    }

    function pendingOf(uint256 tokenId) external view returns (uint64) {
        return _tender(tokenId).pending;
    }

    function lockedEscrowOf(uint256 tokenId) external view returns (uint256) {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        return
            Math.min(
                Math.saturatingMul(t.pending, terms.rewardPerCompletion), BoundedCall.balanceOf(terms.asset, t.vault)
            );
    }

    function completionsOf(uint256 tokenId) external view returns (uint64) {
        return _tender(tokenId).completions;
    }

    function completionsInEpochOf(uint256 tokenId, uint64 epoch) external view returns (uint64) {
        return uint64(_tender(tokenId).completionsInEpoch[epoch]);
    }

    function isTenderCancelled(uint256 tokenId) external view returns (bool) {
        return _tender(tokenId).cancelled;
    }

    function submissionCountOf(uint256 tokenId) external view returns (uint256) {
        return _tender(tokenId).submissions;
    }

    function submissionOf(uint256 tokenId, uint256 submissionId) external view returns (Submission memory) {
        Delivery storage d = _delivery(_tender(tokenId), tokenId, submissionId);
        return Submission(d.fulfiller, d.resultHash, d.taskVersion, d.submittedAt, d.machineSettled, d.status);
    }

    function creditOf(uint256 tokenId, address account) external view returns (uint256) {
        return _tender(tokenId).credits[account];
    }

    /// @notice What `funder` put in through `fundTask` and has not reclaimed.
    function contributionOf(uint256 tokenId, address funder) external view returns (uint256) {
        return _tender(tokenId).contributions[funder];
    }

    /// @notice Whose the vault's balance is: owed to fulfillers as credits, to funders as refunds, and the rest, which
    ///         rewards spend first and whose remainder is the owner's.
    function escrowSharesOf(uint256 tokenId)
        external
        view
        returns (uint256 credits, uint256 funders, uint256 residual)
    {
        Tender storage t = _tender(tokenId);
        TenderTerms memory terms = VaultClone.readTerms(t.vault);
        uint256 available = _available(t, terms.asset);
        credits = t.credited;
        funders = Math.min(_owedToFunders(t, terms.rewardPerCompletion, available), available);
        residual = available - funders;
    }

    // --- shared steps ---

    function _isVerifier(address authority) private view returns (bool) {
        return BoundedCall.declaresInterface(authority, type(ITaskVerifier).interfaceId);
    }

    /// @dev Whether the verifier answers exactly true. False, a revert and a malformed reply are all no.
    function _isProven(
        address verifier,
        uint256 tokenId,
        uint256 submissionId,
        Delivery storage d,
        bytes calldata proof
    ) private returns (bool) {
        bytes memory question = abi.encodeCall(
            ITaskVerifier.verifyFulfillment, (address(this), tokenId, submissionId, d.fulfiller, d.resultHash, proof)
        );
        (bool success, uint256 size, uint256 word) = BoundedCall.call(verifier, gasleft(), question);
        return success && size >= 32 && word == 1;
    }

    /// @dev The tender, for the address in its judgment slot; nobody rules while the slot holds a verifier.
    function _judged(uint256 tokenId) private view returns (Tender storage t) {
        t = _tender(tokenId);
        address authority = t.acceptanceAuthority;
        if (msg.sender != authority) revert NotAcceptanceAuthority(tokenId, msg.sender, authority);
        if (_isVerifier(authority)) revert SlotHoldsVerifier(tokenId, authority);
    }

    function _owned(uint256 tokenId) private view returns (Tender storage t) {
        t = _tender(tokenId);
        address owner = _ownerOf(tokenId);
        if (msg.sender != owner) revert NotTokenOwner(tokenId, msg.sender, owner);
    }

    function _delivery(Tender storage t, uint256 tokenId, uint256 submissionId)
        private
        view
        returns (Delivery storage d)
    {
        d = t.deliveries[submissionId];
        if (d.fulfiller == address(0)) revert NonexistentSubmission(tokenId, submissionId);
    }

    function _pendingDelivery(Tender storage t, uint256 tokenId, uint256 submissionId)
        private
        view
        returns (Delivery storage d)
    {
        d = _delivery(t, tokenId, submissionId);
        if (d.status != SubmissionStatus.Pending) revert SubmissionDecided(tokenId, submissionId);
    }

    /// @dev Last second of the judgment window. 40 + 64 bits cannot overflow 256.
    function _deadline(Tender storage t, Delivery storage d) private view returns (uint256) {
        uint256 window = t.shortWindow;
        if (window == 0) window = VaultClone.readTerms(t.vault).judgmentWindow;
        return d.submittedAt + window;
    }

    /// @dev A judged delivery on which nobody ruled in time.
    function _unjudged(Tender storage t, uint256 tokenId, uint256 submissionId)
        private
        view
        returns (address fulfiller, uint256 deadline)
    {
        Delivery storage d = _pendingDelivery(t, tokenId, submissionId);
        if (d.machineSettled) revert MachineSettledSubmission(tokenId, submissionId);
        deadline = _deadline(t, d);
        if (block.timestamp <= deadline) revert JudgmentWindowOpen(tokenId, submissionId, deadline);
        fulfiller = d.fulfiller;
    }

    function _reject(Tender storage t, Delivery storage d) private {
        d.status = SubmissionStatus.Rejected;
        t.pending -= 1;
    }

    /// @dev A ruling: closed after settleBy.
    function _settle(Tender storage t, uint256 tokenId, uint256 submissionId, TenderTerms memory terms) private {
        if (_isPast(terms.settleBy)) revert SettlementClosed(tokenId, terms.settleBy);
        _settleDefault(t, tokenId, submissionId, terms);
    }

    /// @dev A full reward out of a vault that can pay it, whatever else happened to the tender.
    function _settleDefault(Tender storage t, uint256 tokenId, uint256 submissionId, TenderTerms memory terms) private {
        _countEpoch(t, tokenId, terms);
        uint256 available = _available(t, terms.asset);
        uint256 reward = terms.rewardPerCompletion;
        if (available < reward) revert EscrowTooLow(tokenId, available, reward);
        _accept(t, tokenId, submissionId, terms, available, reward);
    }

    /// @dev Refunds open when the tender is cancelled or past settleBy, and no delivery waits for a decision.
    function _requireOver(Tender storage t, uint256 tokenId) private view returns (TenderTerms memory terms) {
        terms = VaultClone.readTerms(t.vault);
        if (!t.cancelled && !_isPast(terms.settleBy)) revert TenderStillOpen(tokenId, terms.settleBy);
        if (t.pending != 0) revert DeliveriesPending(tokenId, t.pending);
    }

    function _isPast(uint64 limit) private view returns (bool) {
        return limit != 0 && block.timestamp > limit;
    }
}
