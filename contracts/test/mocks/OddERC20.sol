// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {MockERC20} from "./MockERC20.sol";

/// @notice Replies nothing to transfers, as USDT does.
contract NoReturnERC20 is MockERC20 {
    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        assembly ("memory-safe") {
            return(0, 0)
        }
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}

/// @notice Replies nothing to approvals either.
contract SilentERC20 is NoReturnERC20 {
    function approve(address spender, uint256 amount) external override returns (bool) {
        allowance[msg.sender][spender] = amount;
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}

/// @notice Takes the largest allowance for an endless one, as many tokens do.
contract EndlessERC20 is MockERC20 {
    function _spend(address from, uint256 amount) internal override {
        if (allowance[from][msg.sender] != type(uint256).max) super._spend(from, amount);
    }
}

/// @notice Moves nothing while it is closed, and says so with false instead of a revert.
contract FalseReturnERC20 is MockERC20 {
    bool public isClosed;

    function setClosed(bool value) external {
        isClosed = value;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        if (isClosed) return false;
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        if (isClosed) return false;
        _spend(from, amount);
        _move(from, to, amount);
        return true;
    }
}

/// @notice Says true and moves only a part, or nothing.
contract BoastfulERC20 is MockERC20 {
    uint256 public movedPercent = 100;

    function setMovedPercent(uint256 value) external {
        movedPercent = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount * movedPercent / 100);
    }
}

/// @notice Moves the money, and replies with `replyBytes` zero bytes: false, a short reply, nothing, or megabytes.
contract LyingERC20 is MockERC20 {
    uint256 public replyBytes = 32;
    uint256 public balanceReplyBytes = 32;

    function setReplyBytes(uint256 value) external {
        replyBytes = value;
    }

    /// @notice Length of the reply to `balanceOf`, whose first word stays right.
    function setBalanceReplyBytes(uint256 value) external {
        balanceReplyBytes = value;
    }

    function balanceOf(address account) external view override returns (uint256) {
        uint256 held = _balances[account];
        uint256 size = balanceReplyBytes;
        assembly ("memory-safe") {
            let reply := mload(0x40)
            mstore(reply, held)
            return(reply, size)
        }
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        _reply();
    }

    function transferFrom(address from, address to, uint256 amount) external override returns (bool) {
        _spend(from, amount);
        _move(from, to, amount);
        _reply();
    }

    function _reply() private view {
        uint256 size = replyBytes;
        assembly ("memory-safe") {
            let reply := mload(0x40)
            mstore(reply, 0)
            return(reply, size)
        }
    }
}

/// @notice The recipient pays `feePercent` of every transfer.
contract FeeERC20 is MockERC20 {
    uint256 public feePercent = 1;

    function setFeePercent(uint256 value) external {
        feePercent = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        uint256 fee = amount * feePercent / 100;
        super._move(to, address(0xfee), fee);
    }
}

/// @notice The sender pays `feePercent` on top of every transfer by `transfer`.
contract SenderFeeERC20 is MockERC20 {
    uint256 public feePercent = 1;

    function setFeePercent(uint256 value) external {
        feePercent = value;
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        _move(msg.sender, to, amount);
        _move(msg.sender, address(0xfee), amount * feePercent / 100);
        return true;
    }
}

/// @notice Every balance is worth `percent` of what was put there; transfers move what is shown.
contract RebasingERC20 is MockERC20 {
    uint256 public percent = 100;

    function rebase(uint256 newPercent) external {
        percent = newPercent;
    }

    function balanceOf(address account) external view override returns (uint256) {
        return _balances[account] * percent / 100;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount * 100 / percent);
    }
}

/// @notice Refuses transfers to and from whoever is listed.
contract BlacklistERC20 is MockERC20 {
    mapping(address account => bool) public isListed;

    error Listed(address account);

    function setListed(address account, bool value) external {
        isListed[account] = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (isListed[from]) revert Listed(from);
        if (isListed[to]) revert Listed(to);
        super._move(from, to, amount);
    }
}

/// @notice Calls `target` with `data` in the middle of every transfer, and keeps what came back.
contract ReentrantERC20 is MockERC20 {
    address public target;
    bytes public data;
    bool public succeeded;
    bytes public reply;

    function setCall(address target_, bytes calldata data_) external {
        target = target_;
        data = data_;
    }

    function _move(address from, address to, uint256 amount) internal override {
        super._move(from, to, amount);
        if (target != address(0)) (succeeded, reply) = target.call(data);
    }
}

/// @notice Burns all the gas that a transfer gets, once told to.
contract GasBurningERC20 is MockERC20 {
    bool public burns;

    function setBurns(bool value) external {
        burns = value;
    }

    function _move(address from, address to, uint256 amount) internal override {
        if (burns) {
            while (true) {}
        }
        super._move(from, to, amount);
    }
}

/// @notice A token that shows its balances at a second address, SECOND, which moves the same money.
contract TwoFacedERC20 is MockERC20 {
    SecondFace public immutable SECOND = new SecondFace();

    function moveFor(address from, address to, uint256 amount) external {
        require(msg.sender == address(SECOND), "not the second face");
        _move(from, to, amount);
    }
}

/// @notice The second address of a TwoFacedERC20.
contract SecondFace {
    TwoFacedERC20 private immutable FIRST = TwoFacedERC20(msg.sender);

    function balanceOf(address account) external view returns (uint256) {
        return FIRST.balanceOf(account);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        FIRST.moveFor(msg.sender, to, amount);
        return true;
    }
}
