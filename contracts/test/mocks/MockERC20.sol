// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title A well-behaved ERC-20, and the base of those that are not
/// @notice Anyone may mint and take away: the tests are the only users.
contract MockERC20 {
    mapping(address account => uint256) internal _balances;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    error BalanceTooLow(address account, uint256 balance, uint256 needed);
    error AllowanceTooLow(address owner, uint256 allowed, uint256 needed);

    function mint(address to, uint256 amount) external {
        _balances[to] += amount;
    }

    /// @notice What a rebase or an administrator of the token may do: `account` loses `amount`.
    function shrink(address account, uint256 amount) external {
        _balances[account] -= amount;
    }

    function approve(address spender, uint256 amount) external virtual returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function balanceOf(address account) external view virtual returns (uint256) {
        return _balances[account];
    }

    function transfer(address to, uint256 amount) external virtual returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external virtual returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }

    function _spend(address from, uint256 amount) internal virtual {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert AllowanceTooLow(from, allowed, amount);
        allowance[from][msg.sender] = allowed - amount;
    }

    function _move(address from, address to, uint256 amount) internal virtual {
        uint256 balance = _balances[from];
        if (balance < amount) revert BalanceTooLow(from, balance, amount);
        _balances[from] = balance - amount;
        _balances[to] += amount;
    }
}
