// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Intruder} from "./Intruder.sol";

/// @title An ERC-20 that behaves as it is told to
/// @notice With `Conduct.Honest` and nobody blocked it is a plain token. Allowances are left out: the market spends
///         its caller's tokens only, which the ledger checks by balances.
contract ScriptedToken {
    enum Conduct {
        Honest,
        NoReply, // moves, returns nothing
        FalseReply, // moves, returns false
        ShortReply, // moves, returns one byte
        HugeReply, // moves, returns 100,000 bytes
        MoveNothing, // returns true
        MoveHalf, // returns true
        TakeExtra, // delivers the amount, takes one unit more from the sender
        Refuse,
        BurnGas,
        Reenter // moves, after trying every entry point of the tender
    }

    uint256 public constant CONDUCTS = 11;

    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlocked;
    Conduct public conduct;
    Intruder private _intruder;
    uint256 private _tokenId;

    function setConduct(Conduct value) external {
        conduct = value;
    }

    function setBlocked(address account, bool value) external {
        isBlocked[account] = value;
    }

    function setIntrusion(Intruder intruder, uint256 tokenId) external {
        _intruder = intruder;
        _tokenId = tokenId;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function shrink(address from, uint256 amount) external {
        balanceOf[from] -= amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _act(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        return _act(from, to, amount);
    }

    /// @notice What of `amount` a transfer by `conduct` takes from its sender; more than `amount` is undone by a vault.
    function moves(address from, address to, uint256 amount) external view returns (uint256) {
        if (isBlocked[from] || isBlocked[to]) return 0;
        if (conduct == Conduct.MoveNothing || conduct == Conduct.Refuse || conduct == Conduct.BurnGas) return 0;
        if (conduct == Conduct.MoveHalf) return amount / 2;
        return conduct == Conduct.TakeExtra ? amount + 1 : amount;
    }

    function _act(address from, address to, uint256 amount) private returns (bool) {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        require(conduct != Conduct.Refuse, "refused");
        if (conduct == Conduct.BurnGas) {
            assembly {
                invalid()
            }
        }
        if (conduct == Conduct.Reenter) _intruder.intrude(_tokenId);
        if (conduct == Conduct.MoveNothing) return true;
        if (conduct == Conduct.MoveHalf) amount /= 2;
        balanceOf[from] -= conduct == Conduct.TakeExtra ? amount + 1 : amount;
        balanceOf[to] += amount;
        return _reply();
    }

    function _reply() private view returns (bool) {
        uint256 size = 32;
        if (conduct == Conduct.NoReply) size = 0;
        if (conduct == Conduct.ShortReply) size = 1;
        if (conduct == Conduct.HugeReply) size = 100_000;
        bool word = conduct != Conduct.FalseReply;
        assembly {
            let reply := mload(0x40)
            mstore(reply, word)
            return(reply, size)
        }
    }
}
