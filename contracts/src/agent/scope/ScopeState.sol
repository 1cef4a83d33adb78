// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Bucket, Cap, IScope, Member, Rule, RuleState} from "./IScope.sol";
import {ScopeConditions} from "./ScopeConditions.sol";

/// @title What the Scope stores for each Agent, and the only writers of it that loosen
abstract contract ScopeState is IScope {
    /// @dev Bounds of what one Agent may hold and one change may carry: a judgment stays below 200,000 gas.
    uint256 public constant MAX_RULES = 64;
    uint256 public constant MAX_CONDITIONS = 12;
    uint256 public constant MAX_CHANGE_ITEMS = 64;

    struct Config {
        uint40 delaySec;
        bool opened;
    }

    mapping(address agent => Config) internal _configs;
    mapping(address agent => mapping(bytes32 key => RuleState)) internal _rules;
    mapping(address agent => bytes32[]) internal _keys;
    mapping(address agent => mapping(bytes32 key => Bucket)) internal _buckets;
    mapping(address agent => mapping(uint256 set => mapping(uint256 member => bool))) internal _members;
    mapping(address agent => mapping(bytes32 changeId => uint256 readyAt)) internal _proposals;
    /// @dev Rolling keccak256 over every change that took effect: names the exact history of a policy in one word.
    mapping(address agent => bytes32) internal _revisions;

    /// @notice Key of a rule: target (160 bits), selector (32), plain (1), from the low end.
    function ruleKey(address target, bytes4 selector, bool plain) public pure returns (bytes32) {
        return bytes32(uint256(uint160(target)) | (uint256(uint32(selector)) << 160) | (plain ? 1 << 192 : 0));
    }

    /// @notice Key of the cap of `asset`; address(0) is the native currency. Never that of a rule: the marker differs.
    function capKey(address asset) public pure returns (bytes32) {
        return bytes32(uint256(uint160(asset)) | (1 << 255));
    }

    function _setRule(address agent, Rule calldata rule) internal {
        if (rule.conditions.length > MAX_CONDITIONS) revert TooMany(rule.conditions.length, MAX_CONDITIONS);
        if (rule.plain && (rule.conditions.length != 0 || rule.selector != 0 || rule.spendAsset != address(0))) {
            revert PlainRuleHasArguments(rule.target);
        }
        if (rule.callLimit == 0 && rule.callPeriodSec != 0) revert LimitWithoutBucket(rule.target);
        bytes32 key = ruleKey(rule.target, rule.selector, rule.plain);
        RuleState storage state = _rules[agent][key];
        if (!state.enabled) {
            if (_keys[agent].length == MAX_RULES) revert TooMany(MAX_RULES + 1, MAX_RULES);
            _keys[agent].push(key);
        }
        state.enabled = true;
        state.expiresAt = rule.expiresAt;
        state.conditions = uint8(rule.conditions.length);
        state.pinned = rule.codeHash != 0;
        state.spends = rule.spendAsset != address(0);
        state.counted = rule.callLimit != 0;
        state.spendOffset = rule.spendOffset;
        state.maxValue = rule.maxValue;
        if (state.maxTokenOut != rule.maxTokenOut) state.maxTokenOut = rule.maxTokenOut;
        if (state.pinned) state.codeHash = rule.codeHash;
        if (state.spends) state.spendAsset = rule.spendAsset;
        for (uint256 i = 0; i < rule.conditions.length; ++i) {
            state.words[i] = ScopeConditions.pack(rule.conditions[i]);
        }
        if (state.counted) {
            _setBucket(agent, key, rule.callLimit, rule.callPeriodSec, type(uint256).max);
        }
    }

    function _setCap(address agent, Cap calldata cap) internal {
        _setBucket(agent, capKey(cap.asset), cap.limit, cap.periodSec, cap.lifetime);
    }

    function _addMember(address agent, Member calldata entry) internal {
        _members[agent][entry.set][entry.member] = true;
    }

    /// @dev What was used stays used, so that no change of a cap hands out the same allowance twice.
    function _setBucket(address agent, bytes32 key, uint128 limit, uint40 periodSec, uint256 lifetime) private {
        Bucket storage bucket = _buckets[agent][key];
        bucket.used = _level(bucket);
        bucket.at = uint40(block.timestamp);
        bucket.limit = limit;
        bucket.periodSec = periodSec;
        bucket.set = true;
        bucket.lifetimeLeft = lifetime;
    }

    /// @dev Rounded up: what trickled back is rounded down, so the bucket never gives more than its limit and refill.
    function _level(Bucket storage bucket) internal view returns (uint128) {
        uint256 used = bucket.used;
        uint256 period = bucket.periodSec;
        if (used == 0 || period == 0) return uint128(used);
        uint256 elapsed = block.timestamp - bucket.at;
        if (elapsed >= period) elapsed = period;
        uint256 refilled = uint256(bucket.limit) * elapsed / period;
        // proof of fit: the result is at most `used`, which has 128 bits
        return refilled >= used ? 0 : uint128(used - refilled);
    }
}
