// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {Position, PositionCodec, PositionSlots} from "../../src/agent/Position.sol";
import {AgentFixture} from "./AgentFixture.sol";
import {Birth} from "../../src/agent/Birth.sol";
import {IAgentContract} from "../mocks/agent/IAgentContracts.sol";

/// @dev ERC-20 properties, permit, and the codec of positions.
contract ShareTokenTest is AgentFixture {
    using PositionCodec for PositionSlots;

    PositionSlots private slots;

    function testFuzz_TransferMovesExactlyAndNeverCreates(uint256 balance, uint256 amount, bool toSelf) public {
        balance = bound(balance, 1, 1e24);
        uint256 shares = buy(alice, balance);
        amount = bound(amount, 0, shares * 2);
        address to = toSelf ? alice : bob;
        vm.prank(alice);
        if (amount > shares) {
            vm.expectRevert(
                abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, alice, shares, amount)
            );
            agent.transfer(to, amount);
            return;
        }
        vm.expectEmit(address(agent));
        emit IERC20.Transfer(alice, to, amount);
        assertTrue(agent.transfer(to, amount));
        assertEq(agent.balanceOf(alice) + agent.balanceOf(bob), shares);
        assertEq(agent.balanceOf(bob), toSelf ? 0 : amount);
        assertEq(agent.totalSupply(), shares);
    }

    function testFuzz_TransferFromSpendsTheAllowance(uint256 allowed, uint256 amount) public {
        uint256 shares = buy(alice, 100 * UNIT);
        amount = bound(amount, 0, shares);
        vm.prank(alice);
        vm.expectEmit(address(agent));
        emit IERC20.Approval(alice, bob, allowed);
        agent.approve(bob, allowed);
        vm.prank(bob);
        if (allowed < amount) {
            vm.expectRevert(
                abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, bob, allowed, amount)
            );
            agent.transferFrom(alice, carol, amount);
            return;
        }
        assertTrue(agent.transferFrom(alice, carol, amount));
        assertEq(agent.balanceOf(carol), amount);
        assertEq(agent.allowance(alice, bob), allowed == type(uint256).max ? allowed : allowed - amount);
    }

    function test_ZeroAddressesAreRefused() public {
        buy(alice, UNIT);
        vm.startPrank(alice);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidReceiver.selector, address(0)));
        agent.transfer(address(0), 1);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidSpender.selector, address(0)));
        agent.approve(address(0), 1);
    }

    function test_PermitSetsTheAllowanceOnceAndForTheNamedSpender() public {
        (address signer, uint256 key) = makeAddrAndKey("signer");
        bytes32 typeHash =
            keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Agent Share"),
                keccak256("1"),
                block.chainid,
                address(agent)
            )
        );
        assertEq(agent.DOMAIN_SEPARATOR(), domain);
        bytes32 digest = keccak256(
            abi.encodePacked(hex"1901", domain, keccak256(abi.encode(typeHash, signer, bob, 55, 0, block.timestamp)))
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        vm.expectRevert();
        agent.permit(signer, carol, 55, block.timestamp, v, r, s);
        agent.permit(signer, bob, 55, block.timestamp, v, r, s);
        assertEq(agent.allowance(signer, bob), 55);
        assertEq(agent.nonces(signer), 1);
        vm.expectRevert();
        agent.permit(signer, bob, 55, block.timestamp, v, r, s);
        vm.expectRevert(abi.encodeWithSelector(IAgentContract.ERC2612ExpiredSignature.selector, block.timestamp - 1));
        agent.permit(signer, bob, 55, block.timestamp - 1, v, r, s);
    }

    function test_APermitOfOneAgentIsNoneOfAnother() public {
        bytes32 first = agent.DOMAIN_SEPARATOR();
        Birth memory b = birth();
        b.reclaimHorizonSec = HORIZON + 1;
        agent = create(b);
        assertNotEq(agent.DOMAIN_SEPARATOR(), first);
    }

    // --- codec ---

    function testFuzz_PositionRoundTripsThroughEveryForm(Position memory a, Position memory b) public {
        Position memory empty;
        check(clamp(a));
        check(clamp(b));
        check(empty);
        assertEq(slots.head | slots.pendingWord | slots.claimable | slots.consumed, 0, "nothing is left behind");
        check(clamp(b));
        check(clamp(a));
    }

    function test_PositionFormsAtTheirEdges() public {
        uint256[4] memory edges = [uint256(0), 1, (1 << 110) - 1, 1 << 110];
        for (uint256 i = 0; i < 4; ++i) {
            for (uint256 j = 0; j < 4; ++j) {
                for (uint256 k = 0; k < 2; ++k) {
                    Position memory p;
                    p.claimable = edges[i];
                    p.consumed = edges[j];
                    p.pending = k * PositionCodec.MAX_PENDING;
                    p.requestedAt = k * type(uint40).max;
                    p.limited = k == 1;
                    if (p.claimable | p.consumed != 0) p.epoch = k == 0 ? type(uint32).max : type(uint64).max;
                    check(p);
                }
            }
        }
    }

    function clamp(Position memory p) private pure returns (Position memory) {
        p.pending = p.pending % 3 == 0 ? 0 : bound(p.pending, 1, PositionCodec.MAX_PENDING);
        p.requestedAt = p.pending == 0 ? 0 : uint40(p.requestedAt);
        if (p.pending == 0) p.limited = false;
        if (p.claimable % 3 == 0) (p.claimable, p.consumed) = (0, 0);
        else if (p.claimable % 3 == 1) (p.claimable, p.consumed) = (p.claimable >> 146, p.consumed >> 146);
        p.epoch = p.claimable | p.consumed == 0 ? 0 : p.epoch % 2 == 0 ? uint32(p.epoch) : uint64(p.epoch);
        return p;
    }

    function check(Position memory p) private {
        Position memory stored = slots.load();
        (stored.pending, stored.requestedAt, stored.limited) = (p.pending, p.requestedAt, p.limited);
        (stored.claimable, stored.consumed, stored.epoch) = (p.claimable, p.consumed, p.epoch);
        slots.store(stored);
        Position memory read = slots.load();
        assertEq(read.pending, p.pending);
        assertEq(read.requestedAt, p.requestedAt);
        assertEq(read.limited, p.limited);
        assertEq(read.claimable, p.claimable);
        assertEq(read.consumed, p.consumed);
        assertEq(read.epoch, p.epoch);
    }
}
