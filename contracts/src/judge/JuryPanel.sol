// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {BoundedCall} from "../task/BoundedCall.sol";
import {ITaskErrors} from "../task/ITaskErrors.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {JuryCompensation} from "./JuryCompensation.sol";

/// @title A jury of N that accepts what K of it vouch for
/// @notice Jurors, quorum and voting window are fixed at deployment; one panel serves any number of tenders. A delivery
///         is accepted in the transaction of its K-th yes, refused in that of the no after which K cannot be reached
///         any more, and refused by anyone's `finalizeTimeout` when the voting window ends without either: a delivery
///         that nobody vouched for has not been vouched for. The task contract's own clock says the opposite, silence
///         accepts, so the panel's clock has to run out first: the first vote opens the case, and is refused where the
///         voting window, and time to finalise after it, do not fit into what is left of the tender's judgment window.
///
///         A yes that meets a full epoch, or a vault that is short, is kept: anyone has it executed later.
/// @dev Front-running: votes are public and cannot be changed. Nothing is learned from one that lets others take a
///      reward.
///
///      Assumptions about others: fewer than K jurors collude, at most N - K lose their keys. The task contract, or a
///      BondedGate in front of it, is honest; one that is not harms its own tenders, since cases and escrows are kept
///      by task contract and tender. Assets: those of PullPayments.
contract JuryPanel is JuryCompensation {
    enum Verdict {
        None,
        Accept,
        Refuse
    }

    struct Case {
        uint40 openedAt; // unix seconds; zero while no vote was cast
        uint32 ayes; // one bit a juror, in the order of deployment
        uint32 noes;
        Verdict verdict;
        bool kept; // accepted, and waiting for a time when the task contract takes it
        bool closed; // the verdict has had its effect
    }

    /// @dev One bit each in `ayes` and `noes`.
    uint256 private constant MAX_JURORS = 32;
    /// @dev Part of the voting window that has to be left for `finalizeTimeout`, and a minute at least.
    uint256 private constant FINALIZE_DIVISOR = 10;
    uint256 private constant FINALIZE_LEAST = 1 minutes;
    /// @dev Enough for a task contract to accept: it wants 320,000 left when it pays, and needs about 100,000 before.
    uint256 private constant ACCEPT_GAS = 600_000;

    uint256 public immutable quorum;
    uint64 public immutable voteWindow;

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

    address[] private _jurors;
    mapping(address juror => uint256) private _numberOf; // from 1
    mapping(address taskContract => mapping(uint256 tokenId => mapping(uint256 submissionId => Case))) private _cases;
    /// @notice Verdicts of a tender that wait for their execution.
    mapping(address taskContract => mapping(uint256 tokenId => uint256)) public keptOf;
    /// @dev How often the slot of a tender was handed over; votes for a successor count in one round only.
    mapping(address taskContract => mapping(uint256 tokenId => uint256)) private _roundOf;
    mapping(bytes32 ballot => uint256 ayes) private _handOvers;

    /// @param jurors_ each once, none zero, at most 32
    /// @param quorum_ how many have to vouch for a delivery, from 1 to all
    /// @param voteWindow_ seconds from the first vote
    constructor(address[] memory jurors_, uint256 quorum_, uint64 voteWindow_) {
        uint256 count = jurors_.length;
        if (count == 0 || count > MAX_JURORS) revert JurorCountOutOfRange(count, MAX_JURORS);
        if (quorum_ == 0 || quorum_ > count) revert QuorumOutOfRange(quorum_, count);
        if (voteWindow_ == 0) revert ZeroVoteWindow();
        for (uint256 i = 0; i < count; i++) {
            address juror = jurors_[i];
            if (juror == address(0) || juror == address(this)) revert BadJuror(juror);
            if (_numberOf[juror] != 0) revert DuplicateJuror(juror);
            _numberOf[juror] = i + 1;
        }
        _jurors = jurors_;
        quorum = quorum_;
        voteWindow = voteWindow_;
    }

    // --- judging ---

    /// @notice Vote on a pending delivery, once, as a juror. The first vote opens the case.
    function vote(address taskContract, uint256 tokenId, uint256 submissionId, bool approve) external nonReentrant {
        uint256 bit = _bitOf(msg.sender);
        ITaskTender task = ITaskTender(taskContract);
        address authority = task.acceptanceAuthorityOf(tokenId);
        if (authority != address(this)) revert NotInSlot(taskContract, tokenId, authority);
        ITaskTender.Submission memory s = task.submissionOf(tokenId, submissionId); // reverts where there is none
        Case storage c = _cases[taskContract][tokenId][submissionId];
        if (s.status != ITaskTender.SubmissionStatus.Pending || c.verdict != Verdict.None) {
            revert AlreadyDecided(taskContract, tokenId, submissionId);
        }
        if ((c.ayes | c.noes) & bit != 0) revert AlreadyVoted(msg.sender);
        if (c.openedAt == 0) {
            _requireFit(s.submittedAt, task.tenderTermsOf(tokenId).judgmentWindow);
            c.openedAt = uint40(block.timestamp); // safe until the year 36,812
            emit CaseOpened(taskContract, tokenId, submissionId, _deadline(c));
        }
        if (block.timestamp > _deadline(c)) revert VotingClosed(_deadline(c));

        if (approve) c.ayes |= uint32(bit);
        else c.noes |= uint32(bit);
        emit Voted(taskContract, tokenId, submissionId, msg.sender, approve);

        if (_count(c.ayes) == quorum) {
            _reach(c, taskContract, tokenId, submissionId, Verdict.Accept);
            _tryAccept(c, taskContract, tokenId, submissionId);
        } else if (_count(c.noes) > _jurors.length - quorum) {
            _refuse(c, taskContract, tokenId, submissionId);
        }
    }

    /// @notice Refuse a delivery whose voting window has ended without a verdict. Anyone may, and has at least a tenth
    ///         of the voting window for it before the task contract would pay.
    function finalizeTimeout(address taskContract, uint256 tokenId, uint256 submissionId) external nonReentrant {
        Case storage c = _cases[taskContract][tokenId][submissionId];
        if (c.openedAt == 0) revert NoCase(taskContract, tokenId, submissionId);
        if (c.verdict != Verdict.None) revert AlreadyDecided(taskContract, tokenId, submissionId);
        if (block.timestamp <= _deadline(c)) revert VotingOpen(_deadline(c));
        _refuse(c, taskContract, tokenId, submissionId);
    }

    /// @notice Have a kept verdict take effect. Anyone may. Where the clock has paid the delivery in the meantime, this
    ///         pays the jurors their fee for the verdict that they had reached.
    function execute(address taskContract, uint256 tokenId, uint256 submissionId) external nonReentrant {
        Case storage c = _cases[taskContract][tokenId][submissionId];
        if (!c.kept) revert NothingKept(taskContract, tokenId, submissionId);
        c.kept = false;
        keptOf[taskContract][tokenId] -= 1;
        ITaskTender task = ITaskTender(taskContract);
        ITaskTender.SubmissionStatus status = task.submissionOf(tokenId, submissionId).status;
        if (status == ITaskTender.SubmissionStatus.Pending) task.acceptFulfillment(tokenId, submissionId);
        bool pays = status != ITaskTender.SubmissionStatus.Rejected;
        _close(c, taskContract, tokenId, submissionId, pays);
    }

    // --- the slot ---

    /// @notice Vote for handing a tender's judgment slot to `successor`, or take such a vote back. The K-th vote hands
    ///         it over. While a verdict waits for its execution the slot stays; open cases go on to whoever judges
    ///         next.
    function voteHandOver(address taskContract, uint256 tokenId, address successor, bool approve)
        external
        nonReentrant
    {
        uint256 bit = _bitOf(msg.sender);
        uint256 round = _roundOf[taskContract][tokenId];
        bytes32 ballot = keccak256(abi.encode(taskContract, tokenId, round, successor));
        uint256 ayes = approve ? _handOvers[ballot] | bit : _handOvers[ballot] & ~bit;
        _handOvers[ballot] = ayes;
        emit HandOverVoted(taskContract, tokenId, successor, msg.sender, approve);
        if (_count(ayes) < quorum) return;
        uint256 kept = keptOf[taskContract][tokenId];
        if (kept != 0) revert VerdictsKept(taskContract, tokenId, kept);
        _roundOf[taskContract][tokenId] = round + 1;
        ITaskTender(taskContract).setAcceptanceAuthority(tokenId, successor);
    }

    // --- views ---

    function jurors() external view returns (address[] memory) {
        return _jurors;
    }

    function isJuror(address account) external view returns (bool) {
        return _numberOf[account] != 0;
    }

    /// @return c the case as it stands
    /// @return deadline last second in which jurors vote; zero while no vote was cast
    function caseOf(address taskContract, uint256 tokenId, uint256 submissionId)
        external
        view
        returns (Case memory c, uint256 deadline)
    {
        c = _cases[taskContract][tokenId][submissionId];
        if (c.openedAt != 0) deadline = _deadline(_cases[taskContract][tokenId][submissionId]);
    }

    /// @notice Shortest judgment window of a tender in which a case can be opened at all: the voting window and the
    ///         time to finalise. A publisher adds the time that jurors need before their first vote.
    function leastJudgmentWindow() public view returns (uint256) {
        uint256 margin = uint256(voteWindow) / FINALIZE_DIVISOR;
        return uint256(voteWindow) + (margin < FINALIZE_LEAST ? FINALIZE_LEAST : margin);
    }

    // --- shared steps ---

    function _bitOf(address account) private view returns (uint256) {
        uint256 number = _numberOf[account];
        if (number == 0) revert NotJuror(account);
        return 1 << (number - 1);
    }

    function _requireFit(uint256 submittedAt, uint256 judgmentWindow) private view {
        uint256 finalizableUntil = block.timestamp + leastJudgmentWindow();
        uint256 judgmentDeadline = submittedAt + judgmentWindow;
        if (finalizableUntil > judgmentDeadline) revert CaseDoesNotFit(finalizableUntil, judgmentDeadline);
    }

    /// @dev Last second in which jurors vote. 40 + 64 bits cannot overflow 256.
    function _deadline(Case storage c) private view returns (uint256) {
        return uint256(c.openedAt) + voteWindow;
    }

    function _reach(Case storage c, address taskContract, uint256 tokenId, uint256 submissionId, Verdict verdict)
        private
    {
        c.verdict = verdict;
        emit VerdictReached(taskContract, tokenId, submissionId, verdict);
    }

    function _refuse(Case storage c, address taskContract, uint256 tokenId, uint256 submissionId) private {
        _reach(c, taskContract, tokenId, submissionId, Verdict.Refuse);
        ITaskTender(taskContract).rejectFulfillment(tokenId, submissionId);
        _close(c, taskContract, tokenId, submissionId, false);
    }

    /// @dev Whatever stops the task contract now only delays the verdict. Too little gas is no such thing: an estimate of
    ///      the gas for a vote would find the amount that is just too little to pay.
    function _tryAccept(Case storage c, address taskContract, uint256 tokenId, uint256 submissionId) private {
        if (gasleft() < ACCEPT_GAS) revert ITaskErrors.InsufficientGas(gasleft(), ACCEPT_GAS);
        (bool success,,) = BoundedCall.call(
            taskContract, gasleft(), abi.encodeCall(ITaskTender.acceptFulfillment, (tokenId, submissionId))
        );
        if (success) return _close(c, taskContract, tokenId, submissionId, true);
        c.kept = true;
        keptOf[taskContract][tokenId] += 1;
        emit VerdictKept(taskContract, tokenId, submissionId);
    }

    function _close(Case storage c, address taskContract, uint256 tokenId, uint256 submissionId, bool pays) private {
        c.closed = true;
        emit VerdictExecuted(taskContract, tokenId, submissionId);
        if (pays && promiseOf[taskContract][tokenId].escrow != 0) {
            _payFee(taskContract, tokenId, submissionId, _voters(c));
        }
    }

    function _mayStillAccept(address taskContract, uint256 tokenId) internal view override returns (bool) {
        return keptOf[taskContract][tokenId] != 0 || super._mayStillAccept(taskContract, tokenId);
    }

    function _voters(Case storage c) private view returns (address[] memory voters) {
        uint256 voted = c.ayes | c.noes;
        voters = new address[](_count(voted));
        uint256 next;
        for (uint256 i = 0; voted >> i != 0; i++) {
            if (voted >> i & 1 != 0) voters[next++] = _jurors[i];
        }
    }

    function _count(uint256 bits) private pure returns (uint256 ones) {
        for (; bits != 0; bits &= bits - 1) {
            ones++;
        }
    }
}
