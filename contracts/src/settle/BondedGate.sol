// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {ITaskToken} from "../task/ITaskToken.sol";
import {DeliveryDesk} from "./DeliveryDesk.sol";
import {PullPayments} from "./PullPayments.sol";

/// @title A bond with every delivery
/// @notice Whoever delivers through this gate puts up a bond. It comes back when the delivery is accepted, by whatever
///         path; where it is refused, the gate's rule says which part of it is lost, and to whom. The rule is part of
///         the deployment: a tender that is minted for a gate has the rule that it was minted with, and nobody can
///         change it.
///
///         The gate can also sit in the judgment slot, for a judge that is fixed with the rule. Then anyone can have a
///         delivery without a bond refused at once, and that is what makes the bond more than a wish. The judge rules
///         through the gate as it would in the task contract: the gate answers the same calls, so that a JuryPanel can
///         be the judge, with the gate for a task contract.
/// @dev Mint a tender with the gate in its slot, or give it the slot while nothing is pending: a delivery from before
///      carries no bond and can be refused by anyone.
///
///      What a rule may not do: pay the judge for refusing. The beneficiary of lost bonds is not the judge; whether it
///      is a friend of the judge nobody can check here, so burn lost bonds where that matters.
///
///      Assumptions about others: those of PullPayments about assets. TASK is an honest task contract. A deliverer's
///      rewards are at its own desk, so nothing that a token does to one of them touches another.
contract BondedGate is PullPayments {
    /// @notice What a bond is and what becomes of it.
    struct Rule {
        address asset; // of the bond; address(0) is the native currency
        uint256 bond; // smallest unit; greater than zero
        uint16 rejectedBps; // part that is lost with a delivery that was judged and refused
        uint16 expiredBps; // part that is lost with a machine-settled delivery whose proof did not come in time
        address beneficiary; // gets what is lost; zero if and only if nothing is ever lost
        address judge; // rules through the gate while the gate holds the slot; zero where it is not to hold one
    }

    uint256 private constant BPS = 10_000;

    ITaskTender public immutable TASK;
    address public immutable ASSET;
    uint256 public immutable BOND;
    uint16 public immutable REJECTED_BPS;
    uint16 public immutable EXPIRED_BPS;
    address public immutable BENEFICIARY;
    address public immutable JUDGE;
    address private immutable DESK = address(new DeliveryDesk());

    event Bonded(uint256 indexed tokenId, uint256 indexed submissionId, address indexed deliverer, address desk);
    event BondSettled(uint256 indexed tokenId, uint256 indexed submissionId, address indexed deliverer, uint256 lost);
    event Evicted(uint256 indexed tokenId, uint256 indexed submissionId);
    event Collected(address indexed asset, address indexed deliverer, address to, uint256 amount);

    error ZeroBond();
    error LossOutOfRange(uint256 bps, uint256 max);
    error BadBeneficiary(address beneficiary);
    error NotJudge(address caller, address judge);
    error NotBonded(uint256 tokenId, uint256 submissionId);
    error DeliveryIsBonded(uint256 tokenId, uint256 submissionId);
    error DeliveryPending(uint256 tokenId, uint256 submissionId);
    error NothingToCollect(address asset, address deliverer);

    /// @notice Who put up the bond that is held for a submission; zero where none is held.
    mapping(uint256 tokenId => mapping(uint256 submissionId => address)) public delivererOf;

    constructor(ITaskTender task, Rule memory rule) {
        if (rule.bond == 0) revert ZeroBond();
        if (rule.rejectedBps > BPS) revert LossOutOfRange(rule.rejectedBps, BPS);
        if (rule.expiredBps > BPS) revert LossOutOfRange(rule.expiredBps, BPS);
        bool loses = rule.rejectedBps != 0 || rule.expiredBps != 0;
        bool named = rule.beneficiary != address(0);
        bool partial_ = rule.beneficiary == rule.judge || rule.beneficiary == address(this);
        if (loses != named || (named && partial_)) revert BadBeneficiary(rule.beneficiary);
        TASK = task;
        ASSET = rule.asset;
        BOND = rule.bond;
        REJECTED_BPS = rule.rejectedBps;
        EXPIRED_BPS = rule.expiredBps;
        BENEFICIARY = rule.beneficiary;
        JUDGE = rule.judge;
    }

    modifier onlyJudge() {
        if (msg.sender != JUDGE) revert NotJudge(msg.sender, JUDGE);
        _;
    }

    // --- delivering ---

    /// @notice Deliver with a bond: the value of the call, or an allowance to this gate. The fulfiller of record is the
    ///         caller's desk, which `deskOf` tells beforehand.
    function deliver(uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        payable
        nonReentrant
        returns (uint256 submissionId)
    {
        _collect(ASSET, BOND);
        address desk = deskOf(msg.sender);
        if (desk.code.length == 0) Clones.cloneDeterministic(DESK, _saltOf(msg.sender));
        submissionId = DeliveryDesk(payable(desk)).deliver(TASK, tokenId, resultHash, resultURI);
        delivererOf[tokenId][submissionId] = msg.sender;
        emit Bonded(tokenId, submissionId, msg.sender, desk);
    }

    /// @notice Once a delivery is decided, give its bond to whoever gets it. Anyone may call this. The deliverer is
    ///         paid at once where it can be; the beneficiary fetches by `withdraw`.
    /// @return lost the part that the beneficiary gets, rounded down
    function settleBond(uint256 tokenId, uint256 submissionId) external nonReentrant returns (uint256 lost) {
        address deliverer = delivererOf[tokenId][submissionId];
        if (deliverer == address(0)) revert NotBonded(tokenId, submissionId);
        ITaskTender.Submission memory s = TASK.submissionOf(tokenId, submissionId);
        if (s.status == ITaskTender.SubmissionStatus.Pending) revert DeliveryPending(tokenId, submissionId);
        delivererOf[tokenId][submissionId] = address(0);
        if (s.status == ITaskTender.SubmissionStatus.Rejected) {
            lost = Math.mulDiv(BOND, s.machineSettled ? EXPIRED_BPS : REJECTED_BPS, BPS);
        }
        _owe(ASSET, BENEFICIARY, lost);
        _owe(ASSET, deliverer, BOND - lost);
        emit BondSettled(tokenId, submissionId, deliverer, lost);
        _tryWithdraw(ASSET, deliverer);
    }

    /// @notice The address in whose name `deliverer` delivers here, whether or not it has done so yet.
    function deskOf(address deliverer) public view returns (address) {
        return Clones.predictDeterministicAddress(DESK, _saltOf(deliverer));
    }

    /// @notice Send a deliverer all of `asset` that its desk has earned. Anyone may call this.
    function collect(address asset, address deliverer) external nonReentrant returns (uint256 amount) {
        return _collectFrom(asset, deliverer, deliverer);
    }

    /// @notice Have all of `asset` that the caller's desk has earned sent to `to`.
    function collectTo(address asset, address to) external nonReentrant returns (uint256 amount) {
        return _collectFrom(asset, msg.sender, to);
    }

    // --- in the judgment slot ---

    /// @notice Refuse a delivery that carries no bond. Anyone may, while the gate holds the slot.
    function evict(uint256 tokenId, uint256 submissionId) external nonReentrant {
        if (delivererOf[tokenId][submissionId] != address(0)) revert DeliveryIsBonded(tokenId, submissionId);
        TASK.rejectFulfillment(tokenId, submissionId);
        emit Evicted(tokenId, submissionId);
    }

    function acceptFulfillment(uint256 tokenId, uint256 submissionId) external onlyJudge {
        TASK.acceptFulfillment(tokenId, submissionId);
    }

    function rejectFulfillment(uint256 tokenId, uint256 submissionId) external onlyJudge {
        TASK.rejectFulfillment(tokenId, submissionId);
    }

    /// @notice Pass the judgment slot on, as the judge.
    function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external onlyJudge {
        TASK.setAcceptanceAuthority(tokenId, newAuthority);
    }

    /// @notice Who rules: the judge where this gate holds the slot, otherwise whoever holds it.
    function acceptanceAuthorityOf(uint256 tokenId) external view returns (address authority) {
        authority = TASK.acceptanceAuthorityOf(tokenId);
        if (authority == address(this)) authority = JUDGE;
    }

    function submissionOf(uint256 tokenId, uint256 submissionId) external view returns (ITaskTender.Submission memory) {
        return TASK.submissionOf(tokenId, submissionId);
    }

    function tenderTermsOf(uint256 tokenId) external view returns (ITaskTender.TenderTerms memory) {
        return TASK.tenderTermsOf(tokenId);
    }

    function pendingOf(uint256 tokenId) external view returns (uint64) {
        return TASK.pendingOf(tokenId);
    }

    function isTenderCancelled(uint256 tokenId) external view returns (bool) {
        return TASK.isTenderCancelled(tokenId);
    }

    function updateAuthorityOf(uint256 tokenId) external view returns (address) {
        return ITaskToken(address(TASK)).updateAuthorityOf(tokenId);
    }

    // --- shared steps ---

    function _collectFrom(address asset, address deliverer, address to) private returns (uint256 amount) {
        address desk = deskOf(deliverer);
        if (to == address(0) || to == address(this) || to == desk) revert BadRecipient(to);
        if (desk.code.length != 0) amount = DeliveryDesk(payable(desk)).empty(asset, to);
        if (amount == 0) revert NothingToCollect(asset, deliverer);
        emit Collected(asset, deliverer, to, amount);
    }

    function _saltOf(address deliverer) private pure returns (bytes32) {
        return bytes32(uint256(uint160(deliverer)));
    }
}
