// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IJuryPanel} from "../mocks/companions/IJuryPanel.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title A panel of three with a quorum of two, and a tender that it judges
abstract contract JuryTest is TaskTest {
    uint64 internal constant VOTE_WINDOW = 1 days;
    IJuryPanel internal panel;
    address[] internal jury;
    uint256 internal id;

    function setUp() public virtual override {
        super.setUp();
        for (uint256 i = 0; i < 3; i++) {
            jury.push(makeAddr(string.concat("juror ", vm.toString(i))));
        }
        panel = _deployPanel(jury, 2, VOTE_WINDOW);
        id = _mint(_terms(), address(panel));
        _fund(id, funder, 5 * REWARD);
    }

    function _deployPanel(address[] memory jurors, uint256 quorum, uint64 voteWindow) internal returns (IJuryPanel) {
        return IJuryPanel(deployCode("JuryPanel.sol:JuryPanel", abi.encode(jurors, quorum, voteWindow)));
    }

    function _vote(uint256 juror, uint256 submissionId, bool approve) internal {
        vm.prank(jury[juror]);
        panel.vote(address(task), id, submissionId, approve);
    }

    function _voteRefused(uint256 juror, uint256 submissionId, bytes memory reason) internal {
        vm.expectRevert(reason);
        vm.prank(jury[juror]);
        panel.vote(address(task), id, submissionId, true);
    }

    function _case(uint256 submissionId) internal view returns (IJuryPanel.Case memory c) {
        (c,) = panel.caseOf(address(task), id, submissionId);
    }

    /// @dev A paced tender of one completion a day that the panel judges.
    function _paced() internal returns (uint256 tokenId) {
        ITaskTender.TenderTerms memory terms = _terms();
        terms.epochLength = 1 days;
        terms.maxCompletionsPerEpoch = 1;
        tokenId = _mint(terms, address(panel));
        _fund(tokenId, funder, 5 * REWARD);
    }

    /// @dev Two deliveries of a paced tender; the panel accepts both on the same day, so the second verdict is kept.
    function _keepOne() internal {
        id = _paced();
        _submit(id);
        _submit(id);
        for (uint256 submissionId = 1; submissionId <= 2; submissionId++) {
            _vote(0, submissionId, true);
            _vote(1, submissionId, true);
        }
    }
}
