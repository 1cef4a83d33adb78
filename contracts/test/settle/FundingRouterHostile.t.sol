// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IFundingRouter, IPullPayments} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {EndlessERC20, ReentrantERC20} from "../mocks/OddERC20.sol";
import {FundingRouterTest} from "./FundingRouterTest.sol";

/// @notice A task contract that takes what it is told to of what it is offered, refunds nothing, and makes a call.
contract HostileTask {
    MockERC20 private immutable ASSET;
    uint256 public takes;
    uint256 public givesBack;
    address public target;
    bytes public data;
    bytes public reply;

    constructor(address asset) {
        ASSET = MockERC20(asset);
    }

    function setTakes(uint256 amount) external {
        takes = amount;
    }

    function setGivesBack(uint256 amount) external {
        givesBack = amount;
    }

    function setCall(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function sendTo(address payable to) public {
        (bool success, bytes memory reason) = to.call{value: address(this).balance}("");
        if (!success) {
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function tenderTermsOf(uint256) external view returns (ITaskTender.TenderTerms memory terms) {
        terms.asset = address(ASSET);
    }

    function fundTask(uint256, uint256) external payable {
        if (takes != 0) ASSET.transferFrom(msg.sender, address(this), takes);
        if (givesBack != 0) ASSET.transfer(msg.sender, givesBack);
    }

    function reclaimEscrow(uint256) external {
        if (target != address(0)) (, reply) = target.call{value: address(this).balance}(data);
    }
}

/// @title FundingRouter among tokens that call back and task contracts that lie
contract FundingRouterHostileTest is FundingRouterTest {
    function test_Fund_MUST_NotBeReenteredByAToken() external {
        ReentrantERC20 hook = new ReentrantERC20();
        uint256 id = _mintIn(address(hook));
        hook.setCall(address(router), abi.encodeCall(router.fund, (address(task), id, 1)));
        _route(id, funder, 1_000);
        assertFalse(hook.succeeded());
        assertEq(bytes4(hook.reply()), IPullPayments.ReentrancyGuardReentrantCall.selector);
        assertEq(task.escrowBalanceOf(id), 975);
    }

    /// A task contract that takes nothing, or something else than it was given.
    function test_Fund_RevertsWhen_TheTaskContractDoesNotTakeTheNet() external {
        HostileTask hostile = new HostileTask(address(token));
        token.mint(funder, 2_000);
        vm.startPrank(funder);
        token.approve(address(router), 2_000);
        for (uint256 i = 0; i < 2; i++) {
            uint256 takes = i == 0 ? 0 : 974;
            hostile.setTakes(takes);
            vm.expectRevert(
                abi.encodeWithSelector(IFundingRouter.ForwardMismatch.selector, address(hostile), takes, 975)
            );
            router.fund(address(hostile), 1, 1_000);
        }
        hostile.setTakes(975);
        router.fund(address(hostile), 1, 1_000);
        assertEq(token.allowance(address(router), address(hostile)), 0);
    }

    /// All of the allowance is used, and yet the tender has less: what came back would be on nobody's account.
    function test_Fund_RevertsWhen_TheTaskContractGivesAPartBack() external {
        HostileTask hostile = new HostileTask(address(token));
        hostile.setTakes(975);
        hostile.setGivesBack(5);
        token.mint(funder, 1_000);
        vm.startPrank(funder);
        token.approve(address(router), 1_000);
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.ForwardMismatch.selector, address(hostile), 970, 975));
        router.fund(address(hostile), 1, 1_000);
    }

    /// What others' tenders gave back is out of reach of a task contract that lies.
    function test_Refund_MUST_BeOutOfReachOfATaskContractThatLies() external {
        uint256 id = _mintIn(address(token));
        _route(id, funder, 1_000);
        _route(id, second, 1_000);
        HostileTask hostile = new HostileTask(address(token));
        hostile.setTakes(975);
        _routeTo(address(hostile), stranger, 1_000);
        _cancel(id);
        router.refund(address(task), id, funder); // the other 975 lie in the router now
        assertEq(token.balanceOf(address(router)), 975 + 75);
        assertEq(router.refund(address(hostile), 1, stranger), 0, "it gave nothing back");
        router.refund(address(task), id, second);
        router.withdraw(address(token), treasury);
        assertEq(token.balanceOf(second), 975);
        assertEq(token.balanceOf(address(router)), 0);
    }

    /// A task contract that asks for a refund of a refund while it is asked for one.
    function test_Refund_MUST_NotBeReenteredByATaskContract() external {
        HostileTask hostile = new HostileTask(address(token));
        hostile.setTakes(975);
        _routeTo(address(hostile), stranger, 1_000);
        hostile.setCall(address(router), abi.encodeCall(router.refund, (address(hostile), 1, stranger)));
        router.refund(address(hostile), 1, stranger);
        assertEq(bytes4(hostile.reply()), IPullPayments.ReentrancyGuardReentrantCall.selector);
    }

    /// While a token is refunded, native currency is as unwelcome as ever.
    function test_Receive_TakesNativeCurrencyOnlyFromANativeRefund() external {
        HostileTask hostile = new HostileTask(address(token));
        hostile.setTakes(975);
        _routeTo(address(hostile), stranger, 1_000);
        vm.deal(address(hostile), 1);
        hostile.setCall(address(router), "");
        vm.expectRevert(abi.encodeWithSelector(IFundingRouter.UnexpectedPayment.selector, address(hostile)));
        hostile.sendTo(payable(address(router)));
        router.refund(address(hostile), 1, stranger);
        assertEq(bytes4(hostile.reply()), IFundingRouter.UnexpectedPayment.selector);
        assertEq(address(router).balance, 0);
    }

    function test_Receive_TakesNothingAfterANativeRefund() external {
        uint256 id = _mint();
        _route(id, funder, REWARD);
        _cancel(id);
        router.refund(address(task), id, funder);
        vm.deal(stranger, 1);
        vm.prank(stranger);
        (bool success, bytes memory reason) = address(router).call{value: 1}("");
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(IFundingRouter.UnexpectedPayment.selector, stranger));
    }

    /// The largest amount is an endless allowance in many tokens, and would outlive the call.
    function test_Fund_MUST_NotLeaveAnAllowanceBehind() external {
        EndlessERC20 endless = new EndlessERC20();
        HostileTask hostile = new HostileTask(address(endless));
        hostile.setTakes(type(uint256).max);
        router = _deploy(treasury, 0);
        endless.mint(funder, type(uint256).max);
        vm.startPrank(funder);
        endless.approve(address(router), type(uint256).max);
        vm.expectRevert(
            abi.encodeWithSelector(
                IFundingRouter.ForwardMismatch.selector, address(hostile), type(uint256).max, type(uint256).max
            )
        );
        router.fund(address(hostile), 1, type(uint256).max);
    }

    function _routeTo(address taskContract, address from, uint256 amount) private {
        token.mint(from, amount);
        vm.startPrank(from);
        token.approve(address(router), amount);
        router.fund(taskContract, 1, amount);
        vm.stopPrank();
    }
}
