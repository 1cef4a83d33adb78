// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {IJuryPanel} from "../../mocks/companions/IJuryPanel.sol";
import {GateHandler} from "./GateHandler.sol";
import {JuryHandler} from "./JuryHandler.sol";
import {RouterHandler} from "./RouterHandler.sol";
import {SplitterHandler} from "./SplitterHandler.sol";
import {Tenders} from "./Tenders.sol";

/// @title The invariants of the companions are about something: everything that can happen does
/// @notice An invariant over calls that all fail holds, and says nothing. Runs are as long as those of the campaigns.
contract CompanionsReachTest is Test {
    uint256 private constant RUNS = 24;
    uint256 private constant DEPTH = 64;
    mapping(string action => uint256) private _reached;
    uint256 private _accepted;
    uint256 private _refused;
    uint256 private _kept;

    function _play(uint256 run, Tenders handler, bytes4[] memory actions) private {
        for (uint256 i = 0; i < DEPTH; i++) {
            uint256 draw = uint256(keccak256(abi.encode("reach", run, i)));
            (bool success,) = address(handler).call(abi.encodeWithSelector(actions[draw % actions.length], draw >> 8));
            assertTrue(success, "an action itself never reverts");
        }
        assertEq(handler.violation(), "");
    }

    function _count(Tenders handler, string[9] memory actions) private {
        for (uint256 i = 0; i < actions.length; i++) {
            _reached[actions[i]] += handler.successes(actions[i]);
        }
    }

    function _assertReached(string[9] memory actions) private view {
        for (uint256 i = 0; i < actions.length; i++) {
            if (bytes(actions[i]).length != 0) assertGt(_reached[actions[i]], 3, actions[i]);
        }
    }

    function test_Reach_OfTheSplittersHandler() external {
        string[9] memory actions = ["earn", "distribute", "withdraw", "fundDirectly", "", "", "", "", ""];
        for (uint256 run = 0; run < RUNS; run++) {
            SplitterHandler handler = new SplitterHandler();
            _play(run, handler, handler.actions());
            _count(handler, actions);
        }
        _assertReached(actions);
    }

    function test_Reach_OfTheRoutersHandler() external {
        string[9] memory actions = ["fund", "deliver", "refund", "withdraw", "cancel", "fundDirectly", "", "", ""];
        for (uint256 run = 0; run < RUNS; run++) {
            RouterHandler handler = new RouterHandler();
            _play(run, handler, handler.actions());
            _count(handler, actions);
        }
        _assertReached(actions);
    }

    function test_Reach_OfTheGatesHandler() external {
        string[9] memory actions =
            ["deliver", "squat", "evict", "rule", "claim", "settleBond", "collect", "withdraw", "fundDirectly"];
        uint256 lost;
        for (uint256 run = 0; run < RUNS; run++) {
            GateHandler handler = new GateHandler();
            _play(run, handler, handler.actions());
            _count(handler, actions);
            lost += handler.lost();
        }
        _assertReached(actions);
        assertGt(lost, 0, "a bond was lost");
    }

    function test_Reach_OfTheJurysHandler() external {
        string[9] memory actions =
            ["deliver", "vote", "finalize", "execute", "fundFees", "returnFees", "withdraw", "claim", "cancel"];
        for (uint256 run = 0; run < RUNS; run++) {
            JuryHandler handler = new JuryHandler();
            _play(run, handler, handler.actions());
            _countVerdicts(handler);
            handler.close();
            assertEq(handler.violation(), "");
            _count(handler, actions);
        }
        _assertReached(actions);
        assertGt(_accepted, 3, "accepted");
        assertGt(_refused, 3, "refused");
        assertGt(_kept, 3, "kept");
    }

    function _countVerdicts(JuryHandler handler) private {
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            for (uint256 s = 1; s <= handler.task().submissionCountOf(id); s++) {
                (IJuryPanel.Case memory c,) = handler.panel().caseOf(address(handler.task()), id, s);
                if (c.verdict == IJuryPanel.Verdict.Accept) _accepted++;
                if (c.verdict == IJuryPanel.Verdict.Refuse) _refused++;
                if (c.kept) _kept++;
            }
        }
    }
}
