// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token with any number of decimals, a blacklist, a way to lose money, and hooks for those who want one.
contract AcceptToken is ERC20 {
    uint8 private immutable DECIMALS;
    mapping(address account => bool) public blocked;
    mapping(address account => address) public hooks;

    error Blocked(address account);

    constructor(uint8 decimals_) ERC20("Mock USD", "mUSD") {
        DECIMALS = decimals_;
    }

    function decimals() public view override returns (uint8) {
        return DECIMALS;
    }

    function issue(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function confiscate(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function setHook(address hook) external {
        hooks[msg.sender] = hook;
    }

    function setBlocked(address account, bool value) external {
        blocked[account] = value;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (blocked[from]) revert Blocked(from);
        if (blocked[to]) revert Blocked(to);
        bool moves = from != address(0) && to != address(0);
        if (moves && hooks[from] != address(0)) IHook(hooks[from]).onMove();
        super._update(from, to, value);
        if (moves && hooks[to] != address(0)) IHook(hooks[to]).onMove();
    }
}

/// @dev Keeps one percent of each transfer.
contract FeeToken is ERC20 {
    constructor() ERC20("Fee", "FEE") {}

    function issue(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from == address(0) || to == address(0)) return super._update(from, to, value);
        super._update(from, to, value - value / 100);
        super._update(from, address(0xfee), value / 100);
    }
}

/// @dev Returns nothing, and refuses to change an allowance that is not zero.
contract SilentToken {
    mapping(address account => uint256) public balanceOf;
    mapping(address account => mapping(address spender => uint256)) public allowance;

    function issue(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "reset first");
        allowance[msg.sender][spender] = amount;
    }

    function transfer(address to, uint256 amount) external {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
    }

    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}

/// @dev Calls a hook of sender and receiver around each transfer, as ERC-777 does.
contract HookedToken is ERC20 {
    mapping(address account => address) public hooks;

    constructor() ERC20("Hooked", "HOOK") {}

    function issue(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function setHook(address hook) external {
        hooks[msg.sender] = hook;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (hooks[from] != address(0)) IHook(hooks[from]).onMove();
        super._update(from, to, value);
        if (hooks[to] != address(0)) IHook(hooks[to]).onMove();
    }
}

interface IHook {
    function onMove() external;
}
