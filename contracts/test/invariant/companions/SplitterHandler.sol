// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ISplitter} from "../../mocks/companions/ICompanions.sol";
import {Moody, Tenders} from "./Tenders.sol";

/// @title Everybody round a Splitter whose last member is moody
contract SplitterHandler is Tenders {
    ISplitter public splitter;
    uint256[] public bps = [4_999, 3_001, 1_700, 300];
    mapping(address asset => uint256) public came;
    mapping(address asset => uint256) public left;
    mapping(address asset => mapping(address member => uint256)) public got;
    mapping(address asset => uint256) public arrivals;

    constructor() {
        splitter = ISplitter(deployCode("Splitter.sol:Splitter", abi.encode(people, bps)));
        _mint(address(0), address(this), 0, 0);
        _mint(address(token), address(this), 0, 0);
    }

    function actions() external pure returns (bytes4[] memory list) {
        list = new bytes4[](7);
        list[0] = this.arrive.selector;
        list[1] = this.earn.selector;
        list[2] = this.distribute.selector;
        list[3] = this.withdraw.selector;
        list[4] = this.withdrawTo.selector;
        list[5] = this.changeMood.selector;
        list[6] = this.fundDirectly.selector;
    }

    function arrive(uint256 seed) external drawn(seed) {
        address asset = _anyAsset();
        uint256 amount = _pick(4) == 0 ? _pick(5) : _pick(1e18);
        if (asset == address(0)) vm.deal(address(splitter), address(splitter).balance + amount);
        else token.mint(address(splitter), amount);
        _came(asset, amount);
    }

    /// @notice Deliver, be accepted, and be paid by the task market.
    function earn(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        bytes memory data =
            abi.encodeCall(splitter.submitOnBehalf, (address(task), id, keccak256(abi.encode(seed)), "ipfs://r"));
        (bool success, bytes memory reply) = _act("earn", _anyone(), address(splitter), 0, data);
        if (!success) return; // the vault is too low
        task.acceptFulfillment(id, abi.decode(reply, (uint256)));
        _came(_assetOf(id), REWARD);
    }

    function distribute(uint256 seed) external drawn(seed) {
        bytes memory data = abi.encodeCall(splitter.distribute, (_anyAsset()));
        _act("distribute", address(7), address(splitter), 0, data);
    }

    function withdraw(uint256 seed) external drawn(seed) {
        _withdraw(_anyAsset(), _anyone(), false);
    }

    function withdrawTo(uint256 seed) external drawn(seed) {
        _withdraw(_anyAsset(), _anyone(), true);
    }

    function withdrawAll() external {
        Moody(payable(people[3])).setRefuses(false);
        for (uint256 i = 0; i < people.length; i++) {
            _withdraw(address(0), people[i], false);
            _withdraw(address(token), people[i], i % 2 == 0);
        }
    }

    function _withdraw(address asset, address member, bool elsewhere) private {
        address to = elsewhere ? makeAddr("elsewhere") : member;
        uint256 due = splitter.releasableOf(asset, member);
        uint256 before = balanceOf(asset, to);
        bytes memory data = elsewhere
            ? abi.encodeCall(splitter.withdrawTo, (asset, to))
            : abi.encodeWithSignature("withdraw(address,address)", asset, member);
        (bool success,) = _act("withdraw", member, address(splitter), 0, data);
        bool refused = asset == address(0) && to == people[3] && Moody(payable(to)).refuses();
        if (success != (due != 0 && !refused)) return _report("withdraw ended otherwise than announced");
        if (!success) return;
        if (balanceOf(asset, to) - before != due) _report("paid otherwise than announced");
        got[asset][member] += due;
        left[asset] += due;
    }

    function _came(address asset, uint256 amount) private {
        came[asset] += amount;
        arrivals[asset] += 1;
    }
}
