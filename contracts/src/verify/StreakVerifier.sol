// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {AttestedOutcome} from "./AttestedOutcome.sol";

/// @title Settles a standing tender for one provider at a time: profile `x-streak-eip712-v1`
/// @notice The first fulfiller whose delivery is accepted takes the seat. From then on only its deliveries settle, one
///         epoch after the other. A provider that misses an epoch forfeits the seat for good, and the seat is free for
///         another. What was delivered is attested as in the signed-outcome profile.
///
///         A delivery belongs to the epoch in which it was made, whenever it settles, and settles until `graceSec`
///         after that epoch has ended: the attestors' delay is not the provider's miss. So an epoch is missed when it
///         and its grace are over and nothing of it was accepted.
/// @dev Front-running posture: as for signed outcomes, a copied proof settles only the delivery that it names. While
///      the seat is free, whichever attested delivery settles first takes it; the attestors decide whose they sign.
///
///      What a stranger can do to a streak: take the tender's slots or its escrow with deliveries that nobody will
///      attest, so that the provider cannot deliver until they expire. Fund ahead, leave room in `maxCompletions`, and
///      gate deliveries with a bond where that matters. A stranger cannot settle anything out of order, because a
///      delivery that would leave a gap is refused, not counted.
///
///      Assumptions about others: those of signed outcomes; and the task contract reports `submittedAt` as it was.
contract StreakVerifier is AttestedOutcome {
    struct Streak {
        address provider; // whose seat it is; zero while it is free
        uint64 lastEpoch; // of the delivery that was accepted last; meaningless while the seat is free
        uint64 epochLength; // seconds, from the tender's terms; zero until the publisher has committed
        uint64 graceSec;
    }

    event StreakCommitted(address indexed taskContract, uint256 indexed tokenId, uint64 epochLength, uint64 graceSec);
    event SeatTaken(address indexed taskContract, uint256 indexed tokenId, address indexed provider, uint256 epoch);
    event SeatForfeited(
        address indexed taskContract, uint256 indexed tokenId, address indexed provider, uint256 missedEpoch
    );

    error NoCadence(address taskContract, uint256 tokenId);
    error NothingMissed(address taskContract, uint256 tokenId);

    mapping(address taskContract => mapping(uint256 tokenId => Streak)) public streakOf;
    mapping(address taskContract => mapping(uint256 tokenId => mapping(address provider => bool))) public hasForfeited;

    constructor() EIP712("Oikos Streak", "1") {}

    /// @notice Name the attestors and the grace, once, as the update authority of a tender that has epochs.
    /// @param attestors ascending addresses, at most 32
    /// @param threshold how many of them have to sign, from 1 to all
    /// @param graceSec seconds after an epoch in which its deliveries still settle. Where one completion an epoch is
    ///        allowed and attestors may be late, give them an epoch at least.
    function commitStreak(
        address taskContract,
        uint256 tokenId,
        address[] calldata attestors,
        uint256 threshold,
        uint64 graceSec
    ) external onlyPublisher(taskContract, tokenId) {
        uint64 epochLength = ITaskTender(taskContract).tenderTermsOf(tokenId).epochLength;
        if (epochLength == 0) revert NoCadence(taskContract, tokenId);
        _commitAttestors(taskContract, tokenId, attestors, threshold);
        Streak storage s = streakOf[taskContract][tokenId];
        s.epochLength = epochLength;
        s.graceSec = graceSec;
        emit StreakCommitted(taskContract, tokenId, epochLength, graceSec);
    }

    /// @notice Free the seat of a provider that has missed an epoch. Anyone may, and nobody has to: the next provider's
    ///         settlement does the same.
    function declareMiss(address taskContract, uint256 tokenId) external {
        Streak storage s = streakOf[taskContract][tokenId];
        if (!_isMissed(s)) revert NothingMissed(taskContract, tokenId);
        _forfeit(s, taskContract, tokenId);
    }

    /// @notice Who alone can settle now; zero while the seat is free.
    function providerOf(address taskContract, uint256 tokenId) external view returns (address) {
        Streak storage s = streakOf[taskContract][tokenId];
        return _isMissed(s) ? address(0) : s.provider;
    }

    function profile() external pure override returns (string memory) {
        return "x-streak-eip712-v1";
    }

    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal override returns (bool) {
        if (!_isAttested(taskContract, tokenId, submissionId, fulfiller, resultHash, proof)) {
            return false;
        }
        Streak storage s = streakOf[taskContract][tokenId];
        uint256 epoch = ITaskTender(taskContract).submissionOf(tokenId, submissionId).submittedAt / s.epochLength;
        if (block.timestamp >= _lapsesAt(s, epoch)) return false;

        if (_isMissed(s)) _forfeit(s, taskContract, tokenId);
        if (s.provider == address(0)) {
            if (hasForfeited[taskContract][tokenId][fulfiller]) return false;
            s.provider = fulfiller;
            emit SeatTaken(taskContract, tokenId, fulfiller, epoch);
        } else {
            if (s.provider != fulfiller) return false;
            uint256 last = s.lastEpoch;
            if (epoch != last && epoch != last + 1) return false;
        }
        s.lastEpoch = uint64(epoch); // a quotient of a uint64
        return true;
    }

    /// @dev First second in which a delivery made in `epoch` settles no more. 64 + 64 bits cannot overflow 256.
    function _lapsesAt(Streak storage s, uint256 epoch) private view returns (uint256) {
        return (epoch + 1) * s.epochLength + s.graceSec;
    }

    function _isMissed(Streak storage s) private view returns (bool) {
        return s.provider != address(0) && block.timestamp >= _lapsesAt(s, uint256(s.lastEpoch) + 1);
    }

    function _forfeit(Streak storage s, address taskContract, uint256 tokenId) private {
        address provider = s.provider;
        s.provider = address(0);
        hasForfeited[taskContract][tokenId][provider] = true;
        emit SeatForfeited(taskContract, tokenId, provider, uint256(s.lastEpoch) + 1);
    }
}
