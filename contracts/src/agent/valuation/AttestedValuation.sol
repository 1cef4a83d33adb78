// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Corridor} from "../Corridor.sol";
import {IAgent} from "../IAgent.sol";
import {IValuation} from "./IValuation.sol";

/// @title A value of one Agent's off-chain or unlisted holdings that two parties attest
/// @notice One proposes a value with the digest of the evidence, another accepts exactly that. The value may move only in
///         a corridor; a move beyond it also needs the Agent's Owner. A value that is too old stops settlement and nothing
///         else. Neither party may be the Agent or one of its Executors: the Executor never supplies a number.
contract AttestedValuation is IValuation {
    address public immutable AGENT;
    address public immutable asset;
    address public immutable PROPOSER;
    address public immutable ACCEPTER;
    uint32 public immutable BPS_PER_DAY;
    /// @dev The corridor is measured from at least this value, so that zero can be left again.
    uint128 public immutable FLOOR;
    uint40 public immutable MAX_AGE_SEC;

    uint128 public value;
    uint40 public attestedAt;
    uint128 public proposedValue;
    bytes32 public proposedEvidence;

    event ValueProposed(uint256 value, bytes32 indexed evidenceHash);
    event ValueAttested(uint256 value, bytes32 indexed evidenceHash, address by);

    error SameParty(address party);
    error PartyIsExecutor(address party);
    error NotParty(address caller, address expected);
    error NoProposal(uint256 value, bytes32 evidenceHash);
    error ZeroEvidence();
    error ValueOutsideCorridor(uint256 got, uint256 current, uint256 allowance);

    constructor(address agent, address proposer, address accepter, uint32 bpsPerDay, uint128 floor, uint40 maxAgeSec) {
        if (proposer == accepter || proposer == agent || accepter == agent) revert SameParty(proposer);
        AGENT = agent;
        asset = IAgent(agent).acceptToken();
        PROPOSER = proposer;
        ACCEPTER = accepter;
        BPS_PER_DAY = bpsPerDay;
        FLOOR = floor;
        MAX_AGE_SEC = maxAgeSec;
        attestedAt = uint40(block.timestamp);
    }

    function valueOf(address agent) external view returns (uint256 assets, bool fresh) {
        if (agent != AGENT) return (0, true);
        return (value, block.timestamp <= uint256(attestedAt) + MAX_AGE_SEC);
    }

    function propose(uint128 newValue, bytes32 evidenceHash) external {
        _requireParty(PROPOSER);
        if (evidenceHash == 0) revert ZeroEvidence();
        proposedValue = newValue;
        proposedEvidence = evidenceHash;
        emit ValueProposed(newValue, evidenceHash);
    }

    /// @notice Accept the proposal that is on the table. The arguments must repeat it, so that it cannot be swapped.
    function accept(uint128 newValue, bytes32 evidenceHash) external {
        _requireParty(ACCEPTER);
        uint256 elapsed = block.timestamp - attestedAt;
        if (!Corridor.contains(value, newValue, FLOOR, BPS_PER_DAY, elapsed)) {
            revert ValueOutsideCorridor(newValue, value, Corridor.allowance(value, FLOOR, BPS_PER_DAY, elapsed));
        }
        _attest(newValue, evidenceHash);
    }

    /// @notice Accept a proposal outside the corridor. The Agent's Owner only.
    function confirm(uint128 newValue, bytes32 evidenceHash) external {
        _requireParty(IAgent(AGENT).owner());
        _attest(newValue, evidenceHash);
    }

    function _attest(uint128 newValue, bytes32 evidenceHash) private {
        if (evidenceHash == 0 || evidenceHash != proposedEvidence || newValue != proposedValue) {
            revert NoProposal(newValue, evidenceHash);
        }
        delete proposedValue;
        delete proposedEvidence;
        value = newValue;
        attestedAt = uint40(block.timestamp);
        emit ValueAttested(newValue, evidenceHash, msg.sender);
    }

    function _requireParty(address expected) private view {
        if (msg.sender != expected) revert NotParty(msg.sender, expected);
        if (IAgent(AGENT).isExecutor(msg.sender)) revert PartyIsExecutor(msg.sender);
    }
}
