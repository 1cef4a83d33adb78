// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {Ledger} from "./Ledger.sol";
import {Market} from "./Market.sol";
import {ScriptedJudge} from "./ScriptedJudge.sol";
import {ScriptedToken} from "./ScriptedToken.sol";

/// @title How every call must end, told from the ledger: selector of the refusal, or zero where it must succeed
/// @notice The order of the checks is the documented one.
abstract contract Rules is Market {
    bytes4 internal constant OK = 0;

    function _isPast(uint64 limit) private view returns (bool) {
        return limit != 0 && _clock > limit;
    }

    function _deadline(uint256 tokenId, uint256 id) internal view returns (uint256) {
        return ledger.submissionOf(tokenId, id).submittedAt + _window(tokenId);
    }

    function _window(uint256 tokenId) internal view returns (uint256) {
        return market.tenderTermsOf(tokenId).judgmentWindow;
    }

    function _ruleFund(uint256 tokenId, address funder, uint256 amount, uint256 value) internal view returns (bytes4) {
        Ledger.Book memory b = ledger.bookOf(tokenId);
        ITaskTender.TenderTerms memory terms = market.tenderTermsOf(tokenId);
        if (amount == 0) return ITaskErrors.ZeroAmount.selector;
        if (value != (terms.asset == address(0) ? amount : 0)) return ITaskErrors.WrongNativeValue.selector;
        if (b.cancelled) return ITaskErrors.TenderIsCancelled.selector;
        if (b.refunding) return ITaskErrors.RefundsStarted.selector;
        if (_isPast(terms.settleBy) && b.pending == 0) return ITaskErrors.SettlementClosed.selector;
        if (terms.asset != address(0)) {
            // a token may take more from the funder, as long as the vault receives the amount
            uint256 moved = ScriptedToken(terms.asset).moves(funder, market.vaultOf(tokenId), amount);
            if (moved < amount) return ITaskErrors.FundingMismatch.selector;
        }
        return OK;
    }

    function _ruleSubmit(uint256 tokenId, bytes32 resultHash) internal view returns (bytes4) {
        Ledger.Book memory b = ledger.bookOf(tokenId);
        ITaskTender.TenderTerms memory terms = market.tenderTermsOf(tokenId);
        if (resultHash == 0) return ITaskErrors.ZeroResultHash.selector;
        if (b.cancelled) return ITaskErrors.TenderIsCancelled.selector;
        if (terms.maxCompletions != 0 && b.accepted + b.pending == terms.maxCompletions) {
            return ITaskErrors.CompletionsExhausted.selector;
        }
        if (_isPast(terms.submitBy)) return ITaskErrors.SubmissionsClosed.selector;
        if (_isPast(terms.settleBy)) return ITaskErrors.SettlementClosed.selector;
        if (ledger.availableOf(tokenId) < (b.pending + 1) * REWARD) return ITaskErrors.EscrowTooLow.selector;
        return OK;
    }

    function _rulePending(uint256 tokenId, uint256 id) private view returns (bytes4) {
        if (id == 0 || id > ledger.submissionCountOf(tokenId)) return ITaskErrors.NonexistentSubmission.selector;
        if (ledger.submissionOf(tokenId, id).status != ITaskTender.SubmissionStatus.Pending) {
            return ITaskErrors.SubmissionDecided.selector;
        }
        return OK;
    }

    function _ruleJudged(uint256 tokenId, address caller) private view returns (bytes4) {
        address judge = market.acceptanceAuthorityOf(tokenId);
        if (caller != judge) return ITaskErrors.NotAcceptanceAuthority.selector;
        return _isVerifier(judge) ? ITaskErrors.SlotHoldsVerifier.selector : OK;
    }

    function _rulePayment(uint256 tokenId) private view returns (bytes4) {
        bool short_ = ledger.availableOf(tokenId) < REWARD;
        return _first(_ruleEpoch(tokenId), short_ ? ITaskErrors.EscrowTooLow.selector : OK, OK);
    }

    function _ruleEpoch(uint256 tokenId) private view returns (bytes4) {
        uint64 bound = market.tenderTermsOf(tokenId).maxCompletionsPerEpoch;
        bool full = bound != 0 && ledger.acceptedIn(tokenId, _clock / EPOCH) == bound;
        return full ? ITaskErrors.EpochExhausted.selector : OK;
    }

    function _ruleSettlement(uint256 tokenId) private view returns (bytes4) {
        if (_isPast(market.tenderTermsOf(tokenId).settleBy)) return ITaskErrors.SettlementClosed.selector;
        return _rulePayment(tokenId);
    }

    function _ruleAccept(uint256 tokenId, uint256 id, address caller) internal view returns (bytes4) {
        return _first(_ruleJudged(tokenId, caller), _rulePending(tokenId, id), _ruleSettlement(tokenId));
    }

    function _ruleSettle(uint256 tokenId, uint256 id, bytes memory proof) internal view returns (bytes4) {
        address judge = market.acceptanceAuthorityOf(tokenId);
        if (!_isVerifier(judge)) return ITaskErrors.SlotHoldsNoVerifier.selector;
        bool accepted = ScriptedJudge(payable(judge)).accepts(proof);
        bytes4 ruling = accepted ? OK : ITaskErrors.ProofNotAccepted.selector;
        return _first(_rulePending(tokenId, id), ruling, _ruleSettlement(tokenId));
    }

    function _ruleReject(uint256 tokenId, uint256 id, address caller) internal view returns (bytes4) {
        bytes4 refusal = _first(_ruleJudged(tokenId, caller), _rulePending(tokenId, id), OK);
        if (refusal != OK) return refusal;
        return _clock > _deadline(tokenId, id) ? ITaskErrors.JudgmentWindowClosed.selector : OK;
    }

    function _ruleUnjudged(uint256 tokenId, uint256 id) private view returns (bytes4) {
        bytes4 refusal = _rulePending(tokenId, id);
        if (refusal != OK) return refusal;
        if (ledger.submissionOf(tokenId, id).machineSettled) return ITaskErrors.MachineSettledSubmission.selector;
        return _clock > _deadline(tokenId, id) ? OK : ITaskErrors.JudgmentWindowOpen.selector;
    }

    function _ruleClaim(uint256 tokenId, uint256 id) internal view returns (bytes4) {
        return _first(_ruleUnjudged(tokenId, id), _rulePayment(tokenId), OK);
    }

    function _ruleShortfall(uint256 tokenId, uint256 id, address caller) internal view returns (bytes4) {
        bytes4 refusal = _ruleUnjudged(tokenId, id);
        if (refusal != OK) return refusal;
        bool mayChoose = caller == ledger.submissionOf(tokenId, id).fulfiller;
        if (!mayChoose && _clock <= _deadline(tokenId, id) + _window(tokenId)) {
            return ITaskErrors.NotFulfiller.selector;
        }
        bool enough = ledger.availableOf(tokenId) >= REWARD;
        return _first(_ruleEpoch(tokenId), enough ? ITaskErrors.EscrowSufficient.selector : OK, OK);
    }

    function _ruleRelease(uint256 tokenId, uint256 id) internal view returns (bytes4) {
        bytes4 refusal = _rulePending(tokenId, id);
        if (refusal != OK) return refusal;
        if (!ledger.submissionOf(tokenId, id).machineSettled) return ITaskErrors.JudgedSubmission.selector;
        return _clock > _deadline(tokenId, id) ? OK : ITaskErrors.JudgmentWindowOpen.selector;
    }

    function _ruleWithdraw(uint256 tokenId, address account) internal view returns (bytes4) {
        uint256 credit = ledger.creditOf(tokenId, account);
        if (credit == 0) return ITaskErrors.NothingCredited.selector;
        uint256 balance = ledger.balanceOf(tokenId);
        if (balance == 0) return ITaskErrors.EscrowTooLow.selector;
        uint256 amount = credit < balance ? credit : balance;
        return deliverable(tokenId, account, amount) == amount ? OK : ITaskErrors.PayoutFailed.selector;
    }

    function _ruleOver(uint256 tokenId) internal view returns (bytes4) {
        Ledger.Book memory b = ledger.bookOf(tokenId);
        bool over = b.cancelled || _isPast(market.tenderTermsOf(tokenId).settleBy);
        if (!over) return ITaskErrors.TenderStillOpen.selector;
        return b.pending != 0 ? ITaskErrors.DeliveriesPending.selector : OK;
    }

    function _ruleReclaim(uint256 tokenId, address funder) internal view returns (bytes4) {
        bool none = ledger.contributionOf(tokenId, funder) == 0;
        bytes4 refusal = _first(_ruleOver(tokenId), none ? ITaskErrors.NothingToReclaim.selector : OK, OK);
        if (refusal != OK) return refusal;
        uint256 amount = ledger.shareOf(tokenId, funder);
        return amount == 0 || deliverable(tokenId, funder, amount) == amount ? OK : ITaskErrors.PayoutFailed.selector;
    }

    /// @param amount what the market calls the residual; the ledger has checked it
    function _ruleResidual(uint256 tokenId, address caller, uint256 amount) internal view returns (bytes4) {
        bool isOwner = caller == market.ownerOf(tokenId);
        bytes4 refusal = _first(isOwner ? OK : ITaskErrors.NotTokenOwner.selector, _ruleOver(tokenId), OK);
        if (refusal != OK) return refusal;
        if (amount == 0) return ITaskErrors.NothingToReclaim.selector;
        return deliverable(tokenId, caller, amount) == amount ? OK : ITaskErrors.PayoutFailed.selector;
    }

    function _ruleForeign(uint256 tokenId, address caller, address foreign, uint256 amount)
        internal
        view
        returns (bytes4)
    {
        if (caller != market.ownerOf(tokenId)) return ITaskErrors.NotTokenOwner.selector;
        if (foreign == market.tenderTermsOf(tokenId).asset) return ITaskErrors.AssetOfTender.selector;
        bytes4 refusal = _ruleOver(tokenId);
        if (refusal != OK) return refusal;
        if (amount == 0) return ITaskErrors.NothingToReclaim.selector;
        return foreign == address(0) && !_takesNative(caller) ? ITaskErrors.PayoutFailed.selector : OK;
    }

    function _first(bytes4 a, bytes4 b, bytes4 c) private pure returns (bytes4) {
        if (a != OK) return a;
        return b != OK ? b : c;
    }
}
