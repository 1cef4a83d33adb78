// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Tokens and accounts that behave as the tests tell them to.
contract TestToken {
    string public name = "Test Dollar";
    string public symbol;
    uint8 public decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    uint256 public fee;

    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);

    constructor(string memory symbol_, uint8 decimals_) {
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function burn(address from, uint256 amount) external {
        balanceOf[from] -= amount;
    }

    function setFee(uint256 fee_) external {
        fee = fee_;
    }

    /// Replies nothing, as some tokens in use do.
    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        emit Transfer(from, to, amount);
        return true;
    }
}

/// Answers `symbol()` and `decimals()` with the bytes it was given.
contract HostileToken {
    bytes private symbolReply;
    bytes private decimalsReply;

    constructor(bytes memory symbolReply_, bytes memory decimalsReply_) {
        symbolReply = symbolReply_;
        decimalsReply = decimalsReply_;
    }

    fallback() external {
        bytes memory reply = msg.sig == 0x95d89b41 ? symbolReply : decimalsReply;
        assembly {
            return(add(reply, 32), mload(reply))
        }
    }
}

/// Spends all gas on a reply of a megabyte.
contract FloodingToken {
    fallback() external {
        assembly {
            return(0, 1048576)
        }
    }
}

/// An account with code: takes native currency only while it wants to.
contract Actor {
    bool public accepts;

    function setAccepts(bool accepts_) external {
        accepts = accepts_;
    }

    function act(address target, bytes calldata data) external payable returns (bytes memory) {
        (bool success, bytes memory reply) = target.call{value: msg.value}(data);
        if (!success) {
            assembly {
                revert(add(reply, 32), mload(reply))
            }
        }
        return reply;
    }

    receive() external payable {
        require(accepts, "not now");
    }
}

/// Fails in the two ways of the language.
contract Failing {
    function say(string calldata reason) external pure {
        revert(reason);
    }

    function overflow(uint256 a) external pure returns (uint256) {
        return a + 1;
    }
}
