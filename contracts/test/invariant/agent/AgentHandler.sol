// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {StdUtils} from "forge-std/StdUtils.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IAgentErrors} from "../../../src/agent/IAgentErrors.sol";
import {Position} from "../../../src/agent/Position.sol";
import {AcceptToken} from "../../mocks/agent/Tokens.sol";
import {Mischief} from "./Mischief.sol";
import {IAgentContract, IScopeContract} from "../../mocks/agent/IAgentContracts.sol";

/// @dev Everybody who can touch an Agent: four holders, an honest and a malicious Executor with the widest Scope there
///      can be, Owner, guardian, outsiders. Ghost sums are what the contract cannot forget.
contract AgentHandler is CommonBase, StdCheats, StdUtils {
    IAgentContract public immutable AGENT;
    AcceptToken public immutable TOKEN;
    Mischief public immutable MISCHIEF;
    IScopeContract public immutable SCOPE;
    address[] public users;
    address private immutable EXECUTOR;
    address private immutable OWNER;
    bytes32 private constant HASH = keccak256("r");

    uint256[2] public requested;
    uint256[2] public consumed;
    uint256[2] public reclaimed;
    uint256 public settledShares;
    uint256 public settledTokens;
    uint256 public minted;
    uint256 public paid;

    bool public rateMovedByRequestOrClaim;
    bool public rateLoweredBySettlement;
    bool public claimFailedForSomebodyElse;
    bool public predicateDisagreed;
    mapping(bytes32 action => uint256) public done;

    constructor(
        IAgentContract agent,
        AcceptToken token,
        Mischief mischief,
        address[] memory users_,
        address executor,
        address owner
    ) {
        AGENT = agent;
        TOKEN = token;
        MISCHIEF = mischief;
        SCOPE = IScopeContract(address(agent.SCOPE()));
        users = users_;
        EXECUTOR = executor;
        OWNER = owner;
    }

    modifier ticks(uint256 seed) {
        vm.warp(block.timestamp + seed % 3 hours);
        vm.roll(block.number + 1);
        _;
    }

    modifier keepsRate() {
        uint256 before = AGENT.exchangeRate();
        _;
        if (AGENT.exchangeRate() != before) rateMovedByRequestOrClaim = true;
    }

    function userOf(uint256 seed) private view returns (address) {
        return users[seed % users.length];
    }

    function userCount() external view returns (uint256) {
        return users.length;
    }

    // --- holders ---

    function requestMint(uint256 who, uint256 amount, uint256 limit) external ticks(who) keepsRate {
        address user = userOf(who);
        amount = bound(amount, 1, 1e13);
        TOKEN.issue(user, amount);
        vm.startPrank(user);
        TOKEN.approve(address(AGENT), amount);
        if (limit % 4 == 0) {
            try AGENT.requestMintAtMost(amount, bound(limit, 1, 5e6)) {
                requested[0] += amount;
            } catch {}
        } else {
            try AGENT.requestMint(amount) {
                requested[0] += amount;
                ++done["requestMint"];
            } catch {}
        }
        vm.stopPrank();
    }

    function requestRedeem(uint256 who, uint256 shares, uint256 limit) external ticks(who) keepsRate {
        address user = userOf(who);
        uint256 balance = AGENT.balanceOf(user);
        if (balance == 0) return;
        shares = bound(shares, 1, balance);
        vm.prank(user);
        if (limit % 4 == 0) AGENT.requestRedeemAtLeast(shares, bound(limit, 1, 2e6));
        else AGENT.requestRedeem(shares);
        requested[1] += shares;
        ++done["requestRedeem"];
    }

    function setLimit(uint256 who, uint8 kind, uint256 rate) external ticks(who) {
        vm.prank(userOf(who));
        try AGENT.setLimit(kind % 2, bound(rate, 0, 3e6)) {} catch {}
    }

    function reclaim(uint256 who, bool sharesOnly, uint256 wait) external ticks(who) keepsRate {
        vm.warp(block.timestamp + wait % 4 days);
        vm.prank(userOf(who));
        if (sharesOnly) {
            try AGENT.reclaimShares() returns (uint256 shares) {
                reclaimed[1] += shares;
            } catch {}
        } else {
            try AGENT.reclaim() returns (uint256 assets, uint256 shares) {
                reclaimed[0] += assets;
                reclaimed[1] += shares;
                ++done["reclaim"];
            } catch {}
        }
    }

    function transfer(uint256 from, uint256 to, uint256 shares) external {
        address sender = userOf(from);
        shares = bound(shares, 0, AGENT.balanceOf(sender));
        vm.prank(sender);
        AGENT.transfer(userOf(to), shares);
    }

    // --- claims: by anybody ---

    function claimShares(uint256 who) external ticks(who) keepsRate {
        address user = userOf(who);
        (, uint256 owed) = AGENT.queryMintStatus(user);
        try AGENT.mint(user) returns (uint256 shares) {
            minted += shares;
            if (shares != owed) claimFailedForSomebodyElse = true;
            if (shares != 0) ++done["mint"];
        } catch {
            claimFailedForSomebodyElse = true;
        }
    }

    function claimTokens(uint256 who) external ticks(who) keepsRate {
        address user = userOf(who);
        (, uint256 owed) = AGENT.queryRedeemStatus(user);
        try AGENT.redeem(user) returns (uint256 tokens) {
            paid += tokens;
            if (tokens != owed) claimFailedForSomebodyElse = true;
            if (tokens != 0) ++done["redeem"];
        } catch {
            if (!TOKEN.blocked(user)) claimFailedForSomebodyElse = true;
        }
    }

    function claimAll() external keepsRate {
        minted += AGENT.mintBatch(users);
        paid += AGENT.redeemBatch(users);
    }

    function claimFees() external keepsRate {
        try AGENT.claimFees() {} catch {}
    }

    function block_(uint256 who, bool value) external {
        TOKEN.setBlocked(userOf(who), value);
    }

    // --- the Executor settles ---

    function settle(uint256 who, bool redeeming, bool batch) external ticks(who) {
        address[] memory one = new address[](1);
        one[0] = userOf(who);
        address[] memory members = batch ? users : one;
        uint8 kind = redeeming ? 1 : 0;
        uint256[] memory before = new uint256[](members.length);
        uint256[] memory claimable = new uint256[](members.length);
        for (uint256 i = 0; i < members.length; ++i) {
            (before[i], claimable[i]) = status(members[i], kind);
        }
        uint256 rate = AGENT.exchangeRate();
        vm.prank(EXECUTOR);
        if (batch && redeeming) {
            try AGENT.settleRedeemBatch(members, HASH, "u") {} catch {}
        } else if (batch) {
            try AGENT.settleMintBatch(members, HASH, "u") {} catch {}
        } else if (redeeming) {
            try AGENT.settleRedeem(one[0], HASH, "u") {} catch {}
        } else {
            try AGENT.settleMint(one[0], HASH, "u") {} catch {}
        }
        if (AGENT.exchangeRate() < rate) rateLoweredBySettlement = true;
        for (uint256 i = 0; i < members.length; ++i) {
            (uint256 pending, uint256 now_) = status(members[i], kind);
            consumed[kind] += before[i] - pending;
            if (redeeming) settledTokens += now_ - claimable[i];
            else settledShares += now_ - claimable[i];
            if (now_ != claimable[i]) ++done[redeeming ? bytes32("settleRedeem") : bytes32("settleMint")];
        }
    }

    function decline(uint256 who, bool redeeming) external ticks(who) keepsRate {
        address user = userOf(who);
        uint8 kind = redeeming ? 1 : 0;
        (uint256 pending,) = status(user, kind);
        vm.prank(EXECUTOR);
        try AGENT.decline(user, kind, HASH, "u") {
            reclaimed[kind] += pending;
        } catch {}
    }

    // --- the Executor turns bad: any target, any data, the widest Scope ---

    function attack(uint256 seed, uint256 amount, bool granting) external ticks(seed) {
        (address to, uint256 value, bytes memory data) = MISCHIEF.draw(seed, amount, users);
        uint256 allowance = granting ? bound(amount, 1, 2e13) : 0;
        bool promised =
            granting ? AGENT.isInScopeWithAllowance(to, value, data, allowance) : AGENT.isInScope(to, value, data);
        vm.prank(EXECUTOR);
        (bool success, bytes memory reply) = address(AGENT)
            .call(
                granting
                    ? abi.encodeCall(AGENT.executeWithAllowance, (to, value, data, allowance, HASH, "u"))
                    : abi.encodeCall(AGENT.execute, (to, value, data, HASH, "u"))
            );
        if (success && !promised) predicateDisagreed = true;
        bytes4 reason = bytes4(reply);
        if (
            promised && !success
                && (reason == IAgentErrors.OutOfScope.selector || reason == IAgentErrors.RefusedByConstruction.selector)
        ) predicateDisagreed = true;
        if (success) ++done["attack"];
        MISCHIEF.pullLeftovers(users);
    }

    /// @dev Money that went out comes back, more or less of it: what an insider would do to move the rate.
    function bringBack(uint256 part) external {
        MISCHIEF.bringBack(part);
    }

    // --- everybody else ---

    function donate(uint256 amount) external {
        TOKEN.issue(address(AGENT), bound(amount, 0, 1e12));
    }

    function confirm() external {
        vm.prank(OWNER);
        try AGENT.confirmRate(0, type(uint256).max) {} catch {}
    }

    function pause(bool on, uint256 seed) external {
        if (seed % 4 != 0) on = false;
        vm.prank(OWNER);
        if (on) try AGENT.pause() {} catch {} else try AGENT.unpause() {} catch {}
    }

    function status(address user, uint8 kind) public view returns (uint256 pending, uint256 claimable) {
        return kind == 0 ? AGENT.queryMintStatus(user) : AGENT.queryRedeemStatus(user);
    }
}
