// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {CommonBase} from "forge-std/Base.sol";
import {StdCheats} from "forge-std/StdCheats.sol";
import {ITaskTender} from "../../../src/task/ITaskTender.sol";
import {ITaskMarket} from "../../mocks/ITaskMarket.sol";
import {MockERC20} from "../../mocks/MockERC20.sol";

/// @notice A person who takes money or refuses it, as it is told.
contract Moody {
    bool public refuses;

    error Refused();

    function setRefuses(bool value) external {
        refuses = value;
    }

    receive() external payable {
        if (refuses) revert Refused();
    }
}

/// @title Tenders and people that the handlers of the companions share
/// @notice A handler draws everything from a seed. What must never happen is kept in `violation`, since a failed
///         assertion in a handler would be taken for an ordinary revert.
abstract contract Tenders is CommonBase, StdCheats {
    uint256 internal constant START = 1_800_000_000;
    uint256 internal constant REWARD = 1000;
    uint64 internal constant WINDOW = 10 days;
    uint64 internal constant DAY = 1 days;

    ITaskMarket public task;
    MockERC20 public token;
    uint256[] public ids;
    address[] public people;
    string public violation;
    /// @notice Successful calls by name of the action.
    mapping(string action => uint256) public successes;
    address internal publisher = makeAddr("publisher");
    uint256 internal clock = START;
    uint256 private _entropy;

    constructor() {
        vm.warp(START);
        task = ITaskMarket(deployCode("TaskToken.sol:TaskToken", abi.encode("Oikos Task", "TASK")));
        token = new MockERC20();
        for (uint256 i = 0; i < 3; i++) {
            people.push(makeAddr(string.concat("person ", vm.toString(i))));
        }
        people.push(address(new Moody()));
    }

    modifier drawn(uint256 seed) {
        vm.warp(clock);
        _entropy = uint256(keccak256(abi.encode(seed)));
        _;
    }

    function peopleCount() external view returns (uint256) {
        return people.length;
    }

    function idCount() external view returns (uint256) {
        return ids.length;
    }

    function balanceOf(address asset, address account) public view returns (uint256) {
        return asset == address(0) ? account.balance : token.balanceOf(account);
    }

    function _pick(uint256 n) internal returns (uint256) {
        _entropy = uint256(keccak256(abi.encode(_entropy)));
        return _entropy % n;
    }

    function _anyone() internal returns (address) {
        return people[_pick(people.length)];
    }

    function _anyId() internal returns (uint256) {
        return ids[_pick(ids.length)];
    }

    function _anyAsset() internal returns (address) {
        return _pick(2) == 0 ? address(0) : address(token);
    }

    function _mint(address asset, address authority, uint64 perDay, uint64 settleBy) internal {
        ITaskTender.TenderTerms memory terms;
        terms.asset = asset;
        terms.rewardPerCompletion = REWARD;
        terms.judgmentWindow = WINDOW;
        terms.settleBy = settleBy;
        if (perDay != 0) (terms.epochLength, terms.maxCompletionsPerEpoch) = (DAY, perDay);
        ids.push(task.mintTask(address(1), publisher, authority, bytes32("td"), bytes32("root"), "ipfs://t", terms));
    }

    /// @dev Enough for a run, so that most of it is about something else than money.
    function _endow(uint256 rewards) internal {
        address patron = makeAddr("patron");
        for (uint256 i = 0; i < ids.length; i++) {
            uint256 value = _provide(_assetOf(ids[i]), patron, address(task), rewards * REWARD);
            vm.prank(patron);
            task.fundTask{value: value}(ids[i], rewards * REWARD);
        }
    }

    function _assetOf(uint256 id) internal view returns (address) {
        return task.tenderTermsOf(id).asset;
    }

    /// @dev Give `account` money and, for a token, let `spender` take it. Returns the value to send.
    function _provide(address asset, address account, address spender, uint256 amount) internal returns (uint256) {
        if (asset == address(0)) {
            vm.deal(account, account.balance + amount);
            return amount;
        }
        token.mint(account, amount);
        vm.prank(account);
        token.approve(spender, amount);
        return 0;
    }

    function _act(string memory action, address caller, address target, uint256 value, bytes memory data)
        internal
        returns (bool success, bytes memory reply)
    {
        vm.prank(caller);
        (success, reply) = target.call{value: value}(data);
        if (success) successes[action] += 1;
    }

    function _mustSucceed(string memory action, address caller, address target, bytes memory data)
        internal
        returns (bytes memory reply)
    {
        bool success;
        (success, reply) = _act(action, caller, target, 0, data);
        if (!success) _report(string.concat(action, " refused: ", vm.toString(reply)));
    }

    function _report(string memory what) internal {
        if (bytes(violation).length == 0) violation = what;
    }

    // --- what anybody may do to the tenders ---

    function fundDirectly(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        uint256 amount = 1 + _pick(10 * REWARD);
        address from = _anyone();
        uint256 value = _provide(_assetOf(id), from, address(task), amount);
        _act("fundDirectly", from, address(task), value, abi.encodeCall(task.fundTask, (id, amount)));
    }

    function cancel(uint256 seed) external drawn(seed) {
        if (_pick(8) != 0) return; // a tender that ends at once teaches little
        _act("cancel", publisher, address(task), 0, abi.encodeCall(task.cancelTask, (_anyId())));
    }

    function claim(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        uint256 count = task.submissionCountOf(id);
        if (count == 0) return;
        uint256 submissionId = 1 + _pick(count);
        if (_pick(5) == 0) {
            // the oldest that is pending, once its window is over, or in its last second
            for (uint256 s = count; s != 0; s--) {
                if (task.submissionOf(id, s).status == ITaskTender.SubmissionStatus.Pending) submissionId = s;
            }
            uint256 deadline = task.submissionOf(id, submissionId).submittedAt + WINDOW + _pick(2);
            if (deadline > clock) clock = deadline;
            vm.warp(clock);
        }
        bytes memory data = abi.encodeCall(task.claimUnjudged, (id, submissionId));
        _act("claim", _anyone(), address(task), 0, data);
    }

    function passTime(uint256 seed) external drawn(seed) {
        clock += _pick(3) == 0 ? 1 + _pick(WINDOW) : 1 + _pick(DAY);
    }

    function changeMood(uint256 seed) external drawn(seed) {
        Moody(payable(people[3])).setRefuses(_pick(2) == 0);
    }

    /// @dev The clock decides whatever is still pending, and the tender ends.
    function _endTenders() internal {
        Moody(payable(people[3])).setRefuses(false);
        clock += 2 * WINDOW;
        for (uint256 i = 0; i < ids.length; i++) {
            uint256 id = ids[i];
            if (!task.isTenderCancelled(id)) {
                vm.prank(publisher);
                task.cancelTask(id);
            }
            for (uint256 s = 1; s <= task.submissionCountOf(id); s++) {
                if (task.submissionOf(id, s).status != ITaskTender.SubmissionStatus.Pending) continue;
                clock += DAY; // one completion a day, where the tender is paced
                vm.warp(clock);
                task.claimUnjudged(id, s);
            }
        }
        vm.warp(clock);
    }
}
