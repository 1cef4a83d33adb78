// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IFundingRouter} from "../../mocks/companions/ICompanions.sol";
import {Tenders} from "./Tenders.sol";

/// @title Everybody round a FundingRouter and six tenders
contract RouterHandler is Tenders {
    IFundingRouter public router;
    address public treasury = makeAddr("treasury");
    mapping(address asset => uint256) public paidIn;
    mapping(address asset => uint256) public fees;
    mapping(uint256 id => uint256) public net;
    mapping(uint256 id => mapping(address funder => uint256)) public netOf;
    mapping(uint256 id => uint256) public refunded;
    /// @notice What has left the router: refunds and fees.
    mapping(address asset => uint256) public paidOut;

    constructor() {
        router = IFundingRouter(deployCode("FundingRouter.sol:FundingRouter", abi.encode(treasury, uint256(333))));
        _mint(address(0), address(this), 0, 0);
        _mint(address(token), address(this), 0, 0);
        _mint(address(token), address(this), 0, uint64(START + 30 days));
        _mint(address(0), address(this), 0, uint64(START + 30 days));
        _mint(address(0), address(this), 0, uint64(START + 10 days));
        _mint(address(token), address(this), 0, uint64(START + 5 days));
    }

    function actions() external pure returns (bytes4[] memory list) {
        list = new bytes4[](10);
        list[0] = this.fund.selector;
        list[1] = this.fund.selector;
        list[2] = this.deliverAndRule.selector;
        list[3] = this.refund.selector;
        list[4] = this.refund.selector;
        list[5] = this.withdraw.selector;
        list[6] = this.fundDirectly.selector;
        list[7] = this.cancel.selector;
        list[8] = this.passTime.selector;
        list[9] = this.changeMood.selector;
    }

    function fund(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        address asset = _assetOf(id);
        address from = _anyone();
        uint256 amount = _pick(5) == 0 ? 1 + _pick(40) : 1 + _pick(4 * REWARD);
        uint256 value = _provide(asset, from, address(router), amount);
        uint256 escrow = task.escrowBalanceOf(id);
        (bool success,) =
            _act("fund", from, address(router), value, abi.encodeCall(router.fund, (address(task), id, amount)));
        if (!success) return;
        uint256 fee = amount * 333 / 10_000;
        if (task.escrowBalanceOf(id) - escrow != amount - fee) _report("the vault got something else than the net");
        paidIn[asset] += amount;
        fees[asset] += fee;
        net[id] += amount - fee;
        netOf[id][from] += amount - fee;
    }

    function deliverAndRule(uint256 seed) external drawn(seed) {
        uint256 id = _anyId();
        bytes memory data = abi.encodeCall(task.submitFulfillment, (id, keccak256(abi.encode(seed)), "ipfs://r"));
        (bool success, bytes memory reply) = _act("deliver", _anyone(), address(task), 0, data);
        if (!success) return;
        uint256 submissionId = abi.decode(reply, (uint256));
        uint256 ruling = _pick(4);
        if (ruling < 2) task.acceptFulfillment(id, submissionId);
        if (ruling == 2) task.rejectFulfillment(id, submissionId);
    }

    function refund(uint256 seed) external drawn(seed) {
        (uint256 id, address funder) = (_anyId(), _anyone());
        if (_pick(4) != 0) {
            // most draws look for somebody who can be refunded
            for (uint256 i = 0; i < ids.length * people.length; i++) {
                if (_isOver(id) && router.contributionOf(address(task), id, funder) != 0) break;
                (id, funder) = (ids[i % ids.length], people[i / ids.length]);
            }
        }
        _refund(id, funder);
    }

    function _isOver(uint256 id) private view returns (bool) {
        uint256 settleBy = task.tenderTermsOf(id).settleBy;
        return task.pendingOf(id) == 0 && (task.isTenderCancelled(id) || (settleBy != 0 && clock > settleBy));
    }

    function withdraw(uint256 seed) external drawn(seed) {
        address account = _pick(3) == 0 ? treasury : _anyone();
        _withdraw(_anyAsset(), account);
    }

    /// @notice Every tender ends, and everybody takes what is theirs.
    function close() external {
        _endTenders();
        for (uint256 i = 0; i < ids.length; i++) {
            for (uint256 p = 0; p < people.length; p++) {
                if (router.contributionOf(address(task), ids[i], people[p]) != 0) {
                    if (!_refund(ids[i], people[p])) _report("a refund was refused at the end");
                }
            }
        }
        for (uint256 p = 0; p < people.length; p++) {
            _withdraw(address(0), people[p]);
            _withdraw(address(token), people[p]);
        }
        _withdraw(address(0), treasury);
        _withdraw(address(token), treasury);
    }

    function _refund(uint256 id, address funder) private returns (bool success) {
        address asset = _assetOf(id);
        bool had = router.contributionOf(address(task), id, funder) != 0;
        uint256 before = balanceOf(asset, funder);
        uint256 owedBefore = router.owedOf(asset, funder);
        bytes memory reply;
        (success, reply) =
            _act("refund", address(9), address(router), 0, abi.encodeCall(router.refund, (address(task), id, funder)));
        if (!success) return false;
        if (!had) _report("refunded twice");
        uint256 share = abi.decode(reply, (uint256));
        uint256 moved = balanceOf(asset, funder) - before;
        if (moved + router.owedOf(asset, funder) != share + owedBefore) _report("a share went astray");
        refunded[id] += share;
        paidOut[asset] += moved;
    }

    function _withdraw(address asset, address account) private {
        uint256 owed = router.owedOf(asset, account);
        uint256 before = balanceOf(asset, account);
        bytes memory data = abi.encodeCall(router.withdraw, (asset, account));
        (bool success,) = _act("withdraw", address(9), address(router), 0, data);
        uint256 moved = balanceOf(asset, account) - before;
        if (moved != (success ? owed : 0)) _report("withdrew something else than was owed");
        if (success && owed == 0) _report("withdrew nothing");
        paidOut[asset] += moved;
    }
}
