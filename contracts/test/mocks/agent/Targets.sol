// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";
import {IAgent} from "../../../src/agent/IAgent.sol";
import {IValuation} from "../../../src/agent/valuation/IValuation.sol";
import {IHook} from "./Tokens.sol";

/// @dev A contract that does as it is told and remembers who asked.
contract Target {
    address public caller;
    uint256 public value;
    bytes public data;
    uint256 public count;

    error Refused(uint256 code, bytes payload);

    receive() external payable {
        _note();
    }

    function act(uint256 a, address b) external payable returns (uint256, address) {
        _note();
        return (a, b);
    }

    function actMany(address[] calldata) external payable {
        _note();
    }

    function returns_(uint256 size) external pure returns (bytes memory) {
        return new bytes(size);
    }

    function returnRaw(uint256 size) external pure {
        assembly {
            return(0, size)
        }
    }

    function refuse(uint256 code, bytes calldata payload) external pure {
        revert Refused(code, payload);
    }

    function pull(IERC20 token, uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }

    function pullFrom(IERC20 token, address from, uint256 amount) external {
        token.transferFrom(from, address(this), amount);
    }

    function forward(address to, bytes calldata call) external payable returns (bytes memory) {
        (bool success, bytes memory reply) = to.call{value: msg.value}(call);
        if (!success) {
            assembly {
                revert(add(reply, 0x20), mload(reply))
            }
        }
        return reply;
    }

    function send(IERC20 token, address to, uint256 amount) external {
        token.transfer(to, amount);
    }

    function _note() private {
        caller = msg.sender;
        value = msg.value;
        data = msg.data;
        count++;
    }
}

/// @dev Tries one call into the Agent when it is called or paid, and keeps what happened and what it saw.
contract Reenterer is IHook {
    IAgent public immutable AGENT;
    bytes public attempt;
    bool public succeeded;
    bool public tried;
    bytes public reply;
    uint256 public rate;
    bool public rateReadable;
    uint256 public pending;
    uint256 public claimable;

    constructor(IAgent agent) {
        AGENT = agent;
    }

    function arm(bytes calldata call) external {
        attempt = call;
        tried = false;
        succeeded = false;
    }

    function onMove() external {
        _try();
    }

    function run() external {
        _try();
    }

    receive() external payable {
        _try();
    }

    function _try() private {
        tried = true;
        if (attempt.length != 0) (succeeded, reply) = address(AGENT).call(attempt);
        try AGENT.exchangeRate() returns (uint256 seen) {
            rate = seen;
            rateReadable = true;
        } catch {
            rateReadable = false;
        }
        (pending, claimable) = AGENT.queryMintStatus(address(this));
    }
}

contract Vault4626 is ERC4626 {
    constructor(IERC20 asset_) ERC20("Vault", "vT") ERC4626(asset_) {}
}

/// @dev A valuation whose owner says what it says.
contract StubValuation is IValuation {
    address public asset;
    uint256 public assets;
    bool public fresh = true;
    bool public broken;

    constructor(address asset_) {
        asset = asset_;
    }

    function set(uint256 assets_, bool fresh_, bool broken_) external {
        assets = assets_;
        fresh = fresh_;
        broken = broken_;
    }

    function valueOf(address) external view returns (uint256, bool) {
        require(!broken, "broken");
        return (assets, fresh);
    }
}

/// @dev Somebody who can receive neither shares by hook nor native currency, and holds a key of his own.
contract Refuser {
    receive() external payable {
        revert("no");
    }
}
