// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../../src/task/ITaskTender.sol";
import {IBondedGate} from "../../mocks/companions/ICompanions.sol";
import {Tenders} from "./Tenders.sol";

/// @title Everybody round a BondedGate, which holds the slot of three tenders
contract GateHandler is Tenders {
    uint256 public constant BOND = 101;
    IBondedGate public gate;
    address public beneficiary = makeAddr("beneficiary");
    uint256 public bondsIn;
    uint256 public bondsOut;
    uint256 public lost;
    mapping(address deliverer => mapping(address asset => uint256)) public collected;
    mapping(uint256 id => mapping(uint256 submissionId => address)) public delivererOf;
    mapping(uint256 id => mapping(uint256 submissionId => bool)) private _settled;
    uint256 public held;

    constructor() {
        IBondedGate.Rule memory terms = IBondedGate.Rule(address(0), BOND, 5_000, 0, beneficiary, address(this));
        gate = IBondedGate(deployCode("BondedGate.sol:BondedGate", abi.encode(task, terms)));
        _mint(address(0), address(gate), 0, 0);
        _mint(address(token), address(gate), 0, 0);
        _mint(address(0), address(gate), 2, 0);
        _endow(12);
    }

    function actions() external pure returns (bytes4[] memory list) {
        list = new bytes4[](13);
        list[0] = this.deliver.selector;
        list[1] = this.deliver.selector;
        list[2] = this.squat.selector;
        list[3] = this.evict.selector;
        list[4] = this.rule.selector;
        list[5] = this.claim.selector;
        list[6] = this.settleBond.selector;
        list[7] = this.settleBond.selector;
        list[8] = this.collect.selector;
        list[9] = this.withdraw.selector;
        list[10] = this.fundDirectly.selector;
        list[11] = this.passTime.selector;
        list[12] = this.changeMood.selector;
    }

    function deliver(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        address from = _anyone();
        vm.deal(from, from.balance + BOND);
        bytes memory data = abi.encodeCall(gate.deliver, (id, keccak256(abi.encode(seed)), "ipfs://r"));
        (bool success, bytes memory reply) = _act("deliver", from, address(gate), BOND, data);
        if (!success) return;
        delivererOf[id][abi.decode(reply, (uint256))] = from;
        bondsIn += BOND;
        held += 1;
    }

    /// @notice Take a slot without a bond.
    function squat(uint256 seed) external drawn(seed) {
        bytes memory data = abi.encodeCall(task.submitFulfillment, (_anyId(), keccak256(abi.encode(seed)), "ipfs://r"));
        _act("squat", _anyone(), address(task), 0, data);
    }

    function evict(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 submissionId) = _anySubmission();
        if (submissionId == 0) return;
        if (_pick(4) != 0) {
            // most draws look for a pending delivery without a bond
            for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
                if (delivererOf[id][s] != address(0)) continue;
                if (task.submissionOf(id, s).status == ITaskTender.SubmissionStatus.Pending) submissionId = s;
            }
        }
        bool pending = task.submissionOf(id, submissionId).status == ITaskTender.SubmissionStatus.Pending;
        (bool success,) = _act("evict", _anyone(), address(gate), 0, abi.encodeCall(gate.evict, (id, submissionId)));
        if (!success) return;
        if (delivererOf[id][submissionId] != address(0)) _report("a bonded delivery was evicted");
        if (!pending) _report("a decided delivery was evicted");
    }

    function rule(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 submissionId) = _anySubmission();
        if (submissionId == 0) return;
        if (_pick(4) != 0) submissionId = _find(id, submissionId, true);
        bytes memory data = _pick(3) == 0
            ? abi.encodeCall(gate.rejectFulfillment, (id, submissionId))
            : abi.encodeCall(gate.acceptFulfillment, (id, submissionId));
        _act("rule", address(this), address(gate), 0, data);
    }

    function settleBond(uint256 seed) external drawn(seed) {
        (uint256 id, uint256 submissionId) = _anySubmission();
        if (submissionId == 0) return;
        _settleBond(id, _pick(4) == 0 ? submissionId : _find(id, submissionId, false));
    }

    /// @dev The oldest delivery that holds a bond and is pending, or is not; `otherwise` where there is none.
    function _find(uint256 id, uint256 otherwise, bool pending) private view returns (uint256) {
        for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
            bool isPending = task.submissionOf(id, s).status == ITaskTender.SubmissionStatus.Pending;
            if (isPending == pending && gate.delivererOf(id, s) != address(0)) return s;
        }
        return otherwise;
    }

    function collect(uint256 seed) external drawn(seed) {
        (address asset, address deliverer) = (_anyAsset(), _anyone());
        // most draws look for a desk that has something
        for (uint256 i = 0; i < people.length && _pick(4) != 0; i++) {
            if (balanceOf(asset, gate.deskOf(deliverer)) == 0) deliverer = people[i];
        }
        _collect(asset, deliverer);
    }

    function withdraw(uint256 seed) external drawn(seed) {
        address account = _anyone();
        for (uint256 i = 0; i < people.length && gate.owedOf(address(0), account) == 0; i++) {
            account = _pick(2) == 0 ? beneficiary : people[i];
        }
        _withdraw(account);
    }

    /// @notice Everything is decided, and everybody takes what is theirs.
    function close() external {
        _endTenders();
        for (uint256 i = 0; i < ids.length; i++) {
            for (uint256 s = 1; s <= task.submissionCountOf(ids[i]); s++) {
                if (gate.delivererOf(ids[i], s) != address(0)) _settleBond(ids[i], s);
            }
        }
        for (uint256 p = 0; p < people.length; p++) {
            _withdraw(people[p]);
            for (uint256 a = 0; a < 2; a++) {
                address asset = a == 0 ? address(0) : address(token);
                address desk = gate.deskOf(people[p]);
                for (uint256 i = 0; i < ids.length; i++) {
                    if (task.creditOf(ids[i], desk) != 0) task.withdrawCredit(ids[i], desk);
                }
                _collect(asset, people[p]);
            }
        }
        _withdraw(beneficiary);
    }

    /// @notice What a deliverer has earned, from the task market's own record.
    function earnedBy(address deliverer, address asset) external view returns (uint256 sum) {
        for (uint256 i = 0; i < ids.length; i++) {
            if (_assetOf(ids[i]) != asset) continue;
            for (uint256 s = 1; s <= task.submissionCountOf(ids[i]); s++) {
                if (delivererOf[ids[i]][s] != deliverer) continue;
                if (task.submissionOf(ids[i], s).status == ITaskTender.SubmissionStatus.Accepted) sum += REWARD;
            }
        }
    }

    function _anySubmission() private returns (uint256 id, uint256 submissionId) {
        id = _anyId();
        uint256 count = task.submissionCountOf(id);
        if (count != 0) submissionId = 1 + _pick(count);
    }

    function _settleBond(uint256 id, uint256 submissionId) private {
        address deliverer = delivererOf[id][submissionId];
        uint256 before = deliverer.balance + gate.owedOf(address(0), deliverer);
        uint256 balance = deliverer.balance;
        bytes memory data = abi.encodeCall(gate.settleBond, (id, submissionId));
        (bool success, bytes memory reply) = _act("settleBond", address(9), address(gate), 0, data);
        if (!success) return;
        if (deliverer == address(0)) return _report("a bond that nobody put up was settled");
        if (_settled[id][submissionId]) _report("a bond was settled twice");
        _settled[id][submissionId] = true;
        held -= 1;
        ITaskTender.SubmissionStatus status = task.submissionOf(id, submissionId).status;
        if (status == ITaskTender.SubmissionStatus.Pending) _report("a bond was settled under a pending delivery");
        uint256 expected = status == ITaskTender.SubmissionStatus.Rejected ? BOND / 2 : 0;
        if (abi.decode(reply, (uint256)) != expected) _report("a bond was lost against the rule");
        lost += expected;
        uint256 gained = deliverer.balance + gate.owedOf(address(0), deliverer) - before;
        if (gained != BOND - expected) _report("a bond went astray");
        bondsOut += deliverer.balance - balance;
    }

    function _withdraw(address account) private {
        uint256 owed = gate.owedOf(address(0), account);
        uint256 before = account.balance;
        bytes memory data = abi.encodeCall(gate.withdraw, (address(0), account));
        (bool success,) = _act("withdraw", address(9), address(gate), 0, data);
        if (account.balance - before != (success ? owed : 0)) _report("withdrew something else than was owed");
        bondsOut += account.balance - before;
    }

    function _collect(address asset, address deliverer) private {
        address desk = gate.deskOf(deliverer);
        uint256 there = balanceOf(asset, desk);
        uint256 before = balanceOf(asset, deliverer);
        bytes memory data = abi.encodeCall(gate.collect, (asset, deliverer));
        (bool success,) = _act("collect", address(9), address(gate), 0, data);
        uint256 moved = balanceOf(asset, deliverer) - before;
        if (moved != (success ? there : 0)) _report("collected something else than was there");
        collected[deliverer][asset] += moved;
    }
}
