// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {IFundingRouter} from "../../mocks/companions/ICompanions.sol";
import {ITaskMarket} from "../../mocks/ITaskMarket.sol";
import {RouterHandler} from "./RouterHandler.sol";

/// @title What holds for a FundingRouter over any life of its tenders
contract FundingRouterInvariants is Test {
    RouterHandler private handler;
    IFundingRouter private router;
    ITaskMarket private task;
    address[2] private assets;

    function setUp() external {
        handler = new RouterHandler();
        router = handler.router();
        task = handler.task();
        assets[1] = address(handler.token());
        targetContract(address(handler));
        targetSelector(FuzzSelector(address(handler), handler.actions()));
    }

    /// @dev When all is over and everyone has taken what is theirs, the router is empty.
    function afterInvariant() external {
        handler.close();
        assertEq(handler.violation(), "");
        for (uint256 a = 0; a < 2; a++) {
            assertEq(handler.balanceOf(assets[a], address(router)), 0, "stranded");
        }
        for (uint256 i = 0; i < handler.idCount(); i++) {
            (, uint256 outstanding, uint256 pool, uint256 left,) = router.potOf(address(task), handler.ids(i));
            assertEq(outstanding, 0, "outstanding");
            assertEq(left, 0, "left");
            assertEq(handler.refunded(handler.ids(i)), pool, "all that the tender gave back");
        }
    }

    function _owed(address asset) private view returns (uint256 owed) {
        owed = router.owedOf(asset, handler.treasury());
        for (uint256 p = 0; p < handler.peopleCount(); p++) {
            owed += router.owedOf(asset, handler.people(p));
        }
    }

    /// The router holds what it owes and what is left of the pools, to the unit.
    function invariant_theRouterHoldsExactlyWhatIsOthers() external view {
        uint256[2] memory pools;
        uint256[2] memory back;
        uint256[2] memory net;
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            uint256 a = task.tenderTermsOf(id).asset == address(0) ? 0 : 1;
            (,, uint256 pool, uint256 left,) = router.potOf(address(task), id);
            pools[a] += left;
            back[a] += pool;
            net[a] += handler.net(id);
        }
        for (uint256 a = 0; a < 2; a++) {
            uint256 held = handler.balanceOf(assets[a], address(router));
            assertEq(held, _owed(assets[a]) + pools[a], "held = owed + pools");
            assertEq(handler.paidIn(assets[a]), handler.fees(assets[a]) + net[a], "in = fees + net");
            assertEq(handler.fees(assets[a]) + back[a], held + handler.paidOut(assets[a]), "in = out + held");
        }
        assertEq(handler.violation(), "");
    }

    /// The ledger is the funders' net payments, and their sum is what the tender has on record for the router.
    function invariant_theLedgerIsWhatWasFunded() external view {
        for (uint256 i = 0; i < handler.idCount(); i++) {
            uint256 id = handler.ids(i);
            (uint256 contributed, uint256 outstanding,,, bool collected) = router.potOf(address(task), id);
            assertEq(contributed, handler.net(id), "contributed");
            assertEq(task.contributionOf(id, address(router)), collected ? 0 : contributed, "funder of record");
            uint256 sum;
            for (uint256 p = 0; p < handler.peopleCount(); p++) {
                uint256 contribution = router.contributionOf(address(task), id, handler.people(p));
                uint256 paid = handler.netOf(id, handler.people(p));
                assertTrue(contribution == paid || (collected && contribution == 0), "contribution");
                sum += contribution;
            }
            assertEq(sum, outstanding, "outstanding");
        }
    }
}
