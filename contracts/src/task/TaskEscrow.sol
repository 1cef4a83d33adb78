// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BoundedCall} from "./BoundedCall.sol";
import {ITaskTender} from "./ITaskTender.sol";
import {TaskState} from "./TaskState.sol";
import {TaskVault} from "./TaskVault.sol";
import {VaultClone} from "./VaultClone.sol";

/// @title The money of one tender: what is there, whose it is, and the only three ways out
/// @notice balance = credited (owed to fulfillers) + available;
///         available = attributed (from funders, not yet spent) + gifts (everything else).
///         Rewards spend gifts first. Attributed money is `contributed - completions * reward + spared`, so that a
///         settlement writes nothing unless a gift was spent.
abstract contract TaskEscrow is TaskState, ITaskTender {
    /// @dev Most gas that a recipient or token may use while a reward is pushed: four cold storage writes and two reads
    ///      of this contract need about 105,000. Pulls have no limit.
    uint256 private constant PUSH_GAS = 200_000;
    /// @dev Must be left before a push, so that the recipient really gets PUSH_GAS after two 63/64 reductions and the
    ///      credit can still be written. Otherwise the sender's gas, not the recipient, would decide.
    uint256 private constant PUSH_GAS_REQUIRED = 320_000;

    address private immutable VAULT_IMPLEMENTATION = address(new TaskVault());

    function _deployVault(TenderTerms calldata terms) internal returns (address) {
        return VaultClone.deploy(VAULT_IMPLEMENTATION, terms);
    }

    /// @dev The live balance less what is owed as credits; zero where a token took more than that away.
    function _available(Tender storage t, address asset) internal view returns (uint256) {
        uint256 balance = BoundedCall.balanceOf(asset, t.vault);
        return t.hasAdjustments ? Math.saturatingSub(balance, t.credited) : balance;
    }

    /// @dev Contributions that no reward has spent. The true value lies between 0 and `contributed`, so arithmetic
    ///      modulo 2^256 is exact even where `completions * reward` alone would overflow.
    function _attributed(Tender storage t, uint256 reward) internal view returns (uint256 attributed) {
        uint256 spared = t.hasAdjustments ? t.spared : 0;
        unchecked {
            attributed = t.contributed + spared - uint256(t.completions) * reward;
        }
    }

    /// @dev What refunds may still take: before the first refund all attributed money that is there, afterwards at
    ///      least what the remaining funders' shares add up to, each of which is rounded down.
    function _owedToFunders(Tender storage t, uint256 reward, uint256 available) internal view returns (uint256) {
        if (t.refunding) return Math.mulDiv(t.pool, t.outstanding, t.contributed);
        return Math.min(_attributed(t, reward), available);
    }

    /// @dev Decide a pending delivery for its fulfiller and pay it. `payment` is the reward, or less where a shortfall
    ///      is claimed.
    function _accept(
        Tender storage t,
        uint256 tokenId,
        uint256 submissionId,
        TenderTerms memory terms,
        uint256 available,
        uint256 payment
    ) internal {
        uint256 attributed = _attributed(t, terms.rewardPerCompletion);
        uint256 fromGifts = Math.min(payment, Math.saturatingSub(available, attributed));
        // proof of no underflow: fromGifts <= payment <= rewardPerCompletion
        uint256 spared = terms.rewardPerCompletion - (payment - fromGifts);
        if (spared != 0) {
            t.hasAdjustments = true;
            unchecked {
                t.spared += spared; // modulo 2^256, see _attributed
            }
        }

        // A pending delivery holds one of the completions that `submitFulfillment` checked against the bound, so the
        // bound cannot be passed here.
        t.pending -= 1;
        t.completions += 1;
        Delivery storage d = t.deliveries[submissionId];
        d.status = SubmissionStatus.Accepted;
        address fulfiller = d.fulfiller;
        emit FulfillmentAccepted(tokenId, submissionId, fulfiller, payment);

        _push(t, tokenId, submissionId, terms.asset, fulfiller, payment);
    }

    /// @dev Every settlement takes one place of the current epoch, a default too.
    function _countEpoch(Tender storage t, uint256 tokenId, TenderTerms memory terms) internal {
        if (terms.epochLength == 0) return;
        uint64 epoch = uint64(block.timestamp / terms.epochLength);
        uint256 count = t.completionsInEpoch[epoch];
        if (count >= terms.maxCompletionsPerEpoch) {
            revert EpochExhausted(tokenId, epoch, terms.maxCompletionsPerEpoch);
        }
        t.completionsInEpoch[epoch] = count + 1;
    }

    /// @dev Deliver a reward; what cannot be delivered is credited, never reverted.
    function _push(Tender storage t, uint256 tokenId, uint256 submissionId, address asset, address to, uint256 amount)
        private
    {
        if (asset != address(0) || to.code.length != 0) {
            if (gasleft() < PUSH_GAS_REQUIRED) revert InsufficientGas(gasleft(), PUSH_GAS_REQUIRED);
        }
        uint256 moved = _release(t.vault, asset, to, amount, PUSH_GAS);
        if (moved < amount) {
            uint256 owed = amount - moved;
            t.hasAdjustments = true;
            t.credited += owed;
            t.credits[to] += owed;
            emit PayoutCredited(tokenId, submissionId, to, owed);
        }
    }

    /// @dev Send money that the beneficiary fetches, with all the gas that it brings.
    function _pull(Tender storage t, uint256 tokenId, address asset, address to, uint256 amount) internal {
        uint256 moved = _release(t.vault, asset, to, amount, gasleft());
        if (moved != amount) revert PayoutFailed(tokenId, to, moved, amount);
    }

    function _release(address vault, address asset, address to, uint256 amount, uint256 gasLimit)
        private
        returns (uint256)
    {
        (bool success,, uint256 word) =
            BoundedCall.call(vault, gasleft(), abi.encodeCall(TaskVault.release, (asset, to, amount, gasLimit)));
        if (success) return word;
        // A transfer that took too much was undone. Anything else is a balance that could not be read, perhaps for lack
        // of the sender's gas, which must not decide that the recipient cannot be paid.
        if (bytes4(bytes32(word)) != TaskVault.MovedTooMuch.selector) revert UnreadableBalance(asset);
        return 0;
    }
}
