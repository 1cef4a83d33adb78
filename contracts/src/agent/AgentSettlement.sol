// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {AgentArguments} from "./AgentArguments.sol";
import {AgentRequests} from "./AgentRequests.sol";
import {Corridor} from "./Corridor.sol";
import {Outcome} from "./IAgentErrors.sol";
import {Position, PositionCodec, PositionSlots} from "./Position.sol";

/// @title Settlement: the Agent's answer to a request, at a price that its books give
/// @notice One round reads the books once, settles one requester or many at one price, and writes the books once. Mints
///         pay the rate rounded up, redemptions are paid at the rate rounded down.
abstract contract AgentSettlement is AgentRequests {
    using PositionCodec for PositionSlots;

    uint256 private constant BPS = 10_000;

    /// @dev Below it the published rate is coarser than 1 bps.
    uint256 private constant COARSE_RATE = 1e4;

    struct Round {
        uint256 balance;
        uint256 reserved;
        uint256 supply;
        uint256 unclaimed;
        uint256 fees;
        uint256 burned;
        // the rate as published, rounded down (redemptions) and up (mints)
        uint256 down;
        uint256 up;
        // what is settled at: a mint at mintPrice / scale, a redemption at redeemPrice / scale
        uint256 redeemPrice;
        uint256 mintPrice;
        uint256 scale;
        uint256 feeBps;
        uint256 minRequestAgeSec;
    }

    // --- entry points ---

    function settleMint(address requester, bytes32 reasoningHash, string calldata reasoningURI) external locked {
        _settleOne(requester, _kind(), reasoningHash, reasoningURI);
    }

    function settleRedeem(address requester, bytes32 reasoningHash, string calldata reasoningURI) external locked {
        _settleOne(requester, _kind(), reasoningHash, reasoningURI);
    }

    /// @notice Settle many deposits at one price with one record, at most MAX_BATCH. A member that cannot be settled is
    ///         reported with `SettlementSkipped`.
    function settleMintBatch(address[] calldata requesters, bytes32 reasoningHash, string calldata reasoningURI)
        external
        locked
    {
        _settleMany(requesters, _kind(), reasoningHash, reasoningURI);
    }

    /// @notice As `settleMintBatch`, for redemptions.
    function settleRedeemBatch(address[] calldata requesters, bytes32 reasoningHash, string calldata reasoningURI)
        external
        locked
    {
        _settleMany(requesters, _kind(), reasoningHash, reasoningURI);
    }

    /// @notice Refuse a request: what is pending goes back to the requester at once. Executor only.
    /// @param kind 0 for the deposit, 1 for the escrowed shares
    function decline(address requester, uint8 kind, bytes32 reasoningHash, string calldata reasoningURI)
        external
        locked
    {
        _requireExecutor();
        _requireReasoning(reasoningHash, reasoningURI);
        if (kind > 1) revert UnknownKind(kind);
        _return(requester, kind);
        emit Reasoned(msg.sender, msg.sig, reasoningHash, reasoningURI);
    }

    /// @dev Read from the selector, so that the compiler keeps one copy of what both kinds share.
    function _kind() private pure returns (uint8) {
        return msg.sig == this.settleRedeem.selector || msg.sig == this.settleRedeemBatch.selector ? REDEEM : MINT;
    }

    function _settleOne(address requester, uint8 kind, bytes32 reasoningHash, string calldata reasoningURI) private {
        (Round memory round, bool open) = _openRound(kind, reasoningHash, reasoningURI);
        uint256 amount = 0;
        if (open) {
            Outcome outcome;
            (outcome, amount) = _settle(round, requester, kind);
            if (outcome == Outcome.Settled) _closeRound(round, kind);
            else if (outcome != Outcome.LimitBreached) revert Unsettled(requester, outcome);
            else emit SettlementSkipped(requester, kind, outcome);
        }
        emit Settled(requester, kind, amount, reasoningHash, reasoningURI);
    }

    function _settleMany(address[] calldata requesters, uint8 kind, bytes32 reasoningHash, string calldata reasoningURI)
        private
    {
        (Round memory round, bool open) = _openRound(kind, reasoningHash, reasoningURI);
        if (requesters.length > MAX_BATCH) revert ListTooLong(requesters.length, MAX_BATCH);
        emit Reasoned(msg.sender, msg.sig, reasoningHash, reasoningURI);
        if (!open) return;
        for (uint256 i = 0; i < requesters.length; ++i) {
            (Outcome outcome, uint256 amount) = _settle(round, requesters[i], kind);
            if (outcome == Outcome.Settled) emit Settled(requesters[i], kind, amount, reasoningHash, reasoningURI);
            else emit SettlementSkipped(requesters[i], kind, outcome);
        }
        _closeRound(round, kind);
    }

    // --- the round ---

    /// @return round the books and the price
    /// @return open false where the rate has left the corridor: this call stops settlement, and settles nothing
    function _openRound(uint8 kind, bytes32 reasoningHash, string calldata reasoningURI)
        private
        returns (Round memory round, bool open)
    {
        _requireExecutor();
        Books memory b = _books;
        if (b.paused) revert AgentPaused();
        _requireReasoning(reasoningHash, reasoningURI);
        if (b.halted) revert SettlementHalted();

        round.reserved = b.reserved;
        round.feeBps = kind == MINT ? b.mintFeeBps : b.redeemFeeBps;
        round.minRequestAgeSec = b.minRequestAgeSec;
        round.balance = _acceptBalance();
        // money that vanished under a deposit must not become shares
        if (round.balance < round.reserved) revert ReserveBroken(round.balance, round.reserved);
        (round.supply, round.unclaimed) = _loadSupply();

        (uint256 initialRate, bool fixedPrice) = AgentArguments.pricing();
        if (fixedPrice) {
            (round.down, round.up) = (initialRate, initialRate);
            (round.redeemPrice, round.mintPrice, round.scale) = (initialRate, initialRate, 1);
            return (round, true);
        }
        // a settlement needs all of them, and none that is stale
        (uint256 valued, address unreadable, address stale) = _valued(b.valuations);
        if (unreadable != address(0)) revert ValuationUnreadable(unreadable);
        if (stale != address(0)) revert ValuationStale(stale);
        uint256 assets = round.balance - round.reserved + valued;
        _setPrice(round, initialRate, assets);
        open = _followRate(round.down, b.guarded);
    }

    /// @dev The price is the published rate, rounded against the requester, so that a stranger can check a settlement
    ///      with one number. Where one unit of that number is more than 1 bps of it (tokens of few decimals), the
    ///      exact quotient is used instead: there the rounding of the rate would cost more than it explains.
    function _setPrice(Round memory round, uint256 initialRate, uint256 assets) private pure {
        (uint256 numerator, uint256 denominator) = _quotient(initialRate, assets, round.supply + round.unclaimed);
        uint256 down = numerator / denominator;
        if (down == 0) revert RateIsZero();
        round.down = down;
        round.up = down * denominator == numerator ? down : down + 1;
        (round.redeemPrice, round.mintPrice, round.scale) =
            down < COARSE_RATE ? (numerator, numerator, denominator) : (down, round.up, 1);
    }

    function _closeRound(Round memory round, uint8 kind) private {
        if (round.reserved > MAX_RESERVE) revert AmountTooLarge(round.reserved, MAX_RESERVE);
        _books.reserved = uint160(round.reserved);
        _storeSupply(round.supply, round.unclaimed);
        if (round.fees != 0) _feesOwed += round.fees;
        // proof of no underflow: what is burned was escrowed in this balance
        if (kind == REDEEM) _balances[address(this)] -= round.burned;
    }

    /// @dev The anchor moves only when the rate does, so that frequent settlements at one rate do not eat up the time
    ///      that a slowly growing rate needs for its next unit.
    function _followRate(uint256 rate, bool guarded) private returns (bool inside) {
        RateAnchor memory anchor = _anchor;
        if (rate == anchor.rate) return true;
        if (guarded) {
            uint256 allowance_ = Corridor.allowance(anchor.rate, 0, anchor.bpsPerDay, block.timestamp - anchor.at);
            if (rate > type(uint184).max || !_isWithin(anchor.rate, rate, allowance_)) {
                _books.halted = true;
                emit SettlementStopped(rate, anchor.rate, allowance_);
                return false;
            }
        }
        _setAnchor(rate);
        return true;
    }

    function _isWithin(uint256 anchor, uint256 rate, uint256 allowance_) private pure returns (bool) {
        return rate > anchor ? rate - anchor <= allowance_ : anchor - rate <= allowance_;
    }

    function _setAnchor(uint256 rate) internal {
        if (rate > type(uint184).max) revert RateOutsideBounds(rate, 0, type(uint184).max);
        _anchor.rate = uint184(rate);
        _anchor.at = uint40(block.timestamp);
        emit ExchangeRateUpdated(rate);
    }

    // --- one member ---

    /// @return outcome why not, where nothing was settled
    /// @return amount made claimable: shares of a mint, tokens of a redemption
    function _settle(Round memory round, address requester, uint8 kind)
        private
        returns (Outcome outcome, uint256 amount)
    {
        if (requester == msg.sender) return (Outcome.OwnRequest, 0);
        PositionSlots storage slots = _positions[kind][requester];
        Position memory p = slots.load();
        uint256 consumed = p.pending;
        if (consumed == 0) return (Outcome.NothingPending, 0);
        if (block.timestamp < p.requestedAt + round.minRequestAgeSec) return (Outcome.TooYoung, 0);

        uint256 fee;
        (outcome, amount, fee) = kind == MINT ? _priceMint(round, p, requester) : _priceRedeem(round, p, requester);
        if (outcome != Outcome.Settled) return (outcome, 0);

        round.fees += fee;
        if (p.limited) {
            p.limited = false;
            _limits[kind][requester] = 0;
        }
        p.pending = 0;
        p.claimable += amount;
        p.consumed += consumed;
        p.epoch = _epoch();
        slots.store(p);
        emit SettlementDetail(requester, kind, consumed, amount, fee, kind == MINT ? round.up : round.down);
    }

    /// @dev A deposit below one share unit, or so coarse that rounding would take more than 1 bps of it, is not settled:
    ///      that is what a donation before a victim's deposit would have to achieve.
    function _priceMint(Round memory round, Position memory p, address requester)
        private
        view
        returns (Outcome, uint256 shares, uint256 fee)
    {
        uint256 assets = p.pending; // below 2^160, so the products below stay under 2^234
        fee = Math.ceilDiv(assets * round.feeBps, BPS);
        uint256 net = assets - fee;
        shares = Math.mulDiv(net * ONE, round.scale, round.mintPrice);
        if (shares == 0 || Math.mulDiv(shares, round.mintPrice, round.scale) * BPS < net * ONE * (BPS - 1)) {
            return (Outcome.TooSmall, 0, 0);
        }
        if (p.limited && Math.ceilDiv(assets * ONE, shares) > _limits[MINT][requester]) {
            return (Outcome.LimitBreached, 0, 0);
        }
        round.reserved -= net;
        round.unclaimed += shares;
        return (Outcome.Settled, shares, fee);
    }

    function _priceRedeem(Round memory round, Position memory p, address requester)
        private
        returns (Outcome, uint256 tokens, uint256 fee)
    {
        uint256 shares = p.pending;
        // a product beyond 2^256 would be more than 2^196 tokens, and the reserve holds 2^160
        if (round.down > type(uint256).max / shares) return (Outcome.Illiquid, 0, 0);
        uint256 gross = Math.mulDiv(shares, round.redeemPrice, round.scale) / ONE;
        if (gross > round.balance - round.reserved) return (Outcome.Illiquid, 0, 0);
        fee = Math.ceilDiv(gross * round.feeBps, BPS);
        tokens = gross - fee;
        if (tokens == 0) return (Outcome.TooSmall, 0, 0);
        if (p.limited && tokens * ONE / shares < _limits[REDEEM][requester]) {
            return (Outcome.LimitBreached, 0, 0);
        }
        round.reserved += gross;
        round.supply -= shares;
        round.burned += shares;
        emit Transfer(address(this), address(0), shares);
        return (Outcome.Settled, tokens, fee);
    }
}
