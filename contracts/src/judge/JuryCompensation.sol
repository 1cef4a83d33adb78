// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../task/ITaskTender.sol";
import {ITaskToken} from "../task/ITaskToken.sol";
import {PullPayments} from "../settle/PullPayments.sol";

/// @title What the jurors of a tender are paid
/// @notice The tender's publisher may promise a fee for each delivery that the jury accepts, and anyone may pay into
///         the escrow that it comes from. A fee is paid on acceptance only: paid for refusals, junk and a complicit
///         jury would empty the escrow. It is shared equally by those who voted on the delivery, for it or against; a
///         short escrow pays what it has. Rounding: a share is rounded down and the rest stays in the escrow. What is
///         left when nothing more can be accepted goes to the sponsor, who is the publisher that made the promise,
///         whoever paid it in.
abstract contract JuryCompensation is PullPayments {
    struct Promise {
        address sponsor; // zero until the publisher has promised
        address asset; // address(0) is the native currency
        uint256 fee; // for each accepted delivery, in the smallest unit
        uint256 escrow;
    }

    event FeePromised(
        address indexed taskContract, uint256 indexed tokenId, address indexed sponsor, address asset, uint256 fee
    );
    event FeeFunded(address indexed taskContract, uint256 indexed tokenId, address indexed from, uint256 amount);
    event FeePaid(address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, uint256 share);
    event FeeReturned(address indexed taskContract, uint256 indexed tokenId, address indexed sponsor, uint256 amount);

    error NotPublisher(address caller, address updateAuthority);
    error FeeAlreadyPromised(address taskContract, uint256 tokenId);
    error NoFeePromised(address taskContract, uint256 tokenId);
    error FeesStillNeeded(address taskContract, uint256 tokenId);

    mapping(address taskContract => mapping(uint256 tokenId => Promise)) public promiseOf;

    /// @notice Promise a fee for each accepted delivery, once, as the tender's update authority.
    function promiseFee(address taskContract, uint256 tokenId, address asset, uint256 fee) external {
        address authority = ITaskToken(taskContract).updateAuthorityOf(tokenId);
        if (msg.sender != authority) revert NotPublisher(msg.sender, authority);
        if (fee == 0) revert ZeroAmount();
        Promise storage p = promiseOf[taskContract][tokenId];
        if (p.sponsor != address(0)) revert FeeAlreadyPromised(taskContract, tokenId);
        (p.sponsor, p.asset, p.fee) = (msg.sender, asset, fee);
        emit FeePromised(taskContract, tokenId, msg.sender, asset, fee);
    }

    /// @notice Pay into the escrow of a tender's fees. What is not spent goes to the sponsor.
    function fundFees(address taskContract, uint256 tokenId, uint256 amount) external payable nonReentrant {
        Promise storage p = promiseOf[taskContract][tokenId];
        if (p.sponsor == address(0)) revert NoFeePromised(taskContract, tokenId);
        _collect(p.asset, amount);
        p.escrow += amount;
        emit FeeFunded(taskContract, tokenId, msg.sender, amount);
    }

    /// @notice Give the sponsor what is left, once nothing more can be accepted here: the tender is judged by somebody
    ///         else, or it was cancelled or is past its settleBy and nothing is pending. Anyone may.
    function returnFees(address taskContract, uint256 tokenId) external nonReentrant {
        Promise storage p = promiseOf[taskContract][tokenId];
        uint256 amount = p.escrow;
        if (amount == 0) revert NothingOwed(p.asset, p.sponsor);
        if (_mayStillAccept(taskContract, tokenId)) revert FeesStillNeeded(taskContract, tokenId);
        p.escrow = 0;
        _owe(p.asset, p.sponsor, amount);
        emit FeeReturned(taskContract, tokenId, p.sponsor, amount);
        _tryWithdraw(p.asset, p.sponsor);
    }

    /// @dev Whether a delivery that exists, or may yet be made, could be accepted by this jury.
    function _mayStillAccept(address taskContract, uint256 tokenId) internal view virtual returns (bool) {
        ITaskTender task = ITaskTender(taskContract);
        if (task.acceptanceAuthorityOf(tokenId) != address(this)) return false;
        if (task.pendingOf(tokenId) != 0) return true;
        if (task.isTenderCancelled(tokenId)) return false;
        uint256 settleBy = task.tenderTermsOf(tokenId).settleBy;
        return settleBy == 0 || block.timestamp <= settleBy;
    }

    /// @param voters those who share the fee, none of them twice, at least one
    function _payFee(address taskContract, uint256 tokenId, uint256 submissionId, address[] memory voters) internal {
        Promise storage p = promiseOf[taskContract][tokenId];
        uint256 escrow = p.escrow;
        uint256 share = (p.fee < escrow ? p.fee : escrow) / voters.length;
        if (share == 0) return;
        p.escrow = escrow - share * voters.length;
        for (uint256 i = 0; i < voters.length; i++) {
            _owe(p.asset, voters[i], share);
        }
        emit FeePaid(taskContract, tokenId, submissionId, share);
    }
}
