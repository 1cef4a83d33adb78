// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {AgentArguments} from "./AgentArguments.sol";
import {AgentState} from "./AgentState.sol";
import {IValuation} from "./valuation/IValuation.sol";

/// @title What an Agent is worth, from its books
/// @notice assets = Accept Token balance - reserve + sum of valuations; supply = total supply + settled unclaimed shares.
///         rate = (assets * 1e18 + initialRate * VIRTUAL_SHARES) / (supply + VIRTUAL_SHARES), or the initial rate for ever
///         where the price is fixed. Nobody supplies a number.
/// @dev Assumptions about the Accept Token: one address, `balanceOf` reports what a transfer can move, and balances
///      change by transfers only. What breaks this at a deposit is refused there; a shortfall later stops settlement.
abstract contract AgentBooks is AgentState {
    /// @dev Shares that belong to nobody, at the initial rate. They are the price of a stranger's donation: whoever
    ///      donates to a nearly empty Agent gives to them. With 1e18 real share units they take one millionth of a gain.
    uint256 public constant VIRTUAL_SHARES = 1e12;
    uint256 internal constant MAX_VALUATIONS = 8;
    uint256 internal constant ONE = 1e18;
    /// @dev A view over an external position; a Morpho or Aave vault needs less than half of it.
    uint256 private constant VALUATION_GAS = 500_000;
    uint256 private constant VALUATION_GAS_REQUIRED = 520_000;

    /// @dev Assets before the dispatch that is under way, plus one; 0 where a valuation could not be read. The supply needs
    ///      no snapshot: nothing can change it while the lock is held.
    uint256 internal transient _assetsSnapshot;

    function acceptToken() public view returns (address) {
        return AgentArguments.acceptToken();
    }

    function shareToken() external view returns (address) {
        return address(this);
    }

    function isFixedPrice() external view returns (bool fixedPrice) {
        (, fixedPrice) = AgentArguments.pricing();
    }

    /// @notice Accept Token base units per 1e18 share base units, rounded down; a mint is settled at the quotient rounded up.
    /// @dev During `execute` it is the rate before it; during a token transfer of any other entry point it reverts.
    function exchangeRate() external view returns (uint256) {
        (uint256 initialRate, bool fixedPrice) = AgentArguments.pricing();
        if (fixedPrice) return initialRate;
        if (_lock == DISPATCHING && _assetsSnapshot != 0) return _rateOf(initialRate, _assetsSnapshot - 1);
        if (_lock != FREE) revert RateUnavailable();
        return _liveRate(initialRate);
    }

    function _liveRate(uint256 initialRate) internal view returns (uint256) {
        (uint256 valued, address unreadable,) = _valued(_books.valuations);
        if (unreadable != address(0)) revert ValuationUnreadable(unreadable);
        return _rateOf(initialRate, _free(_acceptBalance()) + valued);
    }

    /// @dev Silent where `_liveRate` reverts: a dispatch must not depend on a valuation that cannot be read.
    function _takeSnapshot(uint256 balance) internal {
        (uint256 valued, address unreadable,) = _valued(_books.valuations);
        _assetsSnapshot = unreadable == address(0) ? _free(balance) + valued + 1 : 0;
    }

    function _rateOf(uint256 initialRate, uint256 assets) private view returns (uint256) {
        (uint256 supply, uint256 unclaimed) = _loadSupply();
        (uint256 numerator, uint256 denominator) = _quotient(initialRate, assets, supply + unclaimed);
        return numerator / denominator;
    }

    /// @return assets what `execute` can spend and shares are worth, valuations apart; 0 below the reserve
    function _free(uint256 balance) internal view returns (uint256 assets) {
        return Math.saturatingSub(balance, _books.reserved);
    }

    /// @return sum of the readable valuations
    /// @return unreadable the last one that gave no answer, if any
    /// @return stale the last one whose answer no settlement may rely on, if any
    function _valued(uint256 count) internal view returns (uint256 sum, address unreadable, address stale) {
        for (uint256 i = 0; i < count; ++i) {
            address valuation = _valuations[i];
            (bool readable, uint256 assets, bool fresh) = _readValuation(valuation);
            if (!readable) {
                unreadable = valuation;
                continue;
            }
            if (!fresh) stale = valuation;
            sum += assets;
        }
    }

    /// @dev Bounded in gas and reply. A valuation above 2^160 is no amount of any token and counts as unreadable.
    function _readValuation(address valuation) private view returns (bool readable, uint256 assets, bool fresh) {
        if (gasleft() < VALUATION_GAS_REQUIRED) revert InsufficientGas(gasleft(), VALUATION_GAS_REQUIRED);
        bytes memory query = abi.encodeCall(IValuation.valueOf, (address(this)));
        uint256 freshWord;
        assembly ("memory-safe") {
            readable := staticcall(VALUATION_GAS, valuation, add(query, 0x20), mload(query), 0x00, 0x40)
            readable := and(readable, gt(returndatasize(), 0x3f))
            assets := mload(0x00)
            freshWord := mload(0x20)
        }
        readable = readable && assets <= type(uint160).max && freshWord <= 1;
        fresh = freshWord == 1;
    }

    /// @dev The exact rate as a quotient. `assets` is at most 9 * 2^160, so that the numerator stays below 2^224.
    function _quotient(uint256 initialRate, uint256 assets, uint256 supply)
        internal
        pure
        returns (uint256 numerator, uint256 denominator)
    {
        return (assets * ONE + initialRate * VIRTUAL_SHARES, supply + VIRTUAL_SHARES);
    }

    function _acceptBalance() internal view returns (uint256) {
        return BoundedCall.balanceOf(acceptToken(), address(this));
    }

    /// @notice The books as settlement sees them, for tools.
    /// @return balance of the Accept Token
    /// @return reserve pending deposits, claimable tokens and fees owed: out of every Executor's reach
    /// @return valued sum of the readable valuations
    /// @return supply total supply of shares
    /// @return unclaimed shares settled and not yet minted
    function books()
        external
        view
        returns (uint256 balance, uint256 reserve, uint256 valued, uint256 supply, uint256 unclaimed)
    {
        balance = _acceptBalance();
        reserve = _books.reserved;
        (valued,,) = _valued(_books.valuations);
        (supply, unclaimed) = _loadSupply();
    }
}
