// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Permit.sol";
import {Birth, Constitution} from "../../../src/agent/Birth.sol";
import {IAgent} from "../../../src/agent/IAgent.sol";
import {IAgentErrors} from "../../../src/agent/IAgentErrors.sol";
import {IAgentEvents} from "../../../src/agent/IAgentEvents.sol";
import {IAgentOwnEvents} from "../../../src/agent/IAgentOwnEvents.sol";
import {Position} from "../../../src/agent/Position.sol";
import {Bucket, Condition, IScope, Policy, RuleState} from "../../../src/agent/scope/IScope.sol";
import {IValuation} from "../../../src/agent/valuation/IValuation.sol";

/// @title Everything that an Agent offers, as an interface
/// @notice Tests know the contracts by these alone, so that a change of a source does not compile them again.
interface IAgentContract is IAgent, IAgentEvents, IAgentOwnEvents, IAgentErrors, IERC20Metadata, IERC20Permit {
    error ERC2612ExpiredSignature(uint256 deadline);
    error ERC2612InvalidSigner(address signer, address owner);
    error SupplyTooLarge(uint256 got, uint256 max);

    receive() external payable;

    function FACTORY() external view returns (address);
    function SCOPE() external view returns (IScope);
    function MAX_BATCH() external view returns (uint256);
    function MAX_FEE_BPS() external view returns (uint256);
    function MAX_RETURN_BYTES() external view returns (uint256);
    function VIRTUAL_SHARES() external view returns (uint256);

    function initialize(Constitution calldata c) external;
    function isFixedPrice() external view returns (bool);
    function books()
        external
        view
        returns (uint256 balance, uint256 reserve, uint256 valued, uint256 supply, uint256 unclaimed);
    function supportsInterface(bytes4 interfaceId) external pure returns (bool);
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data)
        external
        pure
        returns (bytes4);

    function requestMintAtMost(uint256 amount, uint256 maxRate) external;
    function requestRedeemAtLeast(uint256 shares, uint256 minRate) external;
    function setLimit(uint8 kind, uint256 rate) external;
    function positionOf(address user, uint8 kind)
        external
        view
        returns (Position memory position, uint256 limit, uint256 reclaimableAt);
    function reclaim() external returns (uint256 assets, uint256 shares);
    function reclaimShares() external returns (uint256 shares);
    function reclaimHorizon() external view returns (uint256);

    function settleMintBatch(address[] calldata requesters, bytes32 reasoningHash, string calldata reasoningURI)
        external;
    function settleRedeemBatch(address[] calldata requesters, bytes32 reasoningHash, string calldata reasoningURI)
        external;
    function decline(address requester, uint8 kind, bytes32 reasoningHash, string calldata reasoningURI) external;
    function mintBatch(address[] calldata users) external returns (uint256 shares);
    function redeemBatch(address[] calldata users) external returns (uint256 tokens);
    function payClaim(address user) external returns (uint256 tokens);

    function executeWithAllowance(
        address target,
        uint256 value,
        bytes calldata data,
        uint256 amount,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) external returns (bytes memory returnData);
    function isInScopeWithAllowance(address target, uint256 value, bytes calldata data, uint256 amount)
        external
        view
        returns (bool);

    function guardian() external view returns (address);
    function setGuardian(address account) external;
    function revokeExecutor(address account) external;
    function pause() external;
    function unpause() external;
    function isPaused() external view returns (bool);
    function setGuard(uint32 corridorBpsPerDay, uint24 minRequestAgeSec) external;
    function confirmRate(uint256 minRate, uint256 maxRate) external;
    function guardOf()
        external
        view
        returns (uint32 corridorBpsPerDay, uint24 minRequestAgeSec, bool halted, uint256 anchorRate, uint256 anchoredAt);
    function lowerFees(uint16 mintFeeBps, uint16 redeemFeeBps) external;
    function setFeeRecipient(address recipient) external;
    function feesOf() external view returns (uint16 mintFeeBps, uint16 redeemFeeBps, address recipient, uint256 owed);
    function claimFees() external returns (uint256 amount);
    function addValuation(IValuation valuation) external;
    function removeValuation(address valuation) external;
    function valuations() external view returns (address[] memory);
    function pendingOwner() external view returns (address);
    function transferOwnership(address newOwner) external;
    function acceptOwnership() external;
    function renounceOwnership() external;
}

/// @title Everything that an AgentFactory offers
interface IAgentFactory {
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

    function SCOPE() external view returns (IScope);
    function IMPLEMENTATION() external view returns (address);
    function MIN_HORIZON_SEC() external view returns (uint256);
    function MAX_HORIZON_SEC() external view returns (uint256);
    function MAX_INITIAL_RATE() external view returns (uint256);
    function create(Birth calldata birth, bytes32 salt) external returns (address agent);
    function predict(Birth calldata birth, bytes32 salt) external view returns (address);
}

/// @title Everything that a Scope offers
interface IScopeContract is IScope {
    function FACTORY() external view returns (address);
    function GRACE_SEC() external view returns (uint256);
    function MAX_CHANGE_ITEMS() external view returns (uint256);
    function MAX_CONDITIONS() external view returns (uint256);
    function MAX_DELAY_SEC() external view returns (uint40);
    function MAX_RULES() external view returns (uint256);

    function propose(address agent, Policy calldata policy) external returns (bytes32 changeId);
    function enact(address agent, Policy calldata policy) external;
    function withdraw(address agent, bytes32 changeId) external;
    function removeAllRules(address agent) external;
    function removeRule(address agent, bytes32 key) external;
    function expireRule(address agent, bytes32 key, uint40 expiresAt) external;
    function lowerCap(address agent, bytes32 key, uint128 limit, uint256 lifetimeLeft) external;
    function removeMember(address agent, uint232 set, uint256 member) external;

    function ruleKey(address target, bytes4 selector, bool plain) external pure returns (bytes32);
    function capKey(address asset) external pure returns (bytes32);
    function configOf(address agent) external view returns (uint40 delaySec, bytes32 revision);
    function ruleKeys(address agent) external view returns (bytes32[] memory);
    function ruleOf(address agent, bytes32 key)
        external
        view
        returns (RuleState memory state, Condition[] memory conditions);
    function bucketOf(address agent, bytes32 key) external view returns (Bucket memory bucket, uint256 available);
    function isMember(address agent, uint232 set, uint256 member) external view returns (bool);
    function readyAt(address agent, bytes32 changeId) external view returns (uint256);
}

/// @title Everything that an AttestedValuation offers
interface IAttestedValuation is IValuation {
    error SameParty(address party);
    error PartyIsExecutor(address party);
    error NotParty(address caller, address expected);
    error NoProposal(uint256 value, bytes32 evidenceHash);
    error ZeroEvidence();
    error ValueOutsideCorridor(uint256 got, uint256 current, uint256 allowance);

    function propose(uint128 newValue, bytes32 evidenceHash) external;
    function accept(uint128 newValue, bytes32 evidenceHash) external;
    function confirm(uint128 newValue, bytes32 evidenceHash) external;
    function value() external view returns (uint128);
    function attestedAt() external view returns (uint40);
    function proposedValue() external view returns (uint128);
    function proposedEvidence() external view returns (bytes32);
}

/// @title Everything that an Erc4626Valuation offers
interface IErc4626Valuation is IValuation {
    error PriceOutsideCorridor(uint256 price, uint256 checkpoint, uint256 allowance);
    error ZeroPrice();

    function poke() external;
    function price() external view returns (uint216);
    function checkedAt() external view returns (uint40);
}
