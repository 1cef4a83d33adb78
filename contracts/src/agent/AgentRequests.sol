// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {AgentArguments} from "./AgentArguments.sol";
import {AgentBooks} from "./AgentBooks.sol";
import {Position, PositionCodec, PositionSlots} from "./Position.sol";

/// @title What requesters do: ask, limit, claim, take back
/// @notice Nothing here needs an Executor, an Owner or liquidity that is not the requester's own. A pause stops new
///         deposits and nothing else in this file.
abstract contract AgentRequests is AgentBooks {
    using PositionCodec for PositionSlots;
    using SafeERC20 for IERC20;

    /// @dev Gas of one token transfer in a batch of claims; a token that wants more is claimed alone.
    uint256 private constant CLAIM_GAS = 300_000;
    /// @dev Must be left before such a transfer, so that the token really gets CLAIM_GAS and what follows is still paid
    ///      for. Otherwise the caller's gas would decide who is skipped.
    uint256 private constant CLAIM_GAS_REQUIRED = 420_000;

    // --- requests ---

    function requestMint(uint256 amount) external locked {
        _requestMint(amount, 0);
    }

    /// @notice As `requestMint`, with the worst price in the same transaction.
    /// @param maxRate most Accept Token base units per 1e18 share base units, fee and rounding included
    function requestMintAtMost(uint256 amount, uint256 maxRate) external locked {
        if (maxRate == 0) revert ZeroAmount();
        _requestMint(amount, maxRate);
    }

    function _requestMint(uint256 amount, uint256 maxRate) private {
        if (_books.paused) revert AgentPaused();
        if (amount == 0) revert ZeroAmount();
        uint256 reserved = _books.reserved;
        if (amount > MAX_RESERVE - reserved) revert AmountTooLarge(amount, MAX_RESERVE - reserved);

        // proof of fit: checked one line above
        _books.reserved = uint160(reserved + amount);
        _addPending(_positions[MINT][msg.sender], amount, maxRate != 0);
        if (maxRate != 0) _writeLimit(MINT, maxRate);

        // what arrived decides, so that a token which takes a fee, or sends nothing, is refused at the first deposit
        IERC20 token = IERC20(acceptToken());
        uint256 before = _acceptBalance();
        token.safeTransferFrom(msg.sender, address(this), amount);
        uint256 balance = _acceptBalance();
        uint256 received = balance > before ? balance - before : 0;
        if (received != amount) revert DepositMismatch(received, amount);
        emit MintRequested(msg.sender, amount, _epoch(), block.timestamp);
    }

    function requestRedeem(uint256 shares) external locked {
        _requestRedeem(shares, 0);
    }

    /// @notice As `requestRedeem`, with the worst price in the same transaction.
    /// @param minRate least Accept Token base units per 1e18 share base units, fee and rounding included
    function requestRedeemAtLeast(uint256 shares, uint256 minRate) external locked {
        if (minRate == 0) revert ZeroAmount();
        _requestRedeem(shares, minRate);
    }

    function _requestRedeem(uint256 shares, uint256 minRate) private {
        if (shares == 0) revert ZeroAmount();
        _move(msg.sender, address(this), shares);
        _addPending(_positions[REDEEM][msg.sender], shares, minRate != 0);
        if (minRate != 0) _writeLimit(REDEEM, minRate);
        emit RedeemRequested(msg.sender, shares, _epoch(), block.timestamp);
    }

    function _addPending(PositionSlots storage slots, uint256 amount, bool limited) private {
        Position memory p = slots.load();
        p.pending += amount;
        p.requestedAt = uint40(block.timestamp); // safe until the year 36,812
        p.limited = p.limited || limited;
        slots.store(p);
    }

    // --- limits: they live and die with what is pending ---

    /// @notice Set the worst price for what the caller has pending.
    /// @param kind 0 for the deposit, 1 for the redemption
    /// @param rate most (deposit) or least (redemption) Accept Token base units per 1e18 share base units; 0 for any
    function setLimit(uint8 kind, uint256 rate) external locked {
        PositionSlots storage slots = _slots(msg.sender, kind);
        Position memory p = slots.load();
        if (p.pending == 0) revert NothingPending(msg.sender);
        p.limited = rate != 0;
        slots.store(p);
        _writeLimit(kind, rate);
    }

    function _writeLimit(uint8 kind, uint256 rate) private {
        _limits[kind][msg.sender] = rate;
        emit LimitSet(msg.sender, kind, rate);
    }

    function _slots(address requester, uint8 kind) internal view returns (PositionSlots storage) {
        if (kind > 1) revert UnknownKind(kind);
        return _positions[kind][requester];
    }

    // --- claims ---

    function mint(address user) external locked returns (uint256 shares) {
        return _claimShares(user);
    }

    function redeem(address user) external locked returns (uint256 tokens) {
        Position memory p = _positions[REDEEM][user].load();
        tokens = _takeTokens(user, p);
        if (tokens != 0) IERC20(acceptToken()).safeTransfer(user, tokens);
    }

    /// @notice Claim for many, at most MAX_BATCH.
    /// @return shares total of the shares minted
    function mintBatch(address[] calldata users) external locked returns (uint256 shares) {
        if (users.length > MAX_BATCH) revert ListTooLong(users.length, MAX_BATCH);
        for (uint256 i = 0; i < users.length; ++i) {
            shares += _claimShares(users[i]);
        }
    }

    /// @notice Claim for many, at most MAX_BATCH. A member whose transfer fails is reported with `ClaimFailed` and stays
    ///         owed; the others are paid.
    /// @return tokens total of the tokens paid
    function redeemBatch(address[] calldata users) external locked returns (uint256 tokens) {
        if (users.length > MAX_BATCH) revert ListTooLong(users.length, MAX_BATCH);
        for (uint256 i = 0; i < users.length; ++i) {
            Position memory p = _positions[REDEEM][users[i]].load();
            if (p.claimable == 0) continue;
            if (gasleft() < CLAIM_GAS_REQUIRED) revert InsufficientGas(gasleft(), CLAIM_GAS_REQUIRED);
            try this.payClaim(users[i]) returns (uint256 paid) {
                tokens += paid;
            } catch {
                emit ClaimFailed(users[i], p.claimable);
            }
        }
    }

    /// @notice One claim of `redeemBatch`, in a call of its own so that its failure undoes it alone. The Agent only.
    function payClaim(address user) external returns (uint256 tokens) {
        if (msg.sender != address(this)) revert AgentLocked();
        tokens = _takeTokens(user, _positions[REDEEM][user].load());
        address token = acceptToken();
        (bool success, uint256 size, uint256 word) =
            BoundedCall.call(token, CLAIM_GAS, abi.encodeCall(IERC20.transfer, (user, tokens)));
        if (!success || (size != 0 && word != 1)) revert SafeERC20.SafeERC20FailedOperation(token);
    }

    function _claimShares(address user) private returns (uint256 shares) {
        Position memory p = _positions[MINT][user].load();
        shares = p.claimable;
        if (shares == 0) return 0;
        uint256 assets = p.consumed;
        p.claimable = 0;
        p.consumed = 0;
        _positions[MINT][user].store(p);

        (uint256 supply, uint256 unclaimed) = _loadSupply();
        _storeSupply(supply + shares, unclaimed - shares);
        unchecked {
            _balances[user] += shares; // proof of no overflow: balances add up to the supply
        }
        emit Transfer(address(0), user, shares);
        emit SharesMinted(user, assets, shares, uint64(p.epoch), _price(assets, shares), block.timestamp);
    }

    /// @dev Everything but the transfer, which comes last.
    function _takeTokens(address user, Position memory p) private returns (uint256 tokens) {
        tokens = p.claimable;
        if (tokens == 0) return 0;
        uint256 shares = p.consumed;
        p.claimable = 0;
        p.consumed = 0;
        _positions[REDEEM][user].store(p);
        // proof of fit: a claimable amount is part of the reserve
        _books.reserved -= uint160(tokens);
        emit SharesRedeemed(user, shares, tokens, uint64(p.epoch), _price(tokens, shares), block.timestamp);
    }

    /// @dev assets < 2^160, so the product fits; shares are never 0 where something was settled
    function _price(uint256 assets, uint256 shares) private pure returns (uint256) {
        return assets * ONE / shares;
    }

    /// @notice Pay the fees of all settlements so far to the fee recipient. Anyone may.
    function claimFees() external locked returns (uint256 amount) {
        amount = _feesOwed;
        if (amount == 0) revert NothingOwed(_feeRecipient);
        _feesOwed = 0;
        _books.reserved -= uint160(amount);
        emit FeesClaimed(_feeRecipient, amount);
        IERC20(acceptToken()).safeTransfer(_feeRecipient, amount);
    }

    // --- taking back ---

    /// @notice Take back everything of the caller that is still pending, deposit and shares, once the horizon has passed
    ///         since the most recent request of each kind. Needs no Executor, no liquidity, no open Agent.
    /// @return assets Accept Token returned
    /// @return shares shares returned
    function reclaim() external locked returns (uint256 assets, uint256 shares) {
        uint256 nextAt = 0;
        uint256[2] memory returned;
        // shares first: the transfer of tokens is the only call to somebody else
        for (uint8 i = 0; i < 2; ++i) {
            uint8 kind = REDEEM - i;
            (bool due, uint256 dueAt) = _due(kind);
            if (due) returned[kind] = _return(msg.sender, kind);
            else if (dueAt != 0) nextAt = dueAt;
        }
        (assets, shares) = (returned[MINT], returned[REDEEM]);
        if (assets != 0 || shares != 0) return (assets, shares);
        if (nextAt == 0) revert NothingPending(msg.sender);
        revert HorizonNotReached(msg.sender, nextAt);
    }

    /// @notice As `reclaim`, the shares alone: for a requester to whom the Accept Token refuses to pay.
    function reclaimShares() external locked returns (uint256 shares) {
        (bool due, uint256 dueAt) = _due(REDEEM);
        if (dueAt == 0) revert NothingPending(msg.sender);
        if (!due) revert HorizonNotReached(msg.sender, dueAt);
        return _return(msg.sender, REDEEM);
    }

    /// @notice Seconds after the most recent request after which `reclaim` gives back what is pending.
    function reclaimHorizon() public view returns (uint256) {
        return AgentArguments.reclaimHorizon();
    }

    /// @return due whether the caller may take back what is pending
    /// @return dueAt second from which, 0 where nothing is pending
    function _due(uint8 kind) private view returns (bool due, uint256 dueAt) {
        Position memory p = _positions[kind][msg.sender].load();
        if (p.pending == 0) return (false, 0);
        dueAt = p.requestedAt + reclaimHorizon();
        due = block.timestamp >= dueAt;
    }

    /// @return amount that was pending: deposit or escrowed shares
    function _return(address requester, uint8 kind) internal returns (uint256 amount) {
        PositionSlots storage slots = _positions[kind][requester];
        Position memory p = slots.load();
        amount = p.pending;
        if (amount == 0) revert NothingPending(requester);
        if (p.limited) _limits[kind][requester] = 0;
        p.pending = 0;
        p.limited = false;
        slots.store(p);
        emit Reclaimed(requester, kind, amount);
        if (kind == REDEEM) {
            _move(address(this), requester, amount);
        } else {
            _books.reserved -= uint160(amount); // proof of fit: pending deposits are part of the reserve
            IERC20(acceptToken()).safeTransfer(requester, amount);
        }
    }

    // --- views ---

    function queryMintStatus(address user) external view returns (uint256 pendingAssets, uint256 claimableShares) {
        Position memory p = _positions[MINT][user].load();
        return (p.pending, p.claimable);
    }

    function queryRedeemStatus(address user) external view returns (uint256 pendingShares, uint256 claimableTokens) {
        Position memory p = _positions[REDEEM][user].load();
        return (p.pending, p.claimable);
    }

    /// @notice What `queryMintStatus` and `queryRedeemStatus` leave out.
    /// @param kind 0 for mint, 1 for redeem
    /// @return position pending, claimable and what the claimable part consumed, with the times
    /// @return limit worst acceptable rate of the pending part, 0 for none
    /// @return reclaimableAt second from which the pending part can be reclaimed, 0 without one
    function positionOf(address user, uint8 kind)
        external
        view
        returns (Position memory position, uint256 limit, uint256 reclaimableAt)
    {
        position = _slots(user, kind).load();
        if (position.limited) limit = _limits[kind][user];
        if (position.pending != 0) reclaimableAt = position.requestedAt + reclaimHorizon();
    }

    function _epoch() internal view returns (uint64) {
        return uint64(block.number);
    }
}
