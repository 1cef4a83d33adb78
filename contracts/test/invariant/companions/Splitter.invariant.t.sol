// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {ISplitter} from "../../mocks/companions/ICompanions.sol";
import {SplitterHandler} from "./SplitterHandler.sol";

/// @title What holds for a Splitter over any sequence of arrivals and withdrawals
contract SplitterInvariants is Test {
    SplitterHandler private handler;
    ISplitter private splitter;
    address[2] private assets;

    function setUp() external {
        handler = new SplitterHandler();
        splitter = handler.splitter();
        assets[1] = address(handler.token());
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), handler.actions()));
    }

    /// @dev At the end everyone takes a share, and nothing is left.
    function afterInvariant() external {
        handler.withdrawAll();
        assertEq(handler.violation(), "");
        for (uint256 a = 0; a < 2; a++) {
            assertEq(handler.balanceOf(assets[a], address(splitter)), 0, "stranded");
            assertEq(handler.came(assets[a]), handler.left(assets[a]), "in = out");
        }
    }

    /// What came in is what went out and what is held, and all that is held is somebody's.
    function invariant_inIsOutAndHeld() external view {
        for (uint256 a = 0; a < 2; a++) {
            uint256 held = handler.balanceOf(assets[a], address(splitter));
            assertEq(handler.came(assets[a]), handler.left(assets[a]) + held, "in = out + held");
            uint256 due;
            for (uint256 i = 0; i < 4; i++) {
                due += splitter.releasableOf(assets[a], handler.people(i));
            }
            assertEq(due, held, "all that is held is due");
        }
        assertEq(handler.violation(), "");
    }

    /// Nobody but the first member ever has more than a share; nobody has less by more than a unit for each arrival.
    function invariant_everyoneHasAShare() external view {
        for (uint256 a = 0; a < 2; a++) {
            for (uint256 i = 0; i < 4; i++) {
                address member = handler.people(i);
                uint256 has = handler.got(assets[a], member) + splitter.releasableOf(assets[a], member);
                uint256 share = handler.came(assets[a]) * handler.bps(i) / 10_000;
                if (i != 0) assertLe(has, share, "more than a share");
                assertGe(has + handler.arrivals(assets[a]) + 1, share, "less than a share");
            }
        }
    }
}
