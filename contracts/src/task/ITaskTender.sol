// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.24;

/// @title ERC-8414 tender: where the money is, what is paid, to how many, judged by whom
/// @notice A delivery reserves a slot and a reward; cancellation cannot outrun it; silence pays the fulfiller.
/// @dev ERC-165 identifier 0xc319d532. The identifier does not cover the shape of returned structs: pin the ABI.
interface ITaskTender {
    struct TenderTerms {
        address asset; // reward asset; address(0) is the native currency
        uint256 rewardPerCompletion; // smallest unit; greater than zero
        uint64 maxCompletions; // 0 means unbounded
        uint64 submitBy; // unix seconds; 0 means no limit
        uint64 settleBy; // unix seconds; 0 means no limit; at or after submitBy
        uint64 epochLength; // seconds; 0 means no cadence
        uint64 maxCompletionsPerEpoch; // 0 if and only if epochLength is 0
        uint64 judgmentWindow; // seconds a judge has; greater than zero
    }

    enum SubmissionStatus {
        Pending,
        Accepted,
        Rejected
    }

    struct Submission {
        address fulfiller; // who is paid; may be a splitter
        bytes32 resultHash; // commitment to the deliverable
        uint64 taskVersion; // binding version when delivered
        uint64 submittedAt; // unix seconds; starts the judgment clock
        bool machineSettled; // settlement mode when delivered
        SubmissionStatus status;
    }

    event TenderFunded(uint256 indexed tokenId, address indexed funder, uint256 amount, uint256 escrowBalance);
    event TenderCancelled(uint256 indexed tokenId);
    event EscrowReclaimed(uint256 indexed tokenId, address indexed funder, uint256 amount);
    event ResidualReclaimed(uint256 indexed tokenId, address indexed owner, uint256 amount);
    event AcceptanceAuthorityChanged(
        uint256 indexed tokenId, address indexed previousAuthority, address indexed newAuthority
    );
    event FulfillmentSubmitted(
        uint256 indexed tokenId,
        uint256 indexed submissionId,
        address indexed fulfiller,
        bytes32 resultHash,
        string resultURI,
        uint64 taskVersion
    );
    event FulfillmentAccepted(
        uint256 indexed tokenId, uint256 indexed submissionId, address indexed fulfiller, uint256 reward
    );
    event FulfillmentRejected(uint256 indexed tokenId, uint256 indexed submissionId);
    event FulfillmentClaimedUnjudged(
        uint256 indexed tokenId, uint256 indexed submissionId, address indexed fulfiller, uint64 deadline
    );
    event SubmissionReleased(uint256 indexed tokenId, uint256 indexed submissionId, uint64 deadline);
    event PayoutCredited(
        uint256 indexed tokenId, uint256 indexed submissionId, address indexed fulfiller, uint256 amount
    );
    event PayoutWithdrawn(uint256 indexed tokenId, address indexed account, uint256 amount);

    function vaultOf(uint256 tokenId) external view returns (address);
    function tenderTermsOf(uint256 tokenId) external view returns (TenderTerms memory);
    function acceptanceAuthorityOf(uint256 tokenId) external view returns (address);
    function escrowBalanceOf(uint256 tokenId) external view returns (uint256);
    function pendingOf(uint256 tokenId) external view returns (uint64);
    function lockedEscrowOf(uint256 tokenId) external view returns (uint256);
    function completionsOf(uint256 tokenId) external view returns (uint64);
    function completionsInEpochOf(uint256 tokenId, uint64 epoch) external view returns (uint64);
    function isTenderCancelled(uint256 tokenId) external view returns (bool);
    function submissionCountOf(uint256 tokenId) external view returns (uint256);
    function submissionOf(uint256 tokenId, uint256 submissionId) external view returns (Submission memory);

    function fundTask(uint256 tokenId, uint256 amount) external payable;
    function submitFulfillment(uint256 tokenId, bytes32 resultHash, string calldata resultURI)
        external
        returns (uint256 submissionId);
    function acceptFulfillment(uint256 tokenId, uint256 submissionId) external;
    function settleFulfillment(uint256 tokenId, uint256 submissionId, bytes calldata proof) external;
    function rejectFulfillment(uint256 tokenId, uint256 submissionId) external;
    function claimUnjudged(uint256 tokenId, uint256 submissionId) external;
    function releaseExpired(uint256 tokenId, uint256 submissionId) external;
    function creditOf(uint256 tokenId, address account) external view returns (uint256);
    function withdrawCredit(uint256 tokenId, address account) external;
    function setAcceptanceAuthority(uint256 tokenId, address newAuthority) external;
    function cancelTask(uint256 tokenId) external;
    function reclaimEscrow(uint256 tokenId) external;
    function reclaimResidual(uint256 tokenId) external;
}
