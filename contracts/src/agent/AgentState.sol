// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IAgent} from "./IAgent.sol";
import {IAgentErrors} from "./IAgentErrors.sol";
import {IAgentEvents} from "./IAgentEvents.sol";
import {IAgentOwnEvents} from "./IAgentOwnEvents.sol";
import {PositionSlots} from "./Position.sol";
import {IScope} from "./scope/IScope.sol";
import {ShareToken} from "./ShareToken.sol";

/// @title What an Agent stores, its lock, its roles
/// @dev The implementation is shared by all clones of one factory; what differs for ever is in the clone's code
///      (AgentArguments), what changes is here.
abstract contract AgentState is IAgent, IAgentEvents, IAgentOwnEvents, IAgentErrors, ShareToken, Ownable2Step {
    /// @dev Bounds of texts and lists, so that no Owner can make an entry point too dear for a block.
    uint256 internal constant MAX_URI_BYTES = 8_192;
    uint256 internal constant MAX_REASONING_URI_BYTES = 2_048;
    uint256 public constant MAX_BATCH = 128;
    uint256 internal constant MAX_RESERVE = type(uint160).max;

    /// @dev The two kinds of `Settled`.
    uint8 internal constant MINT = 0;
    uint8 internal constant REDEEM = 1;

    uint256 internal constant FREE = 0;
    uint256 internal constant LOCKED = 1;
    uint256 internal constant DISPATCHING = 2;

    /// @dev One word: all that a settlement needs to know. `reserved` is pending deposits, claimable tokens and fees owed.
    ///      `primed` is always set: a word that is never zero costs 17,100 gas less when an empty reserve fills again.
    struct Books {
        uint160 reserved;
        uint8 valuations;
        bool paused;
        bool halted;
        bool guarded;
        uint16 mintFeeBps;
        uint16 redeemFeeBps;
        uint24 minRequestAgeSec;
        bool primed;
    }

    /// @dev Last rate that a settlement was made at, and when it was reached. `bpsPerDay` 0: no corridor.
    struct RateAnchor {
        uint184 rate;
        uint40 at;
        uint32 bpsPerDay;
    }

    address public immutable FACTORY = msg.sender;
    IScope public immutable SCOPE;

    Books internal _books;
    RateAnchor internal _anchor;
    address internal _guardian;
    address internal _feeRecipient;
    uint256 internal _feesOwed;
    string internal _uri;
    address[] internal _valuations;
    mapping(address account => bool) internal _executors;
    mapping(uint8 kind => mapping(address requester => PositionSlots)) internal _positions;
    /// @dev Worst rate that a requester accepts for what is pending; read only where the position says so.
    mapping(uint8 kind => mapping(address requester => uint256)) internal _limits;

    uint256 internal transient _lock;

    /// @dev Nobody owns the implementation: its owner is an address that nobody has.
    constructor(IScope scope) Ownable(address(0xdead)) {
        SCOPE = scope;
    }

    modifier locked() {
        _enter(LOCKED);
        _;
        _lock = FREE;
    }

    modifier onlyExecutor() {
        _requireExecutor();
        _;
    }

    function _enter(uint256 state) internal {
        if (_lock != FREE) revert AgentLocked();
        _lock = state;
    }

    function _requireExecutor() internal view {
        if (!_executors[msg.sender]) revert NotExecutor(msg.sender);
    }

    function _requireOwnerOrGuardian() internal view {
        if (msg.sender != owner() && msg.sender != _guardian) revert NotOwnerOrGuardian(msg.sender);
    }

    function _requireReasoning(bytes32 reasoningHash, string calldata reasoningURI) internal pure {
        if (reasoningHash == 0) revert ZeroReasoningHash();
        if (bytes(reasoningURI).length == 0) revert EmptyReasoningURI();
        _requireText(reasoningURI, MAX_REASONING_URI_BYTES);
    }

    function _requireText(string calldata text, uint256 max) internal pure {
        if (bytes(text).length > max) revert TextTooLong(bytes(text).length, max);
    }

    function owner() public view override(IAgent, Ownable) returns (address) {
        return super.owner();
    }
}
