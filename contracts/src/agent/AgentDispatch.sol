// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {AgentSettlement} from "./AgentSettlement.sol";
import {Verdict} from "./scope/IScope.sol";

/// @title Execution: calls to other contracts, inside the Scope, outside the reserve
/// @notice Some calls are refused whatever the Scope says: to the Agent itself, its Scope, its factory and the ERC-1820
///         registry; to the Accept Token anything but a `transfer` of what is free; to an address without code anything
///         but a plain payment; one to three bytes of data. Allowances on the Accept Token exist only inside
///         `executeWithAllowance`. After each call the Accept Token balance must cover the reserve.
abstract contract AgentDispatch is AgentSettlement {
    /// @dev Most bytes that a successful call may return: they go into the `Executed` event at 8 gas each.
    uint256 public constant MAX_RETURN_BYTES = 4_096;
    /// @dev A hook registered here for the Agent could make every claim of an ERC-777 Accept Token fail.
    address private constant ERC1820_REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;
    /// @dev selector, recipient, amount
    uint256 private constant TRANSFER_BYTES = 68;

    function execute(
        address target,
        uint256 value,
        bytes calldata data,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) external returns (bytes memory returnData) {
        uint256 tokenOut = _begin(target, value, data, 0, reasoningHash, reasoningURI);
        _consume(target, value, data, tokenOut);
        returnData = _dispatch(target, value, data, reasoningHash, reasoningURI);
        _lock = FREE;
    }

    /// @notice As `execute`, while `target` may pull at most `amount` of the Accept Token. What it leaves is withdrawn
    ///         before the call ends. Executor only.
    function executeWithAllowance(
        address target,
        uint256 value,
        bytes calldata data,
        uint256 amount,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) external returns (bytes memory returnData) {
        if (amount == 0) revert ZeroAmount();
        _begin(target, value, data, amount, reasoningHash, reasoningURI);
        _consume(target, value, data, amount);
        _setAllowance(target, amount);
        returnData = _dispatch(target, value, data, reasoningHash, reasoningURI);
        _setAllowance(target, 0);
        emit Reasoned(msg.sender, msg.sig, reasoningHash, reasoningURI);
        _lock = FREE;
    }

    /// @notice Whether `execute` would dispatch this call now. Also false while paused.
    function isInScope(address target, uint256 value, bytes calldata data) external view returns (bool) {
        return _isInScope(target, value, data, 0);
    }

    /// @notice Whether `executeWithAllowance` would dispatch this call now.
    function isInScopeWithAllowance(address target, uint256 value, bytes calldata data, uint256 amount)
        external
        view
        returns (bool)
    {
        return amount != 0 && _isInScope(target, value, data, amount);
    }

    function _isInScope(address target, uint256 value, bytes calldata data, uint256 allowed)
        private
        view
        returns (bool)
    {
        if (_books.paused) return false;
        address token = acceptToken();
        (bool refused, uint256 tokenOut) = _refusal(target, value, data, allowed, _free(_acceptBalance()), token);
        return !refused && SCOPE.verdict(address(this), target, value, data, token, tokenOut) == Verdict.Allowed;
    }

    /// @dev Checks in the documented order; takes the lock and the snapshot of the rate.
    /// @return tokenOut Accept Token that the call moves or may pull
    function _begin(
        address target,
        uint256 value,
        bytes calldata data,
        uint256 allowed,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) private returns (uint256 tokenOut) {
        _enter(DISPATCHING);
        _requireExecutor();
        if (_books.paused) revert AgentPaused();
        _requireReasoning(reasoningHash, reasoningURI);
        uint256 balance = _acceptBalance();
        bool refused;
        (refused, tokenOut) = _refusal(target, value, data, allowed, _free(balance), acceptToken());
        if (refused) revert RefusedByConstruction(target, _selector(data));
        _takeSnapshot(balance);
    }

    function _consume(address target, uint256 value, bytes calldata data, uint256 tokenOut) private {
        Verdict answer = SCOPE.consume(target, value, data, acceptToken(), tokenOut);
        if (answer != Verdict.Allowed) revert OutOfScope(target, _selector(data), answer);
    }

    /// @dev What no Scope can allow.
    function _refusal(address target, uint256 value, bytes calldata data, uint256 allowed, uint256 free, address token)
        private
        view
        returns (bool refused, uint256 tokenOut)
    {
        if (
            target == address(this) || target == address(SCOPE) || target == FACTORY || target == ERC1820_REGISTRY
                || value > address(this).balance || allowed > free
        ) return (true, 0);
        if (data.length == 0) {
            // a plain payment; an allowance makes no sense with it, and the Accept Token takes none
            return (target == token || allowed != 0, 0);
        }
        if (data.length < 4 || target.code.length == 0) return (true, 0);
        if (target != token) return (false, allowed);
        if (allowed != 0 || value != 0 || data.length != TRANSFER_BYTES || bytes4(data) != IERC20.transfer.selector) {
            return (true, 0);
        }
        tokenOut = uint256(bytes32(data[36:]));
        return (tokenOut > free, tokenOut);
    }

    function _dispatch(
        address target,
        uint256 value,
        bytes calldata data,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) private returns (bytes memory returnData) {
        bool success;
        uint256 size;
        assembly ("memory-safe") {
            let input := mload(0x40)
            calldatacopy(input, data.offset, data.length)
            success := call(gas(), target, value, input, data.length, 0x00, 0x00)
            size := returndatasize()
            if iszero(success) {
                // the standard wants the revert data unchanged, whatever its size; the Executor pays for it
                returndatacopy(input, 0x00, size)
                revert(input, size)
            }
        }
        if (size > MAX_RETURN_BYTES) revert ReturnTooLarge(size, MAX_RETURN_BYTES);
        assembly ("memory-safe") {
            returnData := mload(0x40)
            mstore(returnData, size)
            returndatacopy(add(returnData, 0x20), 0x00, size)
            // word aligned, with the last word cleared beyond the data
            let end := add(add(returnData, 0x20), size)
            mstore(end, 0)
            mstore(0x40, and(add(end, 0x3f), not(0x1f)))
        }
        uint256 balance = _acceptBalance();
        if (balance < _books.reserved) revert ReserveBroken(balance, _books.reserved);
        emit Executed(msg.sender, target, value, _selector(data), returnData, reasoningHash, reasoningURI);
    }

    /// @dev The allowance that results decides, not the reply: some tokens give none.
    function _setAllowance(address target, uint256 amount) private {
        IERC20 token = IERC20(acceptToken());
        BoundedCall.call(address(token), gasleft(), abi.encodeCall(IERC20.approve, (target, amount)));
        uint256 got = token.allowance(address(this), target);
        if (got != amount) revert AllowanceMismatch(target, got, amount);
    }

    function _selector(bytes calldata data) private pure returns (bytes4) {
        return data.length < 4 ? bytes4(0) : bytes4(data);
    }
}
