// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Bucket, Policy, RuleState} from "./IScope.sol";
import {ScopeState} from "./ScopeState.sol";

/// @dev What the Scope asks of an Agent.
interface IScopedAgent {
    function owner() external view returns (address);
    function guardian() external view returns (address);
}

/// @title Who changes a boundary, and when it takes effect
/// @notice Loosening: the Owner proposes a document, waits, and applies it. Tightening: the Owner or the guardian, at once.
///         An Agent without an Owner keeps what it has; its guardian can still tighten.
abstract contract ScopeGovernance is ScopeState {
    /// @dev A proposal that nobody applied lapses, so that an old one cannot surprise holders who watched it pass.
    uint256 public constant GRACE_SEC = 14 days;
    uint40 public constant MAX_DELAY_SEC = 30 days;
    address public immutable FACTORY = msg.sender;

    modifier onlyOwner(address agent) {
        if (msg.sender != IScopedAgent(agent).owner()) revert NotOwner(agent, msg.sender);
        _;
    }

    modifier onlyOwnerOrGuardian(address agent) {
        if (msg.sender != IScopedAgent(agent).owner() && msg.sender != IScopedAgent(agent).guardian()) {
            revert NotOwnerOrGuardian(agent, msg.sender);
        }
        _;
    }

    /// @dev The delay of later changes is that of the first policy.
    function open(address agent, Policy calldata policy) external {
        if (msg.sender != FACTORY) revert NotFactory(msg.sender);
        if (_configs[agent].opened) revert AlreadyOpened(agent);
        _checkDelay(policy.delaySec);
        _configs[agent] = Config({delaySec: policy.delaySec, opened: true});
        // an empty boundary allows nothing, and needs no words
        if (policy.rules.length + policy.caps.length + policy.members.length != 0) _install(agent, policy);
    }

    // --- loosening ---

    /// @notice Announce a change. Owner only.
    /// @return changeId keccak256 of the encoded document
    function propose(address agent, Policy calldata policy) external onlyOwner(agent) returns (bytes32 changeId) {
        Config storage config = _configs[agent];
        if (!config.opened) revert NotOpened(agent);
        changeId = keccak256(abi.encode(policy));
        uint256 proposed = _proposals[agent][changeId];
        if (proposed != 0 && block.timestamp <= proposed + GRACE_SEC) revert AlreadyProposed(agent, changeId);
        uint256 ready = block.timestamp + config.delaySec;
        _proposals[agent][changeId] = ready;
        emit PolicyProposed(agent, changeId, ready, policy);
    }

    /// @notice Put a proposed change into effect after its delay. Owner only.
    function enact(address agent, Policy calldata policy) external onlyOwner(agent) {
        bytes32 changeId = keccak256(abi.encode(policy));
        uint256 ready = _proposals[agent][changeId];
        if (ready == 0) revert NotProposed(agent, changeId);
        if (block.timestamp < ready) revert NotReady(agent, changeId, ready);
        if (block.timestamp > ready + GRACE_SEC) revert Lapsed(agent, changeId, ready + GRACE_SEC);
        delete _proposals[agent][changeId];
        _install(agent, policy);
    }

    function _install(address agent, Policy calldata policy) private {
        uint256 items = policy.rules.length + policy.caps.length + policy.members.length;
        if (items > MAX_CHANGE_ITEMS) revert TooMany(items, MAX_CHANGE_ITEMS);
        for (uint256 i = 0; i < policy.rules.length; ++i) {
            _setRule(agent, policy.rules[i]);
        }
        for (uint256 i = 0; i < policy.caps.length; ++i) {
            _setCap(agent, policy.caps[i]);
        }
        for (uint256 i = 0; i < policy.members.length; ++i) {
            _addMember(agent, policy.members[i]);
        }
        if (policy.delaySec != type(uint40).max) {
            _checkDelay(policy.delaySec);
            _configs[agent].delaySec = policy.delaySec;
        }
        bytes32 changeId = keccak256(abi.encode(policy));
        _record(agent, changeId);
        emit PolicyApplied(agent, changeId, policy);
    }

    // --- tightening ---

    /// @notice Drop a proposal. Owner or guardian.
    function withdraw(address agent, bytes32 changeId) external onlyOwnerOrGuardian(agent) {
        if (_proposals[agent][changeId] == 0) revert NotProposed(agent, changeId);
        delete _proposals[agent][changeId];
        emit PolicyWithdrawn(agent, changeId, msg.sender);
    }

    /// @notice Refuse everything: what is to be allowed again goes through a proposal. Owner or guardian.
    function removeAllRules(address agent) external onlyOwnerOrGuardian(agent) {
        bytes32[] memory keys = _keys[agent];
        delete _keys[agent];
        for (uint256 i = 0; i < keys.length; ++i) {
            _rules[agent][keys[i]].enabled = false;
        }
        _record(agent, keccak256("removeAllRules"));
        emit RulesRemoved(agent, keys.length, msg.sender);
    }

    function removeRule(address agent, bytes32 key) external onlyOwnerOrGuardian(agent) {
        if (!_rules[agent][key].enabled) revert NoSuchRule(agent, key);
        _rules[agent][key].enabled = false;
        bytes32[] storage keys = _keys[agent];
        uint256 last = keys.length - 1;
        for (uint256 i = 0; i <= last; ++i) {
            if (keys[i] == key) {
                keys[i] = keys[last];
                keys.pop();
                break;
            }
        }
        _record(agent, keccak256(abi.encode("removeRule", key)));
        emit RuleRemoved(agent, key, msg.sender);
    }

    /// @notice Let a rule end earlier than it would.
    function expireRule(address agent, bytes32 key, uint40 expiresAt) external onlyOwnerOrGuardian(agent) {
        RuleState storage rule = _rules[agent][key];
        if (!rule.enabled) revert NoSuchRule(agent, key);
        uint256 current = rule.expiresAt;
        if (expiresAt == 0 || (current != 0 && expiresAt >= current)) revert NotTighter(expiresAt, current);
        rule.expiresAt = expiresAt;
        _record(agent, keccak256(abi.encode("expireRule", key, expiresAt)));
        emit RuleExpirySet(agent, key, expiresAt, msg.sender);
    }

    /// @notice Lower a cap, its lifetime, or both; neither may rise.
    /// @dev The level is brought to now before the limit falls, because the refill is a fraction of the limit.
    function lowerCap(address agent, bytes32 key, uint128 limit, uint256 lifetimeLeft)
        external
        onlyOwnerOrGuardian(agent)
    {
        Bucket storage bucket = _buckets[agent][key];
        if (!bucket.set) revert NoSuchCap(agent, key);
        if (limit > bucket.limit) revert NotTighter(limit, bucket.limit);
        if (lifetimeLeft > bucket.lifetimeLeft) revert NotTighter(lifetimeLeft, bucket.lifetimeLeft);
        bucket.used = _level(bucket);
        bucket.at = uint40(block.timestamp);
        bucket.limit = limit;
        bucket.lifetimeLeft = lifetimeLeft;
        _record(agent, keccak256(abi.encode("lowerCap", key, limit, lifetimeLeft)));
        emit CapLowered(agent, key, limit, lifetimeLeft, msg.sender);
    }

    function removeMember(address agent, uint232 set, uint256 member) external onlyOwnerOrGuardian(agent) {
        _members[agent][set][member] = false;
        _record(agent, keccak256(abi.encode("removeMember", set, member)));
        emit MemberRemoved(agent, set, member, msg.sender);
    }

    function _checkDelay(uint40 delaySec) private pure {
        if (delaySec > MAX_DELAY_SEC) revert DelayTooLong(delaySec, MAX_DELAY_SEC);
    }

    function _record(address agent, bytes32 change) private {
        _revisions[agent] = keccak256(abi.encode(_revisions[agent], change));
    }
}
