// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {BoundedCall} from "../task/BoundedCall.sol";

/// @title Money that a companion holds for others, and how it comes in and goes out
/// @notice What somebody is owed is written down first and fetched later, so that no recipient can stand in another's
///         way. Anyone may have an account paid; the owner alone may send the payment elsewhere.
/// @dev One transient lock per contract is held while foreign code can run. An asset is address(0) for the native
///      currency, or an ERC-20 whose `balanceOf` reports what a transfer can move. Transfers are judged by this
///      contract's balance difference, whatever the reply: a deposit has to arrive exactly; a payment takes off the
///      books what has left, and is undone where more than that would leave. A token that shrinks balances by itself
///      takes from those who fetch last, until more of it comes in. Money that is sent here by a bare ERC-20 transfer
///      is on nobody's account unless the contract says so.
abstract contract PullPayments is ReentrancyGuardTransient {
    event Withdrawn(address indexed asset, address indexed account, address to, uint256 amount);

    error ZeroAmount();
    error BadRecipient(address to);
    error NothingOwed(address asset, address account);
    error WrongNativeValue(uint256 got, uint256 expected);
    error DepositMismatch(address asset, uint256 received, uint256 expected);
    error PaymentFailed(address asset, address to, uint256 moved, uint256 expected);

    mapping(address asset => mapping(address account => uint256)) public owedOf;

    /// @notice Pay `account` what it is owed in `asset`. Anyone may call this.
    /// @return amount what has left; less than what was owed only where the token moved or had less, and the rest stays
    ///         owed
    function withdraw(address asset, address account) external nonReentrant returns (uint256 amount) {
        return _withdraw(asset, account, account);
    }

    /// @notice Have what the caller is owed in `asset` paid to `to`.
    function withdrawTo(address asset, address to) external nonReentrant returns (uint256 amount) {
        return _withdraw(asset, msg.sender, to);
    }

    /// @dev What a contract has to write down before it can say what somebody is owed.
    function _gather(address asset) internal virtual {}

    function _withdraw(address asset, address account, address to) internal returns (uint256 amount) {
        _gather(asset);
        uint256 owed = owedOf[asset][account];
        if (owed == 0) revert NothingOwed(asset, account);
        if (to == address(0) || to == address(this)) revert BadRecipient(to);
        amount = _pay(asset, account, to, owed);
        if (amount == 0) revert PaymentFailed(asset, to, 0, owed);
    }

    /// @dev Pay `account` if it can be paid; otherwise it stays owed.
    function _tryWithdraw(address asset, address account) internal {
        uint256 owed = owedOf[asset][account];
        if (owed != 0) _pay(asset, account, account, owed);
    }

    function _owe(address asset, address account, uint256 amount) internal {
        if (amount != 0) owedOf[asset][account] += amount;
    }

    function _pay(address asset, address account, address to, uint256 owed) private returns (uint256 moved) {
        owedOf[asset][account] = 0;
        moved = _send(asset, to, owed);
        if (moved < owed) owedOf[asset][account] = owed - moved;
        if (moved != 0) emit Withdrawn(asset, account, to, moved);
    }

    /// @dev Take exactly `amount` from the caller.
    function _collect(address asset, uint256 amount) internal {
        if (amount == 0) revert ZeroAmount();
        uint256 expected = asset == address(0) ? amount : 0;
        if (msg.value != expected) revert WrongNativeValue(msg.value, expected);
        if (asset == address(0)) return;
        uint256 before = BoundedCall.balanceOf(asset, address(this));
        BoundedCall.call(asset, gasleft(), abi.encodeCall(IERC20.transferFrom, (msg.sender, address(this), amount)));
        uint256 held = BoundedCall.balanceOf(asset, address(this));
        uint256 received = held > before ? held - before : 0;
        if (received != amount) revert DepositMismatch(asset, received, amount);
    }

    /// @return moved what has left: for the native currency all or nothing, for an ERC-20 from nothing to `amount`
    function _send(address asset, address to, uint256 amount) private returns (uint256 moved) {
        if (asset == address(0)) {
            bool success;
            assembly ("memory-safe") {
                success := call(gas(), to, amount, 0x00, 0x00, 0x00, 0x00)
            }
            return success ? amount : 0;
        }
        uint256 before = BoundedCall.balanceOf(asset, address(this));
        if (amount > before) amount = before; // a token shrank
        BoundedCall.call(asset, gasleft(), abi.encodeCall(IERC20.transfer, (to, amount)));
        uint256 left = BoundedCall.balanceOf(asset, address(this));
        moved = before > left ? before - left : 0;
        if (moved > amount) revert PaymentFailed(asset, to, moved, amount);
    }
}
