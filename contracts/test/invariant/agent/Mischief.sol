// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {AcceptToken, IHook} from "../../mocks/agent/Tokens.sol";
import {IAgentContract} from "../../mocks/agent/IAgentContracts.sol";

/// @dev The target of a malicious Executor: pulls what it may, calls back into whatever it can, remembers allowances.
contract Mischief is IHook {
    IAgentContract public agent;
    AcceptToken public token;
    uint256 public reentries;
    uint256 public hooked;
    bool private quiet;

    receive() external payable {}

    function bind(IAgentContract agent_, AcceptToken token_) external {
        agent = agent_;
        token = token_;
        token_.setHook(address(this));
    }

    /// @dev The Accept Token is hostile too: it calls here whenever it moves from or to this holder.
    function onMove() external {
        if (quiet) return;
        ++hooked;
        reenter(address(this), 1);
    }

    /// @dev Every entry point of the Agent that changes anything, called from inside a dispatch.
    function reenter(address user, uint256 amount) public {
        bytes[12] memory calls = [
            abi.encodeCall(agent.requestMint, (amount)),
            abi.encodeCall(agent.requestRedeem, (amount)),
            abi.encodeCall(agent.mint, (user)),
            abi.encodeCall(agent.redeem, (user)),
            abi.encodeCall(agent.reclaim, ()),
            abi.encodeCall(agent.reclaimShares, ()),
            abi.encodeCall(agent.claimFees, ()),
            abi.encodeCall(agent.settleMint, (user, bytes32(uint256(1)), "u")),
            abi.encodeCall(agent.settleRedeem, (user, bytes32(uint256(1)), "u")),
            abi.encodeCall(agent.decline, (user, 0, bytes32(uint256(1)), "u")),
            abi.encodeCall(agent.execute, (address(token), 0, "", bytes32(uint256(1)), "u")),
            abi.encodeCall(agent.payClaim, (user))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool success,) = address(agent).call(calls[i]);
            if (success) ++reentries;
        }
    }

    function pull(uint256 amount) public {
        token.transferFrom(address(agent), address(this), amount);
    }

    function pullAll() external {
        uint256 allowed = token.allowance(address(agent), address(this));
        if (allowed != 0) pull(allowed);
    }

    function nothing() external {}

    function fail() external pure {
        revert("no");
    }

    /// @dev After the call: whatever allowance is left is used at once.
    function pullLeftovers(address[] calldata) external {
        uint256 allowed = token.allowance(address(agent), address(this));
        uint256 balance = token.balanceOf(address(agent));
        if (allowed > balance) allowed = balance;
        quiet = true;
        if (allowed != 0) pull(allowed);
        quiet = false;
    }

    function bringBack(uint256 part) external {
        uint256 balance = token.balanceOf(address(this));
        quiet = true;
        if (balance != 0) token.transfer(address(agent), part % (balance + 1));
        quiet = false;
    }

    function draw(uint256 seed, uint256 amount, address[] calldata users)
        external
        view
        returns (address to, uint256 value, bytes memory data)
    {
        address user = users[(seed >> 16) % users.length];
        uint256 most = token.balanceOf(address(agent)) + 2;
        uint256 sum = amount % most;
        uint256 kind = seed % 16;
        if (kind == 0) return (address(token), 0, abi.encodeCall(IERC20.transfer, (address(this), sum)));
        if (kind == 1) return (address(token), 0, abi.encodeCall(IERC20.approve, (address(this), type(uint256).max)));
        if (kind == 2) return (address(token), 0, abi.encodeCall(IERC20.transferFrom, (user, address(this), sum)));
        if (kind == 3) return (address(agent), 0, abi.encodeCall(IERC20.transfer, (address(this), sum)));
        if (kind == 4) return (address(agent), 0, abi.encodeCall(agent.payClaim, (user)));
        if (kind == 5) return (address(agent), 0, abi.encodeCall(agent.setExecutor, (address(this), true)));
        if (kind == 6) return (address(agent.SCOPE()), 0, hex"12345678");
        if (kind == 7) return (address(this), seed % 3, "");
        if (kind == 8) return (address(this), 0, abi.encodeCall(this.fail, ()));
        if (kind < 11) return (address(this), 0, abi.encodeCall(this.reenter, (user, sum)));
        if (kind < 13) return (address(this), 0, abi.encodeCall(this.pullAll, ()));
        if (kind == 13) return (address(this), 0, abi.encodeCall(this.nothing, ()));
        return (address(this), 0, abi.encodeCall(this.pull, (sum)));
    }
}
