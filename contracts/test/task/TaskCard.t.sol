// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base64} from "solady/utils/Base64.sol";
import {LibString} from "solady/utils/LibString.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title tokenURI: metadata that a wallet can show and that no publisher can turn into code
contract TaskCardTest is TaskTest {
    string private constant JSON_PREFIX = "data:application/json;base64,";
    string private constant SVG_PREFIX = "data:image/svg+xml;base64,";

    function _decoded(string memory uri, string memory prefix) private pure returns (string memory) {
        assertTrue(LibString.startsWith(uri, prefix), "data URI");
        return string(Base64.decode(LibString.slice(uri, bytes(prefix).length)));
    }

    function _json(uint256 id) private view returns (string memory) {
        return _decoded(task.tokenURI(id), JSON_PREFIX);
    }

    function _svg(uint256 id) private view returns (string memory) {
        return _decoded(vm.parseJsonString(_json(id), ".image"), SVG_PREFIX);
    }

    function _trait(uint256 id, string memory index) private view returns (string memory) {
        return vm.parseJsonString(_json(id), string.concat(".attributes[", index, "].value"));
    }

    function _mintRewarding(uint256 reward) private returns (uint256) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.rewardPerCompletion = reward;
        return _mint(terms);
    }

    // --- shape ---

    function test_Card_IsJSONWithAnSVG() external {
        uint256 id = _mint();
        assertEq(vm.parseJsonString(_json(id), ".name"), "Task 1");
        string memory svg = _svg(id);
        assertTrue(LibString.startsWith(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\""));
        assertTrue(LibString.endsWith(svg, "</g></svg>"));
    }

    /// Text of a publisher goes nowhere near it.
    function test_Card_HoldsNoTextOfThePublisher() external {
        task.mintTask(owner, publisher, judge, TD_HASH, TASK_HASH, "\"></svg><script>alert(1)</script>", _terms());
        string memory all = string.concat(_json(1), _svg(1));
        string[5] memory forbidden = ["<script", "javascript:", "onload", "foreignObject", "alert"];
        for (uint256 i = 0; i < forbidden.length; i++) {
            assertFalse(LibString.contains(all, forbidden[i]), forbidden[i]);
        }
    }

    // --- facts ---

    function test_Card_ShowsTheLiveFacts() external {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.maxCompletions = 3;
        uint256 id = _mint(terms);
        _fund(id, funder, 5 * REWARD / 2);
        assertEq(_trait(id, "0"), "not frozen");
        _accept(id, _submit(id));
        _submit(id);
        vm.startPrank(publisher);
        task.updateTask(id, TD_HASH, NEXT_HASH);
        task.freezeTask(id);
        vm.stopPrank();
        assertEq(_trait(id, "0"), "frozen");
        assertEq(_trait(id, "1"), "1 of 3");
        assertEq(_trait(id, "2"), "1");
        assertEq(_trait(id, "3"), "1.5");
        string memory svg = _svg(id);
        assertTrue(LibString.contains(svg, ">vault  1.5</text>"));
        assertTrue(LibString.contains(svg, ">reward 1</text>"));
        assertTrue(LibString.contains(svg, ">paid   1 of 3</text>"));
        assertTrue(LibString.contains(svg, ">wait   1</text>"));
        assertTrue(LibString.contains(svg, ">state  frozen, version 2</text>"));
        assertTrue(LibString.contains(svg, ">asset  native</text>"));
        _cancel(id);
        assertEq(_trait(id, "0"), "cancelled");
    }

    // --- amounts ---

    function test_Card_FormatsNativeAmounts() external {
        assertEq(_trait(_mintRewarding(1.5 ether), "2"), "1.5");
        assertEq(_trait(_mintRewarding(1), "2"), "0.000000000000000001");
        assertEq(_trait(_mintRewarding(1 ether), "2"), "1");
        assertEq(_trait(_mintRewarding(10 ether), "2"), "10");
        assertEq(_trait(_mintRewarding(0.01 ether), "2"), "0.01");
        assertEq(_trait(_mintRewarding(1 ether - 1), "2"), "0.999999999999999999");
        uint256 id = _mint();
        assertEq(_trait(id, "3"), "0"); // an empty vault
        assertEq(_trait(id, "1"), "0 of any number");
        assertEq(
            _trait(_mintRewarding(type(uint256).max), "2"),
            "115792089237316195423570985008687907853269984665640564039457.584007913129639935"
        );
    }

    /// Digits and zeros, moved eighteen places: the number that reads back is the amount.
    function testFuzz_Card_FormatsNativeAmountsExactly(uint256 reward) external {
        reward = bound(reward, 1, type(uint256).max);
        string[] memory parts = LibString.split(_trait(_mintRewarding(reward), "2"), ".");
        uint256 value = vm.parseUint(parts[0]) * 1e18;
        if (parts.length == 2) {
            uint256 length = bytes(parts[1]).length;
            assertTrue(bytes(parts[1])[length - 1] != "0", "no trailing zero");
            value += vm.parseUint(parts[1]) * 10 ** (18 - length);
        }
        assertEq(value, reward);
    }

    function test_Card_ShowsAnERC20InItsSmallestUnit() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 12345);
        assertEq(_trait(id, "2"), "1000000000000000000 units");
        assertEq(_trait(id, "3"), "12345 units");
        string memory asset = string.concat(">asset  ", LibString.toHexString(address(token)), "</text>");
        assertTrue(LibString.contains(_svg(id), asset));
    }
}
