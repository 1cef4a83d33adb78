// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {RebasingERC20, ReentrantERC20} from "../mocks/OddERC20.sol";
import {Reenterer} from "../mocks/Recipients.sol";
import {TaskTest} from "./TaskTest.sol";

/// @notice Gives a verifier's answers about itself, and reverts with every one of them.
contract ReversingJudge {
    function supportsInterface(bytes4 interfaceId) external pure {
        bool answer = interfaceId == 0x9977db15 || interfaceId == 0x01ffc9a7;
        assembly ("memory-safe") {
            mstore(0, answer)
            revert(0, 32)
        }
    }
}

/// @title Faults that no other test notices
/// @notice Each test stands for one of the deliberate faults in scripts/mutants and names the rule that it breaks.
contract MutantsTest is TaskTest {
    function test_Settlement_MUST_DecideBeforeMoneyMoves() external {
        Reenterer recipient = new Reenterer(task);
        uint256 id = _funded(2);
        _submit(id, address(recipient));
        recipient.setCall(abi.encodeCall(task.submissionOf, (id, 1)));
        _accept(id, 1);
        assertTrue(recipient.succeeded());
        ITaskTender.Submission memory seen = abi.decode(recipient.reply(), (ITaskTender.Submission));
        assertEq(uint8(seen.status), uint8(ITaskTender.SubmissionStatus.Accepted), "seen from inside the payment");
    }

    /// @dev Whoever sends more to the vault than it is paid has not been paid, and the settlement stands.
    function test_Payout_CreditsWhen_TheRecipientGivesMoreBackInsideTheTransfer() external {
        ReentrantERC20 token = new ReentrantERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _submit(id);
        token.setCall(address(token), abi.encodeCall(MockERC20.mint, (task.vaultOf(id), 3 * REWARD)));
        _accept(id, 1);
        assertTrue(token.succeeded());
        assertEq(task.creditOf(id, worker), REWARD);
        _assertStatus(id, 1, ITaskTender.SubmissionStatus.Accepted);
    }

    /// @dev Two rewards of 2^255 add up to 2^256, yet nothing that is owed ever did.
    function test_Shares_MUST_BeExactWhere_TheSumOfRewardsOverflows() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        terms.rewardPerCompletion = 1 << 255;
        uint256 id = _mint(terms);
        address vault = task.vaultOf(id);
        _fund(id, funder, 1 << 255);
        for (uint256 submission = 1; submission <= 2; submission++) {
            _submit(id);
            _accept(id, submission);
            assertEq(token.balanceOf(worker), 1 << 255);
            vm.prank(worker);
            token.transfer(vault, 1 << 255);
        }
        (uint256 credits, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(credits, 0);
        assertEq(funders, 0, "the first reward spent the contribution");
        assertEq(residual, 1 << 255, "a gift");
    }

    function test_Balance_IsUnreadableWhen_ItRevertsWithAWord() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        vm.mockCallRevert(address(token), abi.encodeCall(MockERC20.balanceOf, (task.vaultOf(id))), abi.encode(REWARD));
        _refuses(abi.encodeWithSelector(UnreadableBalance.selector, address(token)));
        task.escrowBalanceOf(id);
    }

    function test_Shares_FitTheVaultWhen_TheTokenShrinksBetweenRefunds() external {
        RebasingERC20 token = new RebasingERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        _fund(id, stranger, REWARD);
        _cancel(id);
        _reclaim(id, funder);
        token.rebase(10);
        (uint256 credits, uint256 funders, uint256 residual) = task.escrowSharesOf(id);
        assertEq(credits, 0);
        assertEq(funders, REWARD / 10, "all that is left is the other funder's");
        assertEq(residual, 0);
    }

    function test_Shares_MUST_NotOverflowWhile_RefundsRun() external {
        MockERC20 token = new MockERC20();
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 1 << 254);
        _fund(id, stranger, 1 << 254);
        _cancel(id);
        _reclaim(id, funder);
        (, uint256 funders,) = task.escrowSharesOf(id);
        assertEq(funders, 1 << 254);
    }

    function test_Reclaim_CallsNobodyWhen_NothingIsLeft() external {
        Reenterer contributor = new Reenterer(task);
        uint256 id = _mint();
        vm.deal(address(contributor), REWARD);
        contributor.perform(address(task), REWARD, abi.encodeCall(task.fundTask, (id, REWARD)));
        _submit(id);
        _accept(id, 1);
        _cancel(id);
        contributor.setCall(abi.encodeCall(task.taskOf, (id)));
        contributor.perform(address(task), 0, abi.encodeCall(task.reclaimEscrow, (id)));
        assertEq(task.contributionOf(id, address(contributor)), 0);
        assertFalse(contributor.succeeded(), "called without money");
    }

    /// @dev The sender's gas must not decide whether a token can pay somebody, with or without code.
    function test_Payout_MUST_RefuseToStarveAToken() external {
        uint256 id = _mintIn(address(new MockERC20()));
        _fund(id, funder, REWARD);
        _submit(id);
        vm.prank(judge);
        (bool success, bytes memory reply) =
            address(task).call{gas: 250_000}(abi.encodeCall(task.acceptFulfillment, (id, 1)));
        assertFalse(success);
        assertEq(bytes4(reply), InsufficientGas.selector);
        _accept(id, 1);
        assertEq(task.creditOf(id, worker), 0);
    }

    function test_Probe_MUST_TreatARevertAsAJudge_AlsoWithTheRightAnswersInIt() external {
        uint256 id = _mint(_terms(), address(new ReversingJudge()));
        _fund(id, funder, REWARD);
        _submit(id);
        assertFalse(task.submissionOf(id, 1).machineSettled);
    }
}
