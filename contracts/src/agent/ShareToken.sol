// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {AgentArguments} from "./AgentArguments.sol";

/// @title The share of an Agent: ERC-20 with permit, in the Agent itself
/// @notice 18 decimals whatever the Accept Token has. Freely transferable, except to the Agent: its balance is exactly
///         the escrow of pending redemptions, so shares sent there by mistake are refused instead of lost.
/// @dev Not OpenZeppelin's ERC20, because the supply shares its word with the shares that are settled and not yet
///      claimed: each settlement and each claim writes one word for both.
abstract contract ShareToken is IERC20Metadata, IERC20Permit, IERC20Errors {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant VERSION_HASH = keccak256("1");
    uint256 private constant WIDE = 1 << 255;
    /// @dev Bound of supply plus unclaimed shares. Every pending redemption fits its word below it.
    uint256 private constant MAX_SUPPLY = (1 << 208) - 1;

    mapping(address account => uint256) internal _balances;
    mapping(address account => mapping(address spender => uint256)) internal _allowances;
    mapping(address account => uint256) private _nonces;
    /// @dev Total supply (128 bits) and unclaimed shares (127), or WIDE | total supply with the unclaimed in the next word.
    uint256 private _supplyWord;
    uint256 private _unclaimedWord;

    error ERC2612ExpiredSignature(uint256 deadline);
    error ERC2612InvalidSigner(address signer, address owner);
    error SupplyTooLarge(uint256 got, uint256 max);

    function name() public view returns (string memory) {
        return AgentArguments.name();
    }

    function symbol() external view returns (string memory) {
        return AgentArguments.symbol();
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function totalSupply() external view returns (uint256 supply) {
        (supply,) = _loadSupply();
    }

    function balanceOf(address account) external view returns (uint256) {
        return _balances[account];
    }

    function allowance(address account, address spender) external view returns (uint256) {
        return _allowances[account][spender];
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = _allowances[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < value) revert ERC20InsufficientAllowance(msg.sender, allowed, value);
            unchecked {
                _allowances[from][msg.sender] = allowed - value; // proof: allowed >= value
            }
        }
        _transfer(from, to, value);
        return true;
    }

    function nonces(address account) external view returns (uint256) {
        return _nonces[account];
    }

    // solhint-disable-next-line func-name-mixedcase
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name())), VERSION_HASH, block.chainid, address(this)));
    }

    function permit(address account, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        if (block.timestamp > deadline) revert ERC2612ExpiredSignature(deadline);
        bytes32 structHash =
            keccak256(abi.encode(PERMIT_TYPEHASH, account, spender, value, _nonces[account]++, deadline));
        address signer = ECDSA.recover(MessageHashUtils.toTypedDataHash(DOMAIN_SEPARATOR(), structHash), v, r, s);
        if (signer != account) revert ERC2612InvalidSigner(signer, account);
        _approve(account, spender, value);
    }

    function _approve(address account, address spender, uint256 value) private {
        if (spender == address(0)) revert ERC20InvalidSpender(spender);
        _allowances[account][spender] = value;
        emit Approval(account, spender, value);
    }

    function _transfer(address from, address to, uint256 value) private {
        if (to == address(0) || to == address(this)) revert ERC20InvalidReceiver(to);
        _move(from, to, value);
    }

    /// @dev Also the escrow of a redemption and its return, which no rule about transfers may block.
    function _move(address from, address to, uint256 value) internal {
        uint256 balance = _balances[from];
        if (balance < value) revert ERC20InsufficientBalance(from, balance, value);
        // proof of no overflow: balances add up to the supply
        unchecked {
            _balances[from] = balance - value;
            _balances[to] += value;
        }
        emit Transfer(from, to, value);
    }

    /// @return supply total supply
    /// @return unclaimed shares settled and not yet minted by a claim; they count in the price
    function _loadSupply() internal view returns (uint256 supply, uint256 unclaimed) {
        uint256 word = _supplyWord;
        if (word & WIDE == 0) return (uint128(word), word >> 128);
        return (word ^ WIDE, _unclaimedWord);
    }

    function _storeSupply(uint256 supply, uint256 unclaimed) internal {
        if (supply > MAX_SUPPLY || unclaimed > MAX_SUPPLY - supply) {
            revert SupplyTooLarge(supply + unclaimed, MAX_SUPPLY);
        }
        if (supply <= type(uint128).max && unclaimed <= type(uint128).max >> 1) {
            if (_supplyWord & WIDE != 0) _unclaimedWord = 0;
            _supplyWord = supply | (unclaimed << 128);
        } else {
            _supplyWord = supply | WIDE;
            _unclaimedWord = unclaimed;
        }
    }
}
