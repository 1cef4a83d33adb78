// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IBondedGate} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title A gate in the judgment slot, with a judge behind it
abstract contract BondedGateTest is TaskTest {
    uint256 internal constant BOND = 0.1 ether;
    IBondedGate internal gate;
    address internal beneficiary = makeAddr("beneficiary");
    uint256 internal id;

    function setUp() public virtual override {
        super.setUp();
        gate = _deployGate(_rule());
        id = _mint(_terms(), address(gate));
        _fund(id, funder, 5 * REWARD);
    }

    function _rule() internal view returns (IBondedGate.Rule memory) {
        return IBondedGate.Rule({
            asset: address(0), bond: BOND, rejectedBps: 5_000, expiredBps: 1_000, beneficiary: beneficiary, judge: judge
        });
    }

    function _deployGate(IBondedGate.Rule memory rule) internal returns (IBondedGate) {
        return IBondedGate(deployCode("BondedGate.sol:BondedGate", abi.encode(task, rule)));
    }

    function _deliver(address from) internal returns (uint256) {
        return _deliver(from, keccak256(abi.encode(from, task.submissionCountOf(id))));
    }

    function _deliver(address from, bytes32 resultHash) internal returns (uint256) {
        address asset = gate.ASSET();
        uint256 bond = gate.BOND();
        if (asset == address(0)) {
            vm.deal(from, from.balance + bond);
            vm.prank(from);
            return gate.deliver{value: bond}(id, resultHash, "ipfs://result");
        }
        MockERC20(asset).mint(from, bond);
        vm.startPrank(from);
        MockERC20(asset).approve(address(gate), bond);
        uint256 submissionId = gate.deliver(id, resultHash, "ipfs://result");
        vm.stopPrank();
        return submissionId;
    }

    function _rule(uint256 submissionId, bool accepts) internal {
        vm.prank(judge);
        if (accepts) gate.acceptFulfillment(id, submissionId);
        else gate.rejectFulfillment(id, submissionId);
    }
}
