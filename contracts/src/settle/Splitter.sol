// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {PullPayments} from "./PullPayments.sol";

/// @title A team as one fulfiller of record
/// @notice Members and shares are fixed at deployment. Whatever reaches this contract, in the native currency or any
///         ERC-20, is divided among the members as it is found, and each fetches a share without the others. Rounding:
///         a share is rounded down, and the remainder of a division, fewer units than there are members, is the first
///         member's, so nothing stays behind.
/// @dev Assumptions about others: those of PullPayments about assets. A member that cannot be paid keeps what it is
///      owed and can have it sent elsewhere. A task contract that a member names is called once, with no money and no
///      rights.
contract Splitter is PullPayments {
    struct Member {
        address account;
        uint16 bps;
    }

    /// @dev Bounds what dividing costs: about 22,000 gas a member the first time.
    uint256 private constant MAX_MEMBERS = 32;
    uint256 private constant BPS = 10_000;

    event Divided(address indexed asset, uint256 amount);
    event Delivered(
        address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, address member
    );

    error LengthsDiffer(uint256 members, uint256 shares);
    error MemberCountOutOfRange(uint256 count, uint256 max);
    error DuplicateMember(address member);
    error ZeroShare(address member);
    error SharesDoNotAddUp(uint256 sum, uint256 expected);
    error NotMember(address caller);
    error NothingToDivide(address asset);

    Member[] private _members;
    mapping(address account => uint256) public bpsOf;

    /// @param accounts the members, each once, none zero, at most 32
    /// @param shares in basis points, none zero, 10,000 in all
    constructor(address[] memory accounts, uint256[] memory shares) {
        if (accounts.length != shares.length) revert LengthsDiffer(accounts.length, shares.length);
        if (accounts.length == 0 || accounts.length > MAX_MEMBERS) {
            revert MemberCountOutOfRange(accounts.length, MAX_MEMBERS);
        }
        uint256 sum;
        for (uint256 i = 0; i < accounts.length; i++) {
            address account = accounts[i];
            uint256 bps = shares[i];
            if (account == address(0) || account == address(this)) revert BadRecipient(account);
            if (bps == 0) revert ZeroShare(account);
            if (bps > BPS) revert SharesDoNotAddUp(bps, BPS); // keeps the sum from overflowing
            if (bpsOf[account] != 0) revert DuplicateMember(account);
            sum += bps;
            bpsOf[account] = bps;
            _members.push(Member(account, uint16(bps)));
        }
        if (sum != BPS) revert SharesDoNotAddUp(sum, BPS);
    }

    /// @notice Money is divided when somebody asks for it, not here, so that a payment to the team stays cheap.
    receive() external payable {}

    /// @notice Deliver for the team, as one of its members.
    function submitOnBehalf(address taskContract, uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId)
    {
        if (bpsOf[msg.sender] == 0) revert NotMember(msg.sender);
        submissionId = ITaskTender(taskContract).submitFulfillment(tokenId, resultHash, resultURI);
        emit Delivered(taskContract, tokenId, submissionId, msg.sender);
    }

    /// @notice Write down each member's share of what has come in and was not divided yet. Anyone may.
    function distribute(address asset) external nonReentrant {
        if (_divide(asset) == 0) revert NothingToDivide(asset);
    }

    /// @notice Pay `member` its share of the native currency: `withdraw` under the name that other tools call.
    function withdraw(address member) external nonReentrant returns (uint256 amount) {
        return _withdraw(address(0), member, member);
    }

    /// @notice What `member` would get of the native currency now, under the name that other tools call.
    function releasable(address member) external view returns (uint256) {
        return releasableOf(address(0), member);
    }

    /// @notice What `account` would get from `withdraw` now.
    function releasableOf(address asset, address account) public view returns (uint256) {
        uint256 undivided = _undivided(asset);
        uint256 share = account == _members[0].account ? _firstShare(undivided) : _share(undivided, bpsOf[account]);
        return owedOf[asset][account] + share;
    }

    /// @notice The members in the order of deployment.
    function members() external view returns (Member[] memory) {
        return _members;
    }

    function _gather(address asset) internal override {
        _divide(asset);
    }

    function _divide(address asset) private returns (uint256 undivided) {
        undivided = _undivided(asset);
        if (undivided == 0) return 0;
        _owe(asset, _members[0].account, _firstShare(undivided));
        for (uint256 i = 1; i < _members.length; i++) {
            Member memory member = _members[i];
            _owe(asset, member.account, _share(undivided, member.bps));
        }
        emit Divided(asset, undivided);
    }

    /// @dev The balance less what is on the members' accounts; nothing where a token took that away.
    function _undivided(address asset) private view returns (uint256) {
        uint256 owed;
        for (uint256 i = 0; i < _members.length; i++) {
            owed += owedOf[asset][_members[i].account];
        }
        return Math.saturatingSub(BoundedCall.balanceOf(asset, address(this)), owed);
    }

    function _share(uint256 amount, uint256 bps) private pure returns (uint256) {
        return Math.mulDiv(amount, bps, BPS);
    }

    /// @dev What the others' shares, each rounded down, leave.
    function _firstShare(uint256 amount) private view returns (uint256 left) {
        left = amount;
        for (uint256 i = 1; i < _members.length; i++) {
            left -= _share(amount, _members[i].bps);
        }
    }
}
