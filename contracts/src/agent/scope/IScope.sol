// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title The answer of a Scope to one call
enum Verdict {
    Allowed,
    NoRule,
    Expired,
    CodeChanged,
    ValueTooHigh,
    TokenOutTooHigh,
    Malformed,
    ConditionFailed,
    CapExceeded,
    LifetimeExceeded
}

/// @title What a condition asks of one 32-byte word of the arguments
/// @dev SelfIs: the word is the Agent. HashIs: the first 232 bits of the word's keccak256 (for words wider than 232 bits).
///      InSet: the word is a member of set `value`. EachInSet: the word is the offset of a dynamic array, each element of
///      which is a member. LengthIs: the whole call data has `value` bytes; the offset is not used.
enum Op {
    SelfIs,
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    HashIs,
    InSet,
    EachInSet,
    LengthIs
}

/// @param offset of the word in bytes, counted after the selector
struct Condition {
    uint16 offset;
    Op op;
    uint232 value;
}

/// @notice One kind of call that is allowed. Everything else is refused.
/// @param plain the rule is for a call without data; `selector` must be zero then, and conditions are not possible
/// @param expiresAt second from which the rule allows nothing; 0 for never
/// @param maxValue most native value of one call
/// @param maxTokenOut most Accept Token of one call, as a transfer or as an allowance
/// @param codeHash code hash that the target must have; 0 for any
/// @param spendAsset asset whose cap is charged with the word at `spendOffset`; 0 for none. A rule need not name the
///        Accept Token or the native currency: what leaves of these two is charged by construction.
/// @param callLimit most calls of this rule that the bucket holds, refilled over `callPeriodSec`; 0 for no limit
struct Rule {
    address target;
    bytes4 selector;
    bool plain;
    uint40 expiresAt;
    uint128 maxValue;
    uint256 maxTokenOut;
    bytes32 codeHash;
    address spendAsset;
    uint16 spendOffset;
    uint32 callLimit;
    uint40 callPeriodSec;
    Condition[] conditions;
}

/// @notice A cap on what leaves of one asset (address 0: native), over all rules.
/// @dev A leaky bucket: `limit` at once, refilled evenly over `periodSec` (0: never). In any one period at most twice
///      `limit` leaves.
/// @param lifetime most that ever leaves from the moment the cap is set; type(uint256).max for no such bound
struct Cap {
    address asset;
    uint128 limit;
    uint40 periodSec;
    uint256 lifetime;
}

struct Member {
    uint232 set;
    uint256 member;
}

/// @notice A change that loosens, as one document: proposed by the Owner, applied after the delay.
/// @param delaySec delay of later changes; type(uint40).max to keep what is set
struct Policy {
    Rule[] rules;
    Cap[] caps;
    Member[] members;
    uint40 delaySec;
}

/// @dev The first word alone decides a rule without conditions, caps and money.
struct RuleState {
    bool enabled;
    uint40 expiresAt;
    uint8 conditions;
    bool pinned;
    bool spends;
    bool counted;
    uint16 spendOffset;
    uint128 maxValue;
    uint256 maxTokenOut;
    bytes32 codeHash;
    address spendAsset;
    uint256[12] words;
}

/// @dev A leaky bucket and what is left of its lifetime. `used` is the level at second `at`.
struct Bucket {
    uint128 limit;
    uint40 periodSec;
    bool set;
    uint128 used;
    uint40 at;
    uint256 lifetimeLeft;
}

/// @title The boundary of every Agent of one factory
/// @notice Default deny. Only the Agent's Owner loosens, after a delay; Owner and guardian tighten at once; an Executor
///         can do neither. Rules, caps and sets are kept by Agent; `consume` works for the calling Agent only.
interface IScope {
    event PolicyProposed(address indexed agent, bytes32 indexed changeId, uint256 readyAt, Policy policy);
    event PolicyApplied(address indexed agent, bytes32 indexed changeId, Policy policy);
    event PolicyWithdrawn(address indexed agent, bytes32 indexed changeId, address by);
    event RuleRemoved(address indexed agent, bytes32 indexed key, address by);
    event RuleExpirySet(address indexed agent, bytes32 indexed key, uint40 expiresAt, address by);
    event CapLowered(address indexed agent, bytes32 indexed key, uint128 limit, uint256 lifetimeLeft, address by);
    event MemberRemoved(address indexed agent, uint232 indexed set, uint256 member, address by);
    event RulesRemoved(address indexed agent, uint256 count, address by);

    error NotFactory(address caller);
    error NotOwner(address agent, address caller);
    error NotOwnerOrGuardian(address agent, address caller);
    error NotOpened(address agent);
    error AlreadyOpened(address agent);
    error NotProposed(address agent, bytes32 changeId);
    error AlreadyProposed(address agent, bytes32 changeId);
    error NotReady(address agent, bytes32 changeId, uint256 readyAt);
    error Lapsed(address agent, bytes32 changeId, uint256 lapsedAt);
    error DelayTooLong(uint256 got, uint256 max);
    error TooMany(uint256 got, uint256 max);
    error NoSuchRule(address agent, bytes32 key);
    error NoSuchCap(address agent, bytes32 key);
    error NotTighter(uint256 got, uint256 now_);
    error PlainRuleHasArguments(address target);
    error LimitWithoutBucket(address target);

    /// @notice Give a new Agent its first policy. Factory only, once.
    function open(address agent, Policy calldata policy) external;

    /// @notice Whether the calling Agent may make the call now; what it costs is charged.
    /// @param token the Agent's Accept Token
    /// @param tokenOut how much of it the call transfers or may pull
    /// @return Allowed, or the first reason against it; nothing is charged then
    function consume(address target, uint256 value, bytes calldata data, address token, uint256 tokenOut)
        external
        returns (Verdict);

    /// @notice What `consume` would answer now, for any Agent. A dry run.
    function verdict(address agent, address target, uint256 value, bytes calldata data, address token, uint256 tokenOut)
        external
        view
        returns (Verdict);
}
