// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IPullPayments} from "./ICompanions.sol";

/// @title What a JuryPanel offers, as an interface
interface IJuryPanel is IPullPayments {
    enum Verdict {
        None,
        Accept,
        Refuse
    }

    struct Case {
        uint40 openedAt;
        uint32 ayes;
        uint32 noes;
        Verdict verdict;
        bool kept;
        bool closed;
    }

    event CaseOpened(
        address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, uint256 deadline
    );
    event Voted(
        address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, address juror, bool approve
    );
    event VerdictReached(
        address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, Verdict verdict
    );
    event VerdictKept(address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId);
    event VerdictExecuted(address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId);
    event HandOverVoted(
        address indexed taskContract, uint256 indexed tokenId, address indexed successor, address juror, bool approve
    );
    event FeePromised(
        address indexed taskContract, uint256 indexed tokenId, address indexed sponsor, address asset, uint256 fee
    );
    event FeeFunded(address indexed taskContract, uint256 indexed tokenId, address indexed from, uint256 amount);
    event FeePaid(address indexed taskContract, uint256 indexed tokenId, uint256 indexed submissionId, uint256 share);
    event FeeReturned(address indexed taskContract, uint256 indexed tokenId, address indexed sponsor, uint256 amount);

    error JurorCountOutOfRange(uint256 count, uint256 max);
    error QuorumOutOfRange(uint256 quorum, uint256 jurors);
    error ZeroVoteWindow();
    error BadJuror(address juror);
    error DuplicateJuror(address juror);
    error NotJuror(address caller);
    error NotInSlot(address taskContract, uint256 tokenId, address authority);
    error AlreadyDecided(address taskContract, uint256 tokenId, uint256 submissionId);
    error AlreadyVoted(address juror);
    error CaseDoesNotFit(uint256 finalizableUntil, uint256 judgmentDeadline);
    error VotingClosed(uint256 deadline);
    error VotingOpen(uint256 deadline);
    error NoCase(address taskContract, uint256 tokenId, uint256 submissionId);
    error NothingKept(address taskContract, uint256 tokenId, uint256 submissionId);
    error VerdictsKept(address taskContract, uint256 tokenId, uint256 kept);
    error NotPublisher(address caller, address updateAuthority);
    error FeeAlreadyPromised(address taskContract, uint256 tokenId);
    error NoFeePromised(address taskContract, uint256 tokenId);
    error FeesStillNeeded(address taskContract, uint256 tokenId);

    function quorum() external view returns (uint256);
    function voteWindow() external view returns (uint64);
    function jurors() external view returns (address[] memory);
    function isJuror(address account) external view returns (bool);
    function keptOf(address taskContract, uint256 tokenId) external view returns (uint256);
    function caseOf(address taskContract, uint256 tokenId, uint256 submissionId)
        external
        view
        returns (Case memory c, uint256 deadline);
    function leastJudgmentWindow() external view returns (uint256);
    function promiseOf(address taskContract, uint256 tokenId)
        external
        view
        returns (address sponsor, address asset, uint256 fee, uint256 escrow);
    function vote(address taskContract, uint256 tokenId, uint256 submissionId, bool approve) external;
    function finalizeTimeout(address taskContract, uint256 tokenId, uint256 submissionId) external;
    function execute(address taskContract, uint256 tokenId, uint256 submissionId) external;
    function voteHandOver(address taskContract, uint256 tokenId, address successor, bool approve) external;
    function promiseFee(address taskContract, uint256 tokenId, address asset, uint256 fee) external;
    function fundFees(address taskContract, uint256 tokenId, uint256 amount) external payable;
    function returnFees(address taskContract, uint256 tokenId) external;
}
