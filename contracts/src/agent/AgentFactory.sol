// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Agent} from "./Agent.sol";
import {AgentArguments} from "./AgentArguments.sol";
import {Birth} from "./Birth.sol";
import {IAgentErrors} from "./IAgentErrors.sol";
import {IScope} from "./scope/IScope.sol";
import {Scope} from "./scope/Scope.sol";

/// @title Where Agents are born
/// @notice The address of an Agent commits to its whole birth, so that nobody else's birth can take it, it is known
///         before, and whoever sends the transaction makes no difference.
contract AgentFactory is IAgentErrors {
    uint256 public constant MIN_HORIZON_SEC = 1 hours;
    uint256 public constant MAX_HORIZON_SEC = 365 days;
    /// @dev A rate above is 1e12 whole units of an 18-decimals token for one share: a slip of decimals.
    uint256 public constant MAX_INITIAL_RATE = 1e30;

    IScope public immutable SCOPE;
    address public immutable IMPLEMENTATION;

    event AgentCreated(
        address indexed agent,
        address indexed owner,
        address indexed acceptToken,
        uint256 initialRate,
        bool fixedPrice,
        uint256 reclaimHorizonSec,
        string name,
        string symbol
    );

    constructor() {
        SCOPE = new Scope();
        IMPLEMENTATION = address(new Agent(SCOPE));
    }

    /// @notice Create an Agent with its fees, horizon, metadata, Executors and Scope in one transaction.
    function create(Birth calldata birth, bytes32 salt) external returns (address agent) {
        if (birth.acceptToken.code.length == 0) revert OutOfRange("acceptToken", 0, 1, type(uint256).max);
        if (birth.initialRate == 0 || birth.initialRate > MAX_INITIAL_RATE) {
            revert OutOfRange("initialRate", birth.initialRate, 1, MAX_INITIAL_RATE);
        }
        if (birth.reclaimHorizonSec < MIN_HORIZON_SEC || birth.reclaimHorizonSec > MAX_HORIZON_SEC) {
            revert OutOfRange("reclaimHorizonSec", birth.reclaimHorizonSec, MIN_HORIZON_SEC, MAX_HORIZON_SEC);
        }
        agent = Clones.cloneDeterministicWithImmutableArgs(IMPLEMENTATION, _arguments(birth), _salt(birth, salt));
        Agent(payable(agent)).initialize(birth.constitution);
        SCOPE.open(agent, birth.policy);
        emit AgentCreated(
            agent,
            birth.constitution.owner,
            birth.acceptToken,
            birth.initialRate,
            birth.fixedPrice,
            birth.reclaimHorizonSec,
            birth.name,
            birth.symbol
        );
    }

    /// @notice Address that `create` would give.
    function predict(Birth calldata birth, bytes32 salt) external view returns (address) {
        return
            Clones.predictDeterministicAddressWithImmutableArgs(IMPLEMENTATION, _arguments(birth), _salt(birth, salt));
    }

    function _arguments(Birth calldata birth) private pure returns (bytes memory) {
        return AgentArguments.encode(
            birth.acceptToken, birth.initialRate, birth.reclaimHorizonSec, birth.fixedPrice, birth.name, birth.symbol
        );
    }

    function _salt(Birth calldata birth, bytes32 salt) private pure returns (bytes32) {
        return keccak256(abi.encode(birth, salt));
    }
}
