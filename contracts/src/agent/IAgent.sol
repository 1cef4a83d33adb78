// SPDX-License-Identifier: CC0-1.0
pragma solidity >=0.8.20;

interface IAgent {
    // ---------- Immutable configuration ----------

    /// @notice The single ERC-20 accepted for share purchase and paid out on redemption.
    /// @dev    MUST return the same address for the lifetime of the Agent.
    function acceptToken() external view returns (address);

    /// @notice Address of the ERC-20 Share token.
    /// @dev    MAY return `address(this)` if the Agent contract itself is the ERC-20.
    function shareToken() external view returns (address);

    // ---------- Share minting (two-phase) ----------

    /// @notice Phase 1. Deposit `amount` of the Accept Token, adding to the caller's pending mint balance.
    /// @dev    MUST pull exactly `amount` via ERC-20 `transferFrom`; MUST NOT accept native ether.
    ///         The share count is determined later, at settlement. MUST emit `MintRequested`.
    /// @param amount  The amount of Accept Token to deposit (in its smallest unit).
    function requestMint(uint256 amount) external;

    /// @notice Phase 2. Claim ALL currently-claimable shares for `user`. Permissionless: any caller MAY
    ///         trigger the claim, but the shares are always minted to `user` (the owed party), so the
    ///         caller only pays gas and gains nothing.
    /// @dev    MUST mint `user`'s entire claimable-share balance to `user`, zero that balance,
    ///         and emit `SharesMinted`. The settlement price is accepted implicitly (no slippage
    ///         guard; the share count was already fixed at settlement — see §6.3).
    /// @param  user    The owed party whose claimable shares are minted (to itself). Pass your own address to self-claim.
    /// @return shares  The number of shares minted to `user` (may be 0 if nothing is claimable).
    function mint(address user) external returns (uint256 shares);

    /// @notice Agent reaction. Settle `requester`'s pending mint request, with reasoning attached.
    /// @dev    Executor only. Settles some, all, or none of `requester`'s pendingAssets into
    ///         claimableShares; the amount/accept/price is computed by the implementation inside.
    ///         MUST emit `Settled`. `reasoningHash`/`reasoningURI` per §6.2.
    /// @param  requester      The request to settle.
    /// @param  reasoningHash  keccak256 of the bytes at `reasoningURI`; MUST be non-zero.
    /// @param  reasoningURI   Resolvable pointer to the reasoning record; MUST be non-empty.
    function settleMint(address requester, bytes32 reasoningHash, string calldata reasoningURI) external;

    /// @notice Aggregate mint status for `user`.
    /// @return pendingAssets    Accept Token deposited but not yet settled.
    /// @return claimableShares  Settled shares awaiting a `mint` claim.
    function queryMintStatus(address user) external view returns (uint256 pendingAssets, uint256 claimableShares);

    // ---------- Share redemption (two-phase) ----------

    /// @notice Phase 1. Escrow `shares`, adding to the caller's pending redeem balance.
    /// @dev    MUST pull (escrow) exactly `shares` of the Share token from `msg.sender`.
    ///         Settled shares are burned at settlement; payout is priced then. MUST emit `RedeemRequested`.
    /// @param shares  The number of shares to redeem.
    function requestRedeem(uint256 shares) external;

    /// @notice Phase 2. Claim ALL currently-claimable Accept Token for `user`. Permissionless: any caller
    ///         MAY trigger the claim, but the Accept Token is always paid to `user` (the owed party), so the
    ///         caller only pays gas and gains nothing.
    /// @dev    MUST transfer `user`'s entire claimable-token balance to `user`, zero that balance,
    ///         and emit `SharesRedeemed`. The settlement price is accepted implicitly (no slippage
    ///         guard; the payout was already fixed at settlement — see §6.4).
    /// @param  user    The owed party who is paid the Accept Token. Pass your own address to self-claim.
    /// @return tokens  Accept Token transferred to `user` (may be 0 if nothing is claimable).
    function redeem(address user) external returns (uint256 tokens);

    /// @notice Agent reaction. Settle `requester`'s pending redeem request, with reasoning attached.
    /// @dev    Executor only. Symmetric to `settleMint`: settles pendingShares into claimableTokens,
    ///         burning settled Shares. MUST emit `Settled`.
    function settleRedeem(address requester, bytes32 reasoningHash, string calldata reasoningURI) external;

    /// @notice Aggregate redeem status for `user`.
    /// @return pendingShares    Shares escrowed but not yet settled.
    /// @return claimableTokens  Settled Accept Token awaiting a `redeem` claim.
    function queryRedeemStatus(address user) external view returns (uint256 pendingShares, uint256 claimableTokens);

    // ---------- Exchange rate ----------

    /// @notice Canonical valuation rate: how many Accept Tokens one Share is worth right now, scaled by 1e18.
    /// @dev    A share-valuation / NAV reference for tooling and holdings valuation. For a fixed-price
    ///         Agent this MAY be constant; for a NAV-based Agent it varies over time. This is NOT a
    ///         predictor of mint/redeem trade outcomes — those are fixed at settlement and reported by
    ///         `queryMintStatus` / `queryRedeemStatus`.
    /// @return rate   Accept-Token base-units per 1e18 Share base-units (wei-to-wei), 18-decimal fixed point:
    ///                `x` Share base-units are worth `x * rate / 1e18` Accept-Token base-units.
    function exchangeRate() external view returns (uint256 rate);

    // ---------- Agent metadata ----------

    /// @notice URI pointing to off-chain JSON metadata describing the Agent.
    function agentURI() external view returns (string memory);

    /// @notice Set the Agent URI. Owner only. MUST emit `AgentURIUpdated`.
    function setAgentURI(string calldata uri) external;

    // ---------- Executor dispatch ----------

    /// @notice Executor dispatch, with reasoning and scope enforcement.
    /// @dev    MUST revert unless `msg.sender` is an Executor.
    ///         MUST NOT dispatch via `DELEGATECALL` (see §6.6.2).
    ///         MUST NOT be `payable`; `value` is paid from the Agent's own balance (see §6.6.4).
    ///         MUST call `isInScope(target, value, data)` and revert if it returns false (see §6.6.7).
    ///         MUST bubble the revert data unchanged on failure (and emits no event then).
    ///         MUST emit `Executed` (carrying the reasoning) on success.
    ///         `reasoningHash`/`reasoningURI` per §6.2.
    ///         Beyond the Executor check, the `DELEGATECALL` prohibition, and the `isInScope`
    ///         gate, implementers MAY layer any further policy (target allowlist, selector filter,
    ///         parameter filter, session key, signed-policy engine, rate limiter, external policy
    ///         contract, etc.) on top of this function.
    function execute(
        address target,
        uint256 value,
        bytes calldata data,
        bytes32 reasoningHash,
        string calldata reasoningURI
    ) external returns (bytes memory returnData);

    // ---------- Owner administration ----------

    /// @notice Enable or disable `account` as an Executor. Owner only. MUST emit `ExecutorUpdated`.
    function setExecutor(address account, bool enabled) external;

    // ---------- Views ----------

    /// @notice Address currently authorized to invoke Owner-gated functions.
    /// @dev    The mechanism by which this value changes is outside the scope of this specification.
    function owner() external view returns (address);

    function isExecutor(address account) external view returns (bool);

    /// @notice Whether an `execute` to (`target`, `value`, `data`) is within the Agent's spend scope.
    /// @dev    Implementer-defined predicate; `execute` MUST consult it (§6.6.7). The scope it reflects
    ///         is Owner-configurable only (§6.6.8). Also usable as an off-chain audit query.
    function isInScope(address target, uint256 value, bytes calldata data) external view returns (bool);
}
