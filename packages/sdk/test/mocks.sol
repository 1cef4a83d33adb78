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

/// A vault of ERC-4626 that earns what it is given.
contract TestVault {
    TestToken public immutable asset;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares);
    event Withdraw(
        address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares
    );

    constructor(TestToken asset_) {
        asset = asset_;
    }

    function totalAssets() public view returns (uint256) {
        return asset.balanceOf(address(this));
    }

    function previewRedeem(uint256 shares) public view returns (uint256) {
        return shares * (totalAssets() + 1e6) / (totalSupply + 1e18);
    }

    function deposit(uint256 assets, address receiver) external returns (uint256 shares) {
        shares = assets * (totalSupply + 1e18) / (totalAssets() + 1e6);
        asset.transferFrom(msg.sender, address(this), assets);
        totalSupply += shares;
        balanceOf[receiver] += shares;
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function redeem(uint256 shares, address receiver, address owner) external returns (uint256 assets) {
        require(msg.sender == owner, "not the owner");
        assets = previewRedeem(shares);
        balanceOf[owner] -= shares;
        totalSupply -= shares;
        asset.transfer(receiver, assets);
        emit Withdraw(msg.sender, receiver, owner, assets, shares);
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
