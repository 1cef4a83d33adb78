// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {IBondedGate} from "../../mocks/companions/ICompanions.sol";
import {ITaskMarket} from "../../mocks/ITaskMarket.sol";
import {GateHandler} from "./GateHandler.sol";

/// @title What holds for a BondedGate over any life of its tenders
contract BondedGateInvariants is Test {
    GateHandler private handler;
    IBondedGate private gate;
    ITaskMarket private task;

    function setUp() external {
        handler = new GateHandler();
        gate = handler.gate();
        task = handler.task();
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), handler.actions()));
    }

    /// @dev When all is decided and everyone has taken what is theirs, gate and desks are empty, and the deliverers have
    ///      their rewards and what the rule left of their bonds.
    function afterInvariant() external {
        handler.close();
        assertEq(handler.violation(), "");
        assertEq(address(gate).balance, 0, "stranded bonds");
        assertEq(handler.held(), 0, "held");
        assertEq(handler.bondsIn(), handler.bondsOut(), "bonds in = out");
        assertEq(handler.beneficiary().balance, handler.lost(), "lost bonds");
        for (uint256 p = 0; p < handler.peopleCount(); p++) {
            address person = handler.people(p);
            address desk = gate.deskOf(person);
            for (uint256 a = 0; a < 2; a++) {
                address asset = a == 0 ? address(0) : address(handler.token());
                assertEq(handler.balanceOf(asset, desk), 0, "stranded reward");
                assertEq(handler.collected(person, asset), handler.earnedBy(person, asset), "reward");
            }
        }
    }

    /// The gate holds the bonds of undecided deliveries and what it owes, to the unit.
    function invariant_theGateHoldsExactlyTheBonds() external view {
        uint256 owed = gate.owedOf(address(0), handler.beneficiary());
        for (uint256 p = 0; p < handler.peopleCount(); p++) {
            owed += gate.owedOf(address(0), handler.people(p));
        }
        assertEq(address(gate).balance, handler.held() * handler.BOND() + owed, "held = bonds + owed");
        assertEq(handler.bondsIn(), handler.bondsOut() + address(gate).balance, "in = out + held");
        assertEq(handler.violation(), "");
    }

    /// A desk holds its deliverer's rewards and nobody else's.
    function invariant_everyDeskHoldsItsOwnRewards() external view {
        for (uint256 p = 0; p < handler.peopleCount(); p++) {
            address person = handler.people(p);
            address desk = gate.deskOf(person);
            for (uint256 a = 0; a < 2; a++) {
                address asset = a == 0 ? address(0) : address(handler.token());
                uint256 has = handler.balanceOf(asset, desk) + handler.collected(person, asset);
                assertEq(has, handler.earnedBy(person, asset), "earned = collected + held");
            }
        }
    }

    /// Every pending delivery made through the gate has its bond, and nothing else has one.
    function invariant_bondsFollowDeliveries() external view {
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
                address deliverer = gate.delivererOf(id, s);
                bool pending = uint8(task.submissionOf(id, s).status) == 0;
                if (pending) assertEq(deliverer, handler.delivererOf(id, s), "bond of a pending delivery");
                else assertTrue(deliverer == address(0) || deliverer == handler.delivererOf(id, s), "bond");
            }
        }
    }
}
