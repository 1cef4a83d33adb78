// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {ITaskTender} from "../../../src/task/ITaskTender.sol";
import {IJuryPanel} from "../../mocks/companions/IJuryPanel.sol";
import {ITaskMarket} from "../../mocks/ITaskMarket.sol";
import {JuryHandler} from "./JuryHandler.sol";

/// @title What holds for a JuryPanel over any sequence of votes, clocks and fees
contract JuryPanelInvariants is Test {
    JuryHandler private handler;
    IJuryPanel private panel;
    ITaskMarket private task;
    address[2] private assets;

    function setUp() external {
        handler = new JuryHandler();
        panel = handler.panel();
        task = handler.task();
        assets[1] = address(handler.token());
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), handler.actions()));
    }

    /// @dev When all is decided and everyone has taken what is theirs, nothing is kept and the panel is empty.
    function afterInvariant() external {
        handler.close();
        assertEq(handler.violation(), "");
        for (uint256 a = 0; a < 2; a++) {
            assertEq(handler.balanceOf(assets[a], address(panel)), 0, "stranded");
            assertEq(handler.paidIn(assets[a]), handler.paidOut(assets[a]), "in = out");
        }
        for (uint256 i = 0; i < handler.idCount(); i++) {
            assertEq(panel.keptOf(address(task), handler.ids(i)), 0, "kept");
        }
    }

    /// The panel holds the escrows and what it owes, to the unit.
    function invariant_thePanelHoldsExactlyEscrowsAndDebts() external view {
        uint256[2] memory escrows;
        for (uint256 i = 0; i < handler.idCount(); i++) {
            (, address asset,, uint256 escrow) = panel.promiseOf(address(task), handler.ids(i));
            escrows[asset == address(0) ? 0 : 1] += escrow;
        }
        for (uint256 a = 0; a < 2; a++) {
            uint256 owed = panel.owedOf(assets[a], handler.publisherOf());
            for (uint256 j = 0; j < handler.juryCount(); j++) {
                owed += panel.owedOf(assets[a], handler.jury(j));
            }
            uint256 held = handler.balanceOf(assets[a], address(panel));
            assertEq(held, escrows[a] + owed, "held = escrows + owed");
            assertEq(handler.paidIn(assets[a]), handler.paidOut(assets[a]) + held, "in = out + held");
        }
        assertEq(handler.violation(), "");
    }

    /// No more fees than accepted deliveries of a reached verdict.
    function invariant_feesAreForAcceptancesOnly() external view {
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            uint256 accepted;
            uint256 kept;
            for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
                (IJuryPanel.Case memory c,) = panel.caseOf(address(task), id, s);
                if (c.kept) kept++;
                if (c.verdict == IJuryPanel.Verdict.Accept && c.closed) accepted++;
            }
            assertLe(handler.feesPaid(id), accepted * handler.FEE(), "fees");
            assertEq(panel.keptOf(address(task), id), kept, "kept");
        }
    }

    /// A verdict stands: what the jury accepted is never rejected, and what it refused is never accepted.
    function invariant_aVerdictStands() external view {
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
                (IJuryPanel.Case memory c,) = panel.caseOf(address(task), id, s);
                ITaskTender.SubmissionStatus status = task.submissionOf(id, s).status;
                if (c.verdict == IJuryPanel.Verdict.Accept) {
                    assertTrue(status != ITaskTender.SubmissionStatus.Rejected, "accepted");
                }
                if (c.verdict == IJuryPanel.Verdict.Refuse) {
                    assertTrue(status == ITaskTender.SubmissionStatus.Rejected, "refused");
                }
                assertEq(c.ayes & c.noes, 0, "one vote a juror");
            }
        }
    }
}
