// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ScopeConditions} from "./ScopeConditions.sol";
import {ScopeGovernance} from "./ScopeGovernance.sol";
import {Bucket, Condition, RuleState, Verdict} from "./IScope.sol";

/// @title The boundary of every Agent of one factory
/// @notice One contract for all Agents, keyed by Agent: a birth deploys nothing, and a judgment costs one cold account.
/// @dev `verdict` and `consume` run the same two steps (the rule, then the list of charges); only `consume` writes the
///      charges. A fuzz test holds the two together.
contract Scope is ScopeGovernance {
    /// @dev At most four: native, Accept Token, the rule's spend asset, the rule's calls.
    struct Charge {
        bytes32 key;
        uint256 amount;
    }

    function consume(address target, uint256 value, bytes calldata data, address token, uint256 tokenOut)
        external
        returns (Verdict)
    {
        (Verdict answer, Charge[4] memory charges) = _judge(msg.sender, target, value, data, token, tokenOut);
        if (answer != Verdict.Allowed) return answer;
        for (uint256 i = 0; i < charges.length; ++i) {
            if (charges[i].amount == 0) break;
            Bucket storage bucket = _buckets[msg.sender][charges[i].key];
            if (!bucket.set) continue;
            // proof of fit: _judge found level + amount <= limit, which has 128 bits
            bucket.used = uint128(_level(bucket) + charges[i].amount);
            bucket.at = uint40(block.timestamp);
            uint256 left = bucket.lifetimeLeft;
            if (left != type(uint256).max) bucket.lifetimeLeft = left - charges[i].amount;
        }
        return Verdict.Allowed;
    }

    function verdict(address agent, address target, uint256 value, bytes calldata data, address token, uint256 tokenOut)
        external
        view
        returns (Verdict answer)
    {
        (answer,) = _judge(agent, target, value, data, token, tokenOut);
    }

    function _judge(address agent, address target, uint256 value, bytes calldata data, address token, uint256 tokenOut)
        private
        view
        returns (Verdict answer, Charge[4] memory charges)
    {
        bytes32 key = ruleKey(target, data.length < 4 ? bytes4(0) : bytes4(data), data.length == 0);
        RuleState storage rule = _rules[agent][key];
        answer = _judgeRule(rule, agent, target, value, data, tokenOut);
        if (answer != Verdict.Allowed) return (answer, charges);

        uint256 count = 0;
        if (value != 0) count = _add(charges, count, capKey(address(0)), value);
        if (tokenOut != 0) count = _add(charges, count, capKey(token), tokenOut);
        if (rule.spends) {
            (bool found, uint256 amount) = ScopeConditions.wordAt(data, rule.spendOffset);
            if (!found) return (Verdict.Malformed, charges);
            address asset = rule.spendAsset;
            // the Accept Token that leaves by this call is charged already
            if (amount != 0 && (asset != token || tokenOut == 0)) count = _add(charges, count, capKey(asset), amount);
        }
        if (rule.counted) count = _add(charges, count, key, 1);
        for (uint256 i = 0; i < count; ++i) {
            answer = _fits(_buckets[agent][charges[i].key], charges[i].amount);
            if (answer != Verdict.Allowed) return (answer, charges);
        }
    }

    function _judgeRule(
        RuleState storage rule,
        address agent,
        address target,
        uint256 value,
        bytes calldata data,
        uint256 tokenOut
    ) private view returns (Verdict) {
        if (!rule.enabled) return Verdict.NoRule;
        // one to three bytes are no selector
        if (data.length != 0 && data.length < 4) return Verdict.Malformed;
        uint256 expiresAt = rule.expiresAt;
        if (expiresAt != 0 && block.timestamp >= expiresAt) return Verdict.Expired;
        if (rule.pinned && target.codehash != rule.codeHash) return Verdict.CodeChanged;
        if (value > rule.maxValue) return Verdict.ValueTooHigh;
        if (tokenOut != 0 && tokenOut > rule.maxTokenOut) return Verdict.TokenOutTooHigh;
        return _judgeConditions(rule, agent, data);
    }

    function _judgeConditions(RuleState storage rule, address agent, bytes calldata data)
        private
        view
        returns (Verdict answer)
    {
        uint256 conditions = rule.conditions;
        for (uint256 i = 0; i < conditions; ++i) {
            answer = ScopeConditions.check(rule.words[i], agent, data, _members[agent]);
            if (answer != Verdict.Allowed) return answer;
        }
    }

    /// @dev No key occurs twice: the native currency and the Accept Token differ, a rule's spend asset is neither (the
    ///      native address means none), and the key of a rule is that of no asset.
    function _add(Charge[4] memory charges, uint256 count, bytes32 key, uint256 amount) private pure returns (uint256) {
        charges[count] = Charge(key, amount);
        return count + 1;
    }

    function _fits(Bucket storage bucket, uint256 amount) private view returns (Verdict) {
        if (!bucket.set) return Verdict.Allowed;
        uint256 limit = bucket.limit;
        uint256 level = _level(bucket);
        if (level > limit || amount > limit - level) return Verdict.CapExceeded;
        uint256 left = bucket.lifetimeLeft;
        if (left != type(uint256).max && amount > left) return Verdict.LifetimeExceeded;
        return Verdict.Allowed;
    }

    // --- views for tools: every cap that is set can be read back ---

    /// @return delaySec between a proposal and its effect
    /// @return revision rolling hash of every change that took effect
    function configOf(address agent) external view returns (uint40 delaySec, bytes32 revision) {
        return (_configs[agent].delaySec, _revisions[agent]);
    }

    /// @notice Keys of all rules of `agent`, at most MAX_RULES, in no particular order.
    function ruleKeys(address agent) external view returns (bytes32[] memory) {
        return _keys[agent];
    }

    function ruleOf(address agent, bytes32 key)
        external
        view
        returns (RuleState memory state, Condition[] memory conditions)
    {
        state = _rules[agent][key];
        conditions = new Condition[](state.conditions);
        for (uint256 i = 0; i < conditions.length; ++i) {
            conditions[i] = ScopeConditions.unpack(state.words[i]);
        }
    }

    /// @param key of an asset (`capKey`) or of a rule (`ruleKey`, for its calls)
    /// @return bucket as stored
    /// @return available what may leave now
    function bucketOf(address agent, bytes32 key) external view returns (Bucket memory bucket, uint256 available) {
        Bucket storage stored = _buckets[agent][key];
        bucket = stored;
        uint256 level = _level(stored);
        available = level >= bucket.limit ? 0 : bucket.limit - level;
        if (bucket.lifetimeLeft < available) available = bucket.lifetimeLeft;
    }

    function isMember(address agent, uint232 set, uint256 member) external view returns (bool) {
        return _members[agent][set][member];
    }

    /// @return second from which the change can be applied; 0 if it is not proposed
    function readyAt(address agent, bytes32 changeId) external view returns (uint256) {
        return _proposals[agent][changeId];
    }
}
