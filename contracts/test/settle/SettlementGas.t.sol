// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IBondedGate, IFundingRouter, ISplitter, ITenderRoyalty} from "../mocks/companions/ICompanions.sol";
import {ILockedTaskAccount} from "../mocks/companions/ILockedTaskAccount.sol";
import {MockERC6551Registry} from "../mocks/companions/MockERC6551Registry.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title Gas of splitters, routers, bonds, royalties and locked accounts, each along the money path that it is for
/// @dev Whole transactions, as receipts would show. Into snapshots/SettlementGasTest.json, which is committed: a figure
///      that changes fails the tests until the file does.
/// forge-config: default.isolate = true
contract SettlementGasTest is TaskTest {
    MockERC20 private token;
    address private second = makeAddr("second");
    address private third = makeAddr("third");

    function setUp() public override {
        super.setUp();
        token = new MockERC20();
    }

    function _measure(string memory name) private {
        vm.snapshotValue(name, vm.lastCallGas().gasTotalUsed);
    }

    function test_GasOfASplitter() external {
        address[] memory team = new address[](3);
        (team[0], team[1], team[2]) = (worker, second, third);
        uint256[] memory bps = new uint256[](3);
        (bps[0], bps[1], bps[2]) = (5_000, 3_000, 2_000);
        ISplitter splitter = ISplitter(deployCode("Splitter.sol:Splitter", abi.encode(team, bps)));
        uint256 id = _funded(1);
        vm.prank(worker);
        splitter.submitOnBehalf(address(task), id, RESULT, "");
        _measure("Splitter: submitOnBehalf");
        _accept(id, 1);
        _measure("acceptFulfillment, pays a splitter");
        splitter.withdraw(worker);
        _measure("Splitter: withdraw, first member, divides");
        splitter.withdraw(second);
        _measure("Splitter: withdraw, next member");
        vm.prank(third);
        splitter.withdrawTo(address(0), stranger);
        _measure("Splitter: withdrawTo, last member");
        token.mint(address(splitter), 1_000);
        splitter.distribute(address(token));
        _measure("Splitter: distribute, ERC-20, 3 members");
        splitter.withdraw(address(token), worker);
        _measure("Splitter: withdraw, ERC-20");
    }

    function _route(IFundingRouter router, uint256 id, address from, string memory name) private {
        vm.deal(from, 1 ether);
        vm.prank(from);
        router.fund{value: 1 ether}(address(task), id, 1 ether);
        _measure(name);
    }

    function test_GasOfARouter() external {
        IFundingRouter router =
            IFundingRouter(deployCode("FundingRouter.sol:FundingRouter", abi.encode(stranger, uint256(250))));
        uint256 id = _mint();
        _route(router, id, funder, "FundingRouter: fund, native, first");
        _route(router, id, funder, "FundingRouter: fund, native, same funder");
        _route(router, id, second, "FundingRouter: fund, native, second funder");
        uint256 inToken = _mintIn(address(token));
        token.mint(funder, 10_000);
        vm.prank(funder);
        token.approve(address(router), 10_000);
        vm.prank(funder);
        router.fund(address(task), inToken, 5_000);
        _measure("FundingRouter: fund, ERC-20, first");
        _cancel(id);
        router.refund(address(task), id, funder);
        _measure("FundingRouter: refund, first, fetches from the tender");
        router.refund(address(task), id, second);
        _measure("FundingRouter: refund, last");
        router.withdraw(address(0), stranger);
        _measure("FundingRouter: withdraw, the treasury");
    }

    function test_GasOfABond() external {
        IBondedGate.Rule memory rule = IBondedGate.Rule({
            asset: address(0), bond: 0.1 ether, rejectedBps: 5_000, expiredBps: 0, beneficiary: second, judge: judge
        });
        IBondedGate gate = IBondedGate(deployCode("BondedGate.sol:BondedGate", abi.encode(task, rule)));
        uint256 id = _mint(_terms(), address(gate));
        _fund(id, funder, 5 * REWARD);
        vm.deal(worker, 0.2 ether);
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(worker);
            gate.deliver{value: 0.1 ether}(id, keccak256(abi.encode(i)), "");
            _measure(i == 0 ? "BondedGate: deliver, first" : "BondedGate: deliver, next");
        }
        vm.prank(judge);
        gate.acceptFulfillment(id, 1);
        _measure("BondedGate: acceptFulfillment");
        vm.prank(judge);
        gate.rejectFulfillment(id, 2);
        _measure("BondedGate: rejectFulfillment");
        uint256 junk = _submit(id, stranger);
        gate.evict(id, junk);
        _measure("BondedGate: evict");
        gate.settleBond(id, 1);
        _measure("BondedGate: settleBond, returned");
        gate.settleBond(id, 2);
        _measure("BondedGate: settleBond, half is lost");
        gate.collect(address(0), worker);
        _measure("BondedGate: collect");
        gate.withdraw(address(0), second);
        _measure("BondedGate: withdraw, the beneficiary");
        vm.prank(judge);
        gate.setAcceptanceAuthority(id, stranger);
        _measure("BondedGate: setAcceptanceAuthority");
    }

    function test_GasOfARoyalty() external {
        ITenderRoyalty royalty = ITenderRoyalty(deployCode("TenderRoyalty.sol:TenderRoyalty", abi.encode(task)));
        uint256 id = _mint();
        vm.prank(publisher);
        royalty.setRoyalty(id, second, 500);
        _measure("TenderRoyalty: setRoyalty");
        vm.prank(publisher);
        royalty.lowerRoyalty(id, 100);
        _measure("TenderRoyalty: lowerRoyalty");
        vm.prank(second);
        royalty.passRoyalty(id, third);
        _measure("TenderRoyalty: passRoyalty");
    }

    function test_GasOfALockedAccount() external {
        MockERC6551Registry registry = new MockERC6551Registry();
        address implementation = deployCode("LockedTaskAccount.sol:LockedTaskAccount");
        uint256 id = _mint();
        address account = registry.createAccount(implementation, 0, block.chainid, address(task), id);
        vm.deal(stranger, 1 ether);
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(stranger);
            (bool success,) = account.call{value: 0.5 ether}("");
            assertTrue(success);
            _measure("LockedTaskAccount: receive");
            ILockedTaskAccount(account).sweep(address(0));
            _measure(i == 0 ? "LockedTaskAccount: sweep, native, first" : "LockedTaskAccount: sweep, native, next");
        }
        token.mint(account, 1_000);
        ILockedTaskAccount(account).sweep(address(token));
        _measure("LockedTaskAccount: sweep, ERC-20");
    }
}
