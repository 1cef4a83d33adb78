// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IFundingRouter} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title A router with a fee of 2.5 %, and those who fund through it
abstract contract FundingRouterTest is TaskTest {
    uint256 internal constant FEE_BPS = 250;
    IFundingRouter internal router;
    address internal treasury = makeAddr("treasury");
    address internal second = makeAddr("second funder");
    MockERC20 internal token;

    function setUp() public virtual override {
        super.setUp();
        router = _deploy(treasury, FEE_BPS);
        token = new MockERC20();
    }

    function _deploy(address treasury_, uint256 feeBps) internal returns (IFundingRouter) {
        return IFundingRouter(payable(deployCode("FundingRouter.sol:FundingRouter", abi.encode(treasury_, feeBps))));
    }

    function _route(uint256 id, address from, uint256 amount) internal {
        address asset = task.tenderTermsOf(id).asset;
        if (asset == address(0)) {
            vm.deal(from, from.balance + amount);
            vm.prank(from);
            router.fund{value: amount}(address(task), id, amount);
        } else {
            MockERC20(asset).mint(from, amount);
            vm.startPrank(from);
            MockERC20(asset).approve(address(router), amount);
            router.fund(address(task), id, amount);
            vm.stopPrank();
        }
    }

    function _net(uint256 amount) internal view returns (uint256) {
        return amount - router.feeOf(amount);
    }
}
