// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../../src/task/ITaskTender.sol";

/// @title What the companions that hold money offer, as interfaces
/// @notice Tests know the contracts by these alone, so that a change of a source does not compile them again.
interface IPullPayments {
    event Withdrawn(address indexed asset, address indexed account, address to, uint256 amount);

    error ReentrancyGuardReentrantCall();
    error ZeroAmount();
    error BadRecipient(address to);
    error NothingOwed(address asset, address account);
    error WrongNativeValue(uint256 got, uint256 expected);
    error DepositMismatch(address asset, uint256 received, uint256 expected);
    error PaymentFailed(address asset, address to, uint256 moved, uint256 expected);

    function owedOf(address asset, address account) external view returns (uint256);
    function withdraw(address asset, address account) external returns (uint256 amount);
    function withdrawTo(address asset, address to) external returns (uint256 amount);
}

interface ISplitter is IPullPayments {
    struct Member {
        address account;
        uint16 bps;
    }

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

    function bpsOf(address account) external view returns (uint256);
    function members() external view returns (Member[] memory);
    function submitOnBehalf(address taskContract, uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId);
    function distribute(address asset) external;
    function withdraw(address member) external returns (uint256 amount);
    function releasable(address member) external view returns (uint256);
    function releasableOf(address asset, address account) external view returns (uint256);
}

interface IFundingRouter is IPullPayments {
    event Funded(
        address indexed taskContract, uint256 indexed tokenId, address indexed funder, uint256 net, uint256 fee
    );
    event RefundCollected(address indexed taskContract, uint256 indexed tokenId, uint256 amount);
    event Refunded(address indexed taskContract, uint256 indexed tokenId, address indexed funder, uint256 amount);

    error FeeTooHigh(uint256 feeBps, uint256 max);
    error RefundsStarted(address taskContract, uint256 tokenId);
    error ForwardMismatch(address taskContract, uint256 taken, uint256 expected);
    error NothingToRefund(address taskContract, uint256 tokenId, address funder);
    error UnexpectedPayment(address from);

    function TREASURY() external view returns (address);
    function FEE_BPS() external view returns (uint256);
    function potOf(address taskContract, uint256 tokenId)
        external
        view
        returns (uint256 contributed, uint256 outstanding, uint256 pool, uint256 left, bool collected);
    function contributionOf(address taskContract, uint256 tokenId, address funder) external view returns (uint256);
    function feeOf(uint256 amount) external view returns (uint256);
    function fund(address taskContract, uint256 tokenId, uint256 amount) external payable returns (uint256 net);
    function refund(address taskContract, uint256 tokenId, address funder) external returns (uint256 amount);
}

interface IBondedGate is IPullPayments {
    struct Rule {
        address asset;
        uint256 bond;
        uint16 rejectedBps;
        uint16 expiredBps;
        address beneficiary;
        address judge;
    }

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

    function TASK() external view returns (address);
    function ASSET() external view returns (address);
    function BOND() external view returns (uint256);
    function REJECTED_BPS() external view returns (uint16);
    function EXPIRED_BPS() external view returns (uint16);
    function BENEFICIARY() external view returns (address);
    function JUDGE() external view returns (address);
    function delivererOf(uint256 tokenId, uint256 submissionId) external view returns (address);
    function deliver(uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        payable
        returns (uint256 submissionId);
    function settleBond(uint256 tokenId, uint256 submissionId) external returns (uint256 lost);
    function deskOf(address deliverer) external view returns (address);
    function collect(address asset, address deliverer) external returns (uint256 amount);
    function collectTo(address asset, address to) external returns (uint256 amount);
    function evict(uint256 tokenId, uint256 submissionId) external;
    function acceptFulfillment(uint256 tokenId, uint256 submissionId) external;
    function rejectFulfillment(uint256 tokenId, uint256 submissionId) external;
    function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external;
    function acceptanceAuthorityOf(uint256 tokenId) external view returns (address);
    function submissionOf(uint256 tokenId, uint256 submissionId) external view returns (ITaskTender.Submission memory);
    function tenderTermsOf(uint256 tokenId) external view returns (ITaskTender.TenderTerms memory);
    function pendingOf(uint256 tokenId) external view returns (uint64);
    function isTenderCancelled(uint256 tokenId) external view returns (bool);
    function updateAuthorityOf(uint256 tokenId) external view returns (address);
}

interface IDeliveryDesk {
    error NotGate(address caller, address gate);

    function GATE() external view returns (address);
    function deliver(ITaskTender task, uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId);
    function empty(address asset, address to) external returns (uint256 moved);
}

interface ITenderRoyalty {
    event RoyaltySet(uint256 indexed tokenId, address indexed receiver, uint256 bps);

    error NotPublisher(address caller, address updateAuthority);
    error NotReceiver(address caller, address receiver);
    error ZeroReceiver();
    error RoyaltyTooHigh(uint256 bps, uint256 max);
    error RoyaltyAlreadySet(uint256 tokenId);
    error RoyaltyNotSet(uint256 tokenId);

    function TASK() external view returns (address);
    function royaltyOf(uint256 tokenId) external view returns (address receiver, uint16 bps);
    function setRoyalty(uint256 tokenId, address receiver, uint16 bps) external;
    function lowerRoyalty(uint256 tokenId, uint16 bps) external;
    function passRoyalty(uint256 tokenId, address receiver) external;
    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 amount);
    function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
