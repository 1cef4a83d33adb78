// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskErrors} from "../../src/task/ITaskErrors.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MarketHandler} from "./MarketHandler.sol";

/// @title The market, and how it ends
contract Closing is MarketHandler {
    /// @notice What a run draws from.
    function actions() external pure returns (bytes4[] memory list) {
        list = new bytes4[](32);
        list[0] = this.fundTask.selector;
        list[1] = this.give.selector;
        list[2] = this.shrink.selector;
        list[3] = this.submitFulfillment.selector;
        list[4] = this.acceptFulfillment.selector;
        list[5] = this.settleFulfillment.selector;
        list[6] = this.rejectFulfillment.selector;
        list[7] = this.claimUnjudged.selector;
        list[8] = this.claimShortfall.selector;
        list[9] = this.releaseExpired.selector;
        list[10] = this.withdrawCredit.selector;
        list[11] = this.reclaimEscrow.selector;
        list[12] = this.reclaimResidual.selector;
        list[13] = this.reclaimForeign.selector;
        list[14] = this.setAcceptanceAuthority.selector;
        list[15] = this.cancelTask.selector;
        list[16] = this.publish.selector;
        list[17] = this.transferToken.selector;
        list[18] = this.instructPerson.selector;
        list[19] = this.instructJudge.selector;
        list[20] = this.instructToken.selector;
        list[21] = this.waitForBoundary.selector;
        // without money and deliveries nothing else happens
        list[22] = this.fundTask.selector;
        list[23] = this.fundTask.selector;
        list[24] = this.submitFulfillment.selector;
        list[25] = this.submitFulfillment.selector;
        list[26] = this.submitFulfillment.selector;
        list[27] = this.waitForBoundary.selector;
        list[28] = this.shrink.selector;
        list[29] = this.waitForBoundary.selector;
        list[30] = this.waitForBoundary.selector;
        list[31] = this.claimShortfall.selector;
    }

    /// @notice Let the clock decide every pending delivery, by calls of a stranger, whatever tokens and people do.
    function resolveEverything() public {
        _generous = true;
        for (uint256 i = 0; i < TENDERS; i++) {
            uint256 tokenId = _tokenIds[i];
            if (ledger.bookOf(tokenId).pending == 0) continue;
            // enough for the youngest delivery and for the second window of a shortfall
            _clock += 2 * _window(tokenId) + 1;
            uint256 count = ledger.submissionCountOf(tokenId);
            for (uint256 id = 1; id <= count; id++) {
                if (ledger.submissionOf(tokenId, id).status == ITaskTender.SubmissionStatus.Pending) {
                    _resolve(tokenId, id);
                }
            }
        }
        _generous = false;
    }

    /// @notice End every tender and let everyone take what is theirs, from tokens and people that have come to reason.
    function closeEverything() external {
        for (uint256 i = 0; i < TENDERS; i++) {
            for (uint256 p = 0; p < _people.length; p++) {
                _comeToReason(_tokenIds[i], _people[p]);
            }
        }
        resolveEverything();
        _generous = true;
        for (uint256 i = 0; i < TENDERS; i++) {
            uint256 tokenId = _tokenIds[i];
            if (!ledger.bookOf(tokenId).cancelled) {
                _attempt("cancelTask", _publisher, 0, abi.encodeCall(ITaskTender.cancelTask, (tokenId)), OK);
                ledger.cancel(tokenId);
            }
            for (uint256 p = 0; p < _people.length; p++) {
                _takeCredit(tokenId, _people[p]);
            }
            for (uint256 p = 0; p < _people.length; p++) {
                _takeRefund(tokenId, _people[p]);
            }
            _takeResidual(tokenId);
        }
        _generous = false;
    }

    function _resolve(uint256 tokenId, uint256 id) private {
        vm.warp(_clock);
        address stranger = address(0xdead);
        if (ledger.submissionOf(tokenId, id).machineSettled) {
            bytes memory release = abi.encodeCall(ITaskTender.releaseExpired, (tokenId, id));
            if (_attempt("releaseExpired", stranger, 0, release, OK)) ledger.reject(tokenId, id);
            return;
        }
        bool short_ = ledger.availableOf(tokenId) < REWARD;
        // an asset that keeps to its standard cannot be short: the delivery reserved its reward
        if (short_ && isWellBehaved(tokenId)) _report("shortfall of a well-behaved asset", OK, OK);
        bytes memory claim = abi.encodeCall(ITaskTender.claimUnjudged, (tokenId, id));
        if (short_) claim = abi.encodeCall(market.claimShortfall, (tokenId, id));
        if (short_ ? _ruleShortfall(tokenId, id, stranger) != OK : _ruleClaim(tokenId, id) != OK) {
            // queued, not lost: the next epoch has room
            _attemptPayment("claimUnjudged", tokenId, id, stranger, claim, ITaskErrors.EpochExhausted.selector);
            _clock = (_clock / EPOCH + 1) * EPOCH;
            vm.warp(_clock);
        }
        _attemptPayment(short_ ? "claimShortfall" : "claimUnjudged", tokenId, id, stranger, claim, OK);
    }

    function _takeCredit(uint256 tokenId, address account) private {
        uint256 credit = ledger.creditOf(tokenId, account);
        uint256 balance = ledger.balanceOf(tokenId);
        if (credit == 0 || balance == 0) return;
        bytes memory data = abi.encodeCall(ITaskTender.withdrawCredit, (tokenId, account));
        if (_attempt("withdrawCredit", account, 0, data, OK)) {
            ledger.withdraw(tokenId, account, credit < balance ? credit : balance);
        }
    }

    function _takeRefund(uint256 tokenId, address funder) private {
        if (ledger.contributionOf(tokenId, funder) == 0) return;
        bytes memory data = abi.encodeCall(ITaskTender.reclaimEscrow, (tokenId));
        if (_attempt("reclaimEscrow", funder, 0, data, OK)) ledger.refund(tokenId, funder);
    }

    function _takeResidual(uint256 tokenId) private {
        uint256 residual = ledger.bookOf(tokenId).gifts;
        if (residual == 0) return;
        bytes memory data = abi.encodeCall(ITaskTender.reclaimResidual, (tokenId));
        if (_attempt("reclaimResidual", market.ownerOf(tokenId), 0, data, OK)) {
            ledger.takeResidual(tokenId, residual);
        }
    }
}
