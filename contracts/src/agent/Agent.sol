// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {AgentArguments} from "./AgentArguments.sol";
import {AgentDispatch} from "./AgentDispatch.sol";
import {IAgent} from "./IAgent.sol";
import {AgentState} from "./AgentState.sol";
import {Constitution} from "./Birth.sol";
import {IScope} from "./scope/IScope.sol";
import {IValuation} from "./valuation/IValuation.sol";

/// @title An Agent that issues equity (ERC-8406)
/// @notice The shares are the Agent. No upgrade path, no delegate call, no signature in the Agent's name (ERC-1271).
///         Native currency and tokens other than the Accept Token are held, moved by `execute`, and worth nothing to the
///         books unless a valuation says so.
contract Agent is AgentDispatch, IERC721Receiver, IERC165 {
    /// @dev 5 %. A fee is set at birth and can only be lowered.
    uint256 public constant MAX_FEE_BPS = 500;
    /// @dev A request that could never grow old enough before its horizon could never be settled.
    uint256 private constant MAX_REQUEST_AGE_SEC = 7 days;
    uint256 private constant MAX_EXECUTORS_AT_BIRTH = 16;
    uint256 private constant MAX_CORRIDOR_BPS_PER_DAY = 1_000_000;

    constructor(IScope scope) AgentState(scope) {}

    /// @notice Give a clone its constitution. The factory only, in the transaction of the birth.
    function initialize(Constitution calldata c) external {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender, FACTORY);
        if (c.owner == address(0) || c.owner == address(this)) revert ZeroAddress();
        if (c.executors.length > MAX_EXECUTORS_AT_BIRTH) {
            revert ListTooLong(c.executors.length, MAX_EXECUTORS_AT_BIRTH);
        }
        if (c.mintFeeBps > MAX_FEE_BPS) revert OutOfRange("mintFeeBps", c.mintFeeBps, 0, MAX_FEE_BPS);
        if (c.redeemFeeBps > MAX_FEE_BPS) revert OutOfRange("redeemFeeBps", c.redeemFeeBps, 0, MAX_FEE_BPS);
        if (c.mintFeeBps != 0 || c.redeemFeeBps != 0) _setFeeRecipient(c.feeRecipient);
        _transferOwnership(c.owner);
        if (c.guardian != address(0)) _setGuardian(c.guardian);
        for (uint256 i = 0; i < c.executors.length; ++i) {
            _setExecutor(c.executors[i], true);
        }
        _books.primed = true;
        _books.mintFeeBps = c.mintFeeBps;
        _books.redeemFeeBps = c.redeemFeeBps;
        (uint256 initialRate,) = AgentArguments.pricing();
        _anchor = RateAnchor({rate: uint184(initialRate), at: uint40(block.timestamp), bpsPerDay: 0});
        if (c.corridorBpsPerDay != 0 || c.minRequestAgeSec != 0) _setGuard(c.corridorBpsPerDay, c.minRequestAgeSec);
        if (bytes(c.agentURI).length != 0) _setURI(c.agentURI);
    }

    // --- metadata and executors ---

    function agentURI() external view returns (string memory) {
        return _uri;
    }

    function setAgentURI(string calldata uri) external onlyOwner locked {
        _setURI(uri);
    }

    function _setURI(string calldata uri) private {
        _requireText(uri, MAX_URI_BYTES);
        _uri = uri;
        emit AgentURIUpdated(uri);
    }

    function setExecutor(address account, bool enabled) external onlyOwner locked {
        _setExecutor(account, enabled);
    }

    function _setExecutor(address account, bool enabled) private {
        if (account == address(0)) revert ZeroAddress();
        _executors[account] = enabled;
        emit ExecutorUpdated(account, enabled);
    }

    function isExecutor(address account) external view returns (bool) {
        return _executors[account];
    }

    // --- guardian: can only brake ---

    function guardian() external view returns (address) {
        return _guardian;
    }

    function setGuardian(address account) external onlyOwner locked {
        _setGuardian(account);
    }

    function _setGuardian(address account) private {
        _guardian = account;
        emit GuardianUpdated(account);
    }

    /// @notice Stop deposits, settlement and execution. Never requests to redeem, claims, reclaim or views. Owner or
    ///         guardian, while there is an Owner who can lift it.
    function pause() external locked {
        _requireOwnerOrGuardian();
        if (owner() == address(0)) revert OwnerIsGone();
        if (_books.paused) revert AgentPaused();
        _books.paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external onlyOwner locked {
        if (!_books.paused) revert NotPaused();
        _books.paused = false;
        emit Unpaused(msg.sender);
    }

    function isPaused() external view returns (bool) {
        return _books.paused;
    }

    /// @notice Take an Executor's key away at once. Owner or guardian.
    function revokeExecutor(address account) external locked {
        _requireOwnerOrGuardian();
        _setExecutor(account, false);
    }

    // --- guards on the settlement price ---

    /// @notice Corridor of the rate and least age of a request. Owner only.
    /// @param corridorBpsPerDay most that the rate of a settlement may move per day; 0 for no corridor
    /// @param minRequestAgeSec at most MAX_REQUEST_AGE_SEC and the reclaim horizon
    function setGuard(uint32 corridorBpsPerDay, uint24 minRequestAgeSec) external onlyOwner locked {
        _setGuard(corridorBpsPerDay, minRequestAgeSec);
    }

    function _setGuard(uint32 corridorBpsPerDay, uint24 minRequestAgeSec) private {
        uint256 maxAge = reclaimHorizon() < MAX_REQUEST_AGE_SEC ? reclaimHorizon() : MAX_REQUEST_AGE_SEC;
        if (minRequestAgeSec > maxAge) revert OutOfRange("minRequestAgeSec", minRequestAgeSec, 0, maxAge);
        if (corridorBpsPerDay > MAX_CORRIDOR_BPS_PER_DAY) {
            revert OutOfRange("corridorBpsPerDay", corridorBpsPerDay, 0, MAX_CORRIDOR_BPS_PER_DAY);
        }
        _books.guarded = corridorBpsPerDay != 0;
        _books.minRequestAgeSec = minRequestAgeSec;
        _anchor.bpsPerDay = corridorBpsPerDay;
        emit GuardUpdated(corridorBpsPerDay, minRequestAgeSec);
    }

    /// @notice Let settlement go on at the rate of now, if it lies within the bounds that the caller has seen. Owner or
    ///         guardian.
    function confirmRate(uint256 minRate, uint256 maxRate) external locked {
        _requireOwnerOrGuardian();
        (uint256 initialRate, bool fixedPrice) = AgentArguments.pricing();
        uint256 rate = fixedPrice ? initialRate : _liveRate(initialRate);
        if (rate < minRate || rate > maxRate) revert RateOutsideBounds(rate, minRate, maxRate);
        _books.halted = false;
        _setAnchor(rate);
        emit RateConfirmed(rate, msg.sender);
    }

    /// @return corridorBpsPerDay 0 for none
    /// @return minRequestAgeSec least age of a request at its settlement
    /// @return halted whether settlement waits for `confirmRate`
    /// @return anchorRate rate of the last settlement that moved it
    /// @return anchoredAt when that was
    function guardOf()
        external
        view
        returns (uint32 corridorBpsPerDay, uint24 minRequestAgeSec, bool halted, uint256 anchorRate, uint256 anchoredAt)
    {
        RateAnchor memory anchor = _anchor;
        return (anchor.bpsPerDay, _books.minRequestAgeSec, _books.halted, anchor.rate, anchor.at);
    }

    // --- fees: only ever lower ---

    function lowerFees(uint16 mintFeeBps, uint16 redeemFeeBps) external onlyOwner locked {
        if (mintFeeBps > _books.mintFeeBps) revert FeeCannotRise(mintFeeBps, _books.mintFeeBps);
        if (redeemFeeBps > _books.redeemFeeBps) revert FeeCannotRise(redeemFeeBps, _books.redeemFeeBps);
        _books.mintFeeBps = mintFeeBps;
        _books.redeemFeeBps = redeemFeeBps;
        emit FeesUpdated(mintFeeBps, redeemFeeBps);
    }

    function setFeeRecipient(address recipient) external onlyOwner locked {
        _setFeeRecipient(recipient);
    }

    function _setFeeRecipient(address recipient) private {
        if (recipient == address(0) || recipient == address(this)) revert ZeroAddress();
        _feeRecipient = recipient;
        emit FeeRecipientUpdated(recipient);
    }

    function feesOf() external view returns (uint16 mintFeeBps, uint16 redeemFeeBps, address recipient, uint256 owed) {
        return (_books.mintFeeBps, _books.redeemFeeBps, _feeRecipient, _feesOwed);
    }

    // --- valuations ---

    function addValuation(IValuation valuation) external onlyOwner locked {
        address token = valuation.asset();
        if (token != acceptToken()) revert WrongValuationAsset(address(valuation), token, acceptToken());
        uint256 count = _valuations.length;
        if (count == MAX_VALUATIONS) revert ListTooLong(count + 1, MAX_VALUATIONS);
        for (uint256 i = 0; i < count; ++i) {
            if (_valuations[i] == address(valuation)) revert ValuationListed(address(valuation));
        }
        _valuations.push(address(valuation));
        _books.valuations = uint8(count + 1);
        emit ValuationAdded(address(valuation));
    }

    function removeValuation(address valuation) external onlyOwner locked {
        uint256 count = _valuations.length;
        for (uint256 i = 0; i < count; ++i) {
            if (_valuations[i] != valuation) continue;
            _valuations[i] = _valuations[count - 1];
            _valuations.pop();
            _books.valuations = uint8(count - 1);
            emit ValuationRemoved(valuation);
            return;
        }
        revert ValuationUnlisted(valuation);
    }

    function valuations() external view returns (address[] memory) {
        return _valuations;
    }

    // --- ownership: two steps, or none ---

    function transferOwnership(address newOwner) public override onlyOwner locked {
        super.transferOwnership(newOwner);
    }

    function acceptOwnership() public override locked {
        super.acceptOwnership();
    }

    /// @notice Freeze the constitution. Not while something waits that only an Owner could end.
    function renounceOwnership() public override onlyOwner locked {
        if (_books.paused) revert AgentPaused();
        if (_books.guarded && _guardian == address(0)) revert RateNeedsConfirmer();
        super.renounceOwnership();
    }

    // --- receiving ---

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external pure returns (bytes4) {
        return IERC721Receiver.onERC721Received.selector;
    }

    function supportsInterface(bytes4 interfaceId) external pure returns (bool) {
        return interfaceId == type(IAgent).interfaceId || interfaceId == type(IERC165).interfaceId
            || interfaceId == type(IERC20).interfaceId || interfaceId == type(IERC20Permit).interfaceId
            || interfaceId == type(IERC721Receiver).interfaceId;
    }
}
