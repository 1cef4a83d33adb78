// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IPullPayments} from "../mocks/companions/ICompanions.sol";
import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {Reenterer} from "../mocks/Recipients.sol";
import {JuryTest} from "./JuryTest.sol";

/// @notice Makes one prepared call to a panel when it is paid, and keeps why it was refused.
contract PanelReenterer {
    IJuryPanel private immutable PANEL;
    bytes32 private immutable WORD0;
    bytes32 private immutable WORD1;
    bytes32 private immutable WORD2;
    bytes32 private immutable WORD3;
    bytes32 private immutable WORD4;
    bytes4 public reason;

    /// @dev Immutables, because the code alone is put at the recipient's address.
    constructor(IJuryPanel panel, bytes memory data) {
        PANEL = panel;
        bytes32[5] memory words;
        for (uint256 i = 0; i < 5; i++) {
            bytes32 word;
            assembly ("memory-safe") {
                word := mload(add(data, add(0x20, mul(i, 0x20))))
            }
            words[i] = word;
        }
        (WORD0, WORD1, WORD2, WORD3, WORD4) = (words[0], words[1], words[2], words[3], words[4]);
    }

    receive() external payable {
        (bool success, bytes memory reply) = address(PANEL).call(abi.encodePacked(WORD0, WORD1, WORD2, WORD3, WORD4));
        require(!success, "was let in");
        reason = bytes4(reply);
    }
}

/// @notice Answers as an honest task contract would, and takes no verdict.
contract LyingTask {
    address private immutable AUTHORITY;

    error Never();

    constructor(address authority) {
        AUTHORITY = authority;
    }

    function acceptanceAuthorityOf(uint256) external view returns (address) {
        return AUTHORITY;
    }

    function submissionOf(uint256, uint256) external view returns (ITaskTender.Submission memory s) {
        s.submittedAt = uint64(block.timestamp);
    }

    function tenderTermsOf(uint256) external pure returns (ITaskTender.TenderTerms memory terms) {
        terms.judgmentWindow = type(uint64).max;
    }

    function acceptFulfillment(uint256, uint256) external pure {
        revert Never();
    }
}

/// @title JuryPanel among fulfillers that re-enter and task contracts that lie
contract JuryHostileTest is JuryTest {
    /// A fulfiller that is paid by a verdict cannot act in the panel while that happens.
    function test_Vote_MUST_NotBeReenteredByTheFulfiller() external {
        Reenterer recipient = new Reenterer(task);
        jury[2] = address(recipient);
        panel = _deployPanel(jury, 2, VOTE_WINDOW);
        id = _mint(_terms(), address(panel));
        _fund(id, funder, 3 * REWARD);
        uint256 submissionId = _submit(id, address(recipient));
        uint256 next = _submit(id);
        bytes[4] memory attempts = [
            abi.encodeCall(panel.vote, (address(task), id, next, true)),
            abi.encodeCall(panel.execute, (address(task), id, submissionId)),
            abi.encodeCall(panel.finalizeTimeout, (address(task), id, submissionId)),
            abi.encodeCall(panel.voteHandOver, (address(task), id, address(recipient), true))
        ];
        _vote(0, submissionId, true);
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < attempts.length; i++) {
            PanelReenterer code = new PanelReenterer(panel, attempts[i]);
            vm.etch(address(recipient), address(code).code);
            _vote(1, submissionId, true);
            assertEq(address(recipient).balance, REWARD);
            assertEq(
                PanelReenterer(payable(address(recipient))).reason(),
                IPullPayments.ReentrancyGuardReentrantCall.selector,
                vm.toString(i)
            );
            vm.revertToState(snapshot);
        }
    }

    /// A task contract that lies has cases of its own, and touches nobody else's.
    function test_Panel_KeepsTaskContractsApart() external {
        uint256 submissionId = _submit(id);
        LyingTask liar = new LyingTask(address(panel));
        vm.prank(jury[0]);
        panel.vote(address(liar), id, submissionId, true);
        vm.prank(jury[1]);
        panel.vote(address(liar), id, submissionId, true);
        (IJuryPanel.Case memory c,) = panel.caseOf(address(liar), id, submissionId);
        assertTrue(c.kept, "its acceptance fails for ever");
        assertEq(panel.keptOf(address(task), id), 0);
        assertEq(_case(submissionId).openedAt, 0);
        _vote(0, submissionId, true);
        _vote(1, submissionId, true);
        assertEq(worker.balance, REWARD);
    }
}
