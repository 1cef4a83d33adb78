// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {IAgentContract} from "../../mocks/agent/IAgentContracts.sol";
import {AcceptToken} from "../../mocks/agent/Tokens.sol";

/// @dev An Executor and two accomplices who hold shares. The Scope lets the Executor do one thing: move idle capital into
///      a vault and back. They settle whom they like when they like, donate to the Agent and to the vault, which they also
///      hold themselves. Their purse is minted once, so whatever they end up with above it came from somebody else.
contract InsiderHandler is CommonBase, StdCheats, StdUtils {
    IAgentContract public immutable AGENT;
    AcceptToken public immutable TOKEN;
    IERC4626 public immutable VAULT;
    address public immutable HONEST;
    address private immutable EXECUTOR;
    address[2] public accomplices;
    bytes32 private constant HASH = keccak256("r");

    /// @dev A deposit into the vault and a withdrawal from it each lose at most one unit to the vault's own rounding.
    uint256 public vaultMoves;
    mapping(bytes32 action => uint256) public done;

    constructor(
        IAgentContract agent,
        AcceptToken token,
        IERC4626 vault,
        address honest,
        address executor,
        address[2] memory accomplices_
    ) {
        AGENT = agent;
        TOKEN = token;
        VAULT = vault;
        HONEST = honest;
        EXECUTOR = executor;
        accomplices = accomplices_;
    }

    modifier ticks(uint256 seed) {
        if (seed % 3 == 0) {
            vm.warp(block.timestamp + seed % 3 hours);
            vm.roll(block.number + 1);
        }
        _;
    }

    // --- accomplices ---

    function requestMint(uint256 who, uint256 amount) external ticks(who) {
        address user = accomplices[who % 2];
        uint256 balance = TOKEN.balanceOf(user);
        if (balance == 0) return;
        amount = bound(amount, 1, balance);
        vm.startPrank(user);
        TOKEN.approve(address(AGENT), amount);
        try AGENT.requestMint(amount) {
            ++done["requestMint"];
        } catch {}
        vm.stopPrank();
    }

    function requestRedeem(uint256 who, uint256 shares) external ticks(who) {
        address user = accomplices[who % 2];
        uint256 balance = AGENT.balanceOf(user);
        if (balance == 0) return;
        vm.prank(user);
        AGENT.requestRedeem(bound(shares, 1, balance));
        ++done["requestRedeem"];
    }

    function reclaim(uint256 who, uint256 wait) external {
        vm.warp(block.timestamp + wait % 4 days);
        vm.prank(accomplices[who % 2]);
        try AGENT.reclaim() {} catch {}
    }

    function claim(uint256 who) external ticks(who) {
        if (AGENT.mint(accomplices[who % 2]) != 0) ++done["mint"];
        if (AGENT.redeem(accomplices[who % 2]) != 0) ++done["redeem"];
    }

    function pass(uint256 who, uint256 shares) external {
        address from = accomplices[who % 2];
        shares = bound(shares, 0, AGENT.balanceOf(from));
        vm.prank(from);
        AGENT.transfer(accomplices[(who ^ 1) % 2], shares);
    }

    function donate(uint256 who, uint256 amount, bool toVault) external ticks(who) {
        address from = accomplices[who % 2];
        amount = bound(amount, 0, TOKEN.balanceOf(from));
        vm.prank(from);
        TOKEN.transfer(toVault ? address(VAULT) : address(AGENT), amount);
    }

    function vaultDeposit(uint256 who, uint256 amount) external ticks(who) {
        address from = accomplices[who % 2];
        amount = bound(amount, 0, TOKEN.balanceOf(from));
        vm.startPrank(from);
        TOKEN.approve(address(VAULT), amount);
        VAULT.deposit(amount, from);
        vm.stopPrank();
    }

    function vaultRedeem(uint256 who, uint256 shares) external ticks(who) {
        address from = accomplices[who % 2];
        shares = bound(shares, 0, VAULT.balanceOf(from));
        vm.prank(from);
        VAULT.redeem(shares, from, from);
    }

    // --- the Executor ---

    function settle(uint256 who, bool redeeming) external ticks(who) {
        address user = accomplices[who % 2];
        vm.prank(EXECUTOR);
        if (redeeming) {
            try AGENT.settleRedeem(user, HASH, "u") {
                ++done["settleRedeem"];
            } catch {}
        } else {
            try AGENT.settleMint(user, HASH, "u") {
                ++done["settleMint"];
            } catch {}
        }
    }

    function decline(uint256 who, bool redeeming) external ticks(who) {
        vm.prank(EXECUTOR);
        try AGENT.decline(accomplices[who % 2], redeeming ? 1 : 0, HASH, "u") {} catch {}
    }

    function invest(uint256 seed, uint256 amount) external ticks(seed) {
        (uint256 balance, uint256 reserve,,,) = AGENT.books();
        if (balance <= reserve) return;
        amount = bound(amount, 1, balance - reserve);
        bytes memory data = abi.encodeCall(IERC4626.deposit, (amount, address(AGENT)));
        vm.prank(EXECUTOR);
        AGENT.executeWithAllowance(address(VAULT), 0, data, amount, HASH, "u");
        ++vaultMoves;
        ++done["invest"];
    }

    function divest(uint256 seed, uint256 shares) external ticks(seed) {
        uint256 held = VAULT.balanceOf(address(AGENT));
        if (held == 0) return;
        bytes memory data = abi.encodeCall(IERC4626.redeem, (bound(shares, 1, held), address(AGENT), address(AGENT)));
        vm.prank(EXECUTOR);
        AGENT.execute(address(VAULT), 0, data, HASH, "u");
        ++vaultMoves;
        ++done["divest"];
    }

    // --- values, in base units of the Accept Token ---

    /// @dev What `shares` are worth by the books: the exact quotient, not the published rate.
    function worth(uint256 shares) public view returns (uint256) {
        (uint256 balance, uint256 reserve, uint256 valued, uint256 supply, uint256 unclaimed) = AGENT.books();
        uint256 virtualShares = AGENT.VIRTUAL_SHARES();
        uint256 assets = (balance - reserve + valued) * 1e18 + virtualShares * 1e6;
        return Math.mulDiv(shares, assets, (supply + unclaimed + virtualShares) * 1e18);
    }

    /// @dev Everything that the insiders could ever have: in hand, in the vault, waiting, owed, and as shares.
    function insidersHave() external view returns (uint256 sum) {
        uint256 shares = 0;
        for (uint256 i = 0; i < 2; ++i) {
            address user = accomplices[i];
            (uint256 deposited, uint256 owedShares) = AGENT.queryMintStatus(user);
            (uint256 escrowed, uint256 owedTokens) = AGENT.queryRedeemStatus(user);
            sum += TOKEN.balanceOf(user) + deposited + owedTokens + VAULT.previewRedeem(VAULT.balanceOf(user));
            shares += AGENT.balanceOf(user) + owedShares + escrowed;
        }
        sum += worth(shares);
    }

    function honestHas() external view returns (uint256) {
        return worth(AGENT.balanceOf(HONEST));
    }
}
