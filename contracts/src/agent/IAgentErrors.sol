// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Verdict} from "./scope/IScope.sol";

/// @title What can become of one member of a settlement
/// @notice Only `Settled` moves anything. A single settlement reverts with `Unsettled` for every other outcome except
///         `LimitBreached`, which is an answer (nothing settled) and not a failure; a batch reports each and goes on.
enum Outcome {
    Settled,
    NothingPending,
    OwnRequest,
    TooYoung,
    TooSmall,
    LimitBreached,
    Illiquid
}

/// @title Every reason for which an Agent refuses a call
/// @notice Each error carries what was found and the limit that was broken. Where several reasons apply, the order of
///         checks in docs/agent-equity.md decides, and a test pins it. Errors of the share token are those of ERC-6093,
///         of the owner those of OpenZeppelin's Ownable.
interface IAgentErrors {
    // calls
    error AgentLocked();
    error NotFactory(address caller, address factory);
    error InsufficientGas(uint256 available, uint256 required);

    // roles and brakes
    error NotExecutor(address caller);
    error NotOwnerOrGuardian(address caller);
    error AgentPaused();
    error NotPaused();
    error SettlementHalted();
    error OwnerIsGone();
    error RateNeedsConfirmer();

    // arguments
    error ZeroReasoningHash();
    error EmptyReasoningURI();
    error TextTooLong(uint256 size, uint256 max);
    error ListTooLong(uint256 size, uint256 max);
    error ZeroAmount();
    error ZeroAddress();
    error UnknownKind(uint8 kind);
    error OutOfRange(bytes32 what, uint256 got, uint256 min, uint256 max);
    error FeeCannotRise(uint256 got, uint256 max);

    // requests
    error DepositMismatch(uint256 received, uint256 expected);
    error AmountTooLarge(uint256 got, uint256 max);
    error NothingPending(address requester);
    error HorizonNotReached(address requester, uint256 reclaimableAt);
    error Unsettled(address requester, Outcome outcome);
    error NothingOwed(address account);

    // books
    error ReserveBroken(uint256 balance, uint256 reserve);
    error RateUnavailable();
    error RateIsZero();
    error RateOutsideBounds(uint256 rate, uint256 min, uint256 max);
    error ValuationStale(address valuation);
    error ValuationUnreadable(address valuation);
    error ValuationListed(address valuation);
    error ValuationUnlisted(address valuation);
    error WrongValuationAsset(address valuation, address got, address expected);

    // dispatch
    error RefusedByConstruction(address target, bytes4 selector);
    error OutOfScope(address target, bytes4 selector, Verdict verdict);
    error ReturnTooLarge(uint256 size, uint256 max);
    error AllowanceMismatch(address target, uint256 got, uint256 expected);
}
