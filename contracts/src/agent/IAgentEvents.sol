// SPDX-License-Identifier: CC0-1.0
pragma solidity >=0.8.20;

/// @title The normative events of ERC-8406, section 5
/// @dev `epoch` is the block number: every block is one settlement round, so no storage is written to count rounds.
interface IAgentEvents {
    event MintRequested(address indexed requester, uint256 assets, uint64 indexed epoch, uint256 timestamp);
    event RedeemRequested(address indexed requester, uint256 shares, uint64 indexed epoch, uint256 timestamp);
    event SharesMinted(
        address indexed requester,
        uint256 assets,
        uint256 shares,
        uint64 indexed epoch,
        uint256 sharePrice,
        uint256 timestamp
    );
    event SharesRedeemed(
        address indexed requester,
        uint256 shares,
        uint256 assets,
        uint64 indexed epoch,
        uint256 sharePrice,
        uint256 timestamp
    );
    event ExchangeRateUpdated(uint256 newRate);
    event AgentURIUpdated(string newURI);
    event Executed(
        address indexed executor,
        address indexed target,
        uint256 value,
        bytes4 indexed selector,
        bytes returnData,
        bytes32 reasoningHash,
        string reasoningURI
    );
    event Settled(
        address indexed requester, uint8 kind, uint256 amount, bytes32 indexed reasoningHash, string reasoningURI
    );
    event Reasoned(address indexed actor, bytes4 indexed action, bytes32 indexed reasoningHash, string reasoningURI);
    event ExecutorUpdated(address indexed executor, bool enabled);
}
