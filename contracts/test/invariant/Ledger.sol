// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";

/// @title What should be true of every tender: the ghost store of the invariant tests
/// @notice Keeps each vault's money in purses, moves it from one purse to another at each step, and knows nothing of
///         how the market computes the same sums. Money goes where it is missing first (credits, then funders), and is
///         spent and lost in the other order: gifts, then funders, then credits.
contract Ledger {
    struct Book {
        // purses: vault = gifts + (attributed - hole) + (credited - creditHole)
        uint256 gifts;
        uint256 attributed; // funders' money that no reward has spent
        uint256 hole; // how much of it a shrinking token took away
        uint256 credited; // owed to fulfillers
        uint256 creditHole; // how much of it a shrinking token took away
        // flows since mint
        uint256 cameIn; // fundings, gifts, growth
        uint256 paid;
        uint256 withdrawn;
        uint256 refunded;
        uint256 residual;
        uint256 shrunk;
        // refunds
        uint256 contributed;
        uint256 outstanding; // contributions whose funders have not come back
        uint256 pool;
        bool refunding;
        bool cancelled;
        bool reclaimedWhilePending;
        // deliveries
        uint64 pending;
        uint64 accepted;
        uint64 rejected;
    }

    mapping(uint256 tokenId => Book) private _books;
    mapping(uint256 tokenId => ITaskTender.Submission[]) private _submissions;
    mapping(uint256 tokenId => mapping(uint256 epoch => uint64)) public acceptedIn;
    mapping(uint256 tokenId => mapping(address => uint256)) public contributionOf;
    mapping(uint256 tokenId => mapping(address => uint256)) public creditOf;

    function bookOf(uint256 tokenId) external view returns (Book memory) {
        return _books[tokenId];
    }

    function submissionCountOf(uint256 tokenId) external view returns (uint256) {
        return _submissions[tokenId].length;
    }

    function submissionOf(uint256 tokenId, uint256 id) external view returns (ITaskTender.Submission memory) {
        return _submissions[tokenId][id - 1];
    }

    /// @notice What the vault holds.
    function balanceOf(uint256 tokenId) public view returns (uint256) {
        Book storage b = _books[tokenId];
        return b.gifts + (b.attributed - b.hole) + (b.credited - b.creditHole);
    }

    /// @notice What rewards and refunds can be taken from.
    function availableOf(uint256 tokenId) public view returns (uint256) {
        Book storage b = _books[tokenId];
        return b.gifts + b.attributed - b.hole;
    }

    /// @notice What `funder` gets back once refunds run, as far as the vault still holds it.
    function shareOf(uint256 tokenId, address funder) public view returns (uint256) {
        Book storage b = _books[tokenId];
        uint256 pool = b.refunding ? b.pool : b.attributed - b.hole;
        uint256 share = b.contributed == 0 ? 0 : contributionOf[tokenId][funder] * pool / b.contributed;
        uint256 available = availableOf(tokenId);
        return share < available ? share : available;
    }

    // --- money in ---

    function fund(uint256 tokenId, address funder, uint256 amount) external {
        Book storage b = _books[tokenId];
        contributionOf[tokenId][funder] += amount;
        b.contributed += amount;
        b.outstanding += amount;
        b.attributed += amount;
        b.hole += amount;
        _fill(b, amount);
    }

    function give(uint256 tokenId, uint256 amount) external {
        _fill(_books[tokenId], amount);
    }

    function _fill(Book storage b, uint256 amount) private {
        b.cameIn += amount;
        uint256 forCredits = amount < b.creditHole ? amount : b.creditHole;
        b.creditHole -= forCredits;
        amount -= forCredits;
        uint256 forFunders = amount < b.hole ? amount : b.hole;
        b.hole -= forFunders;
        b.gifts += amount - forFunders;
    }

    // --- money out ---

    function shrink(uint256 tokenId, uint256 amount) external {
        Book storage b = _books[tokenId];
        b.shrunk += amount;
        uint256 fromGifts = amount < b.gifts ? amount : b.gifts;
        b.gifts -= fromGifts;
        amount -= fromGifts;
        uint256 covered = b.attributed - b.hole;
        uint256 fromFunders = amount < covered ? amount : covered;
        b.hole += fromFunders;
        b.creditHole += amount - fromFunders;
    }

    /// @param amount what the delivery earned
    /// @param moved what its fulfiller received at once; the rest is owed
    function pay(uint256 tokenId, uint256 id, uint256 epoch, uint256 amount, uint256 moved) external {
        Book storage b = _books[tokenId];
        uint256 fromGifts = amount < b.gifts ? amount : b.gifts;
        b.gifts -= fromGifts;
        b.attributed -= amount - fromGifts;
        b.paid += moved;
        b.credited += amount - moved;
        creditOf[tokenId][_submissions[tokenId][id - 1].fulfiller] += amount - moved;
        acceptedIn[tokenId][epoch] += 1;
        b.accepted += 1;
        _decide(tokenId, id, ITaskTender.SubmissionStatus.Accepted);
    }

    function withdraw(uint256 tokenId, address account, uint256 amount) external {
        Book storage b = _books[tokenId];
        creditOf[tokenId][account] -= amount;
        b.credited -= amount;
        b.withdrawn += amount;
    }

    function refund(uint256 tokenId, address funder) external {
        Book storage b = _books[tokenId];
        if (b.pending != 0) b.reclaimedWhilePending = true;
        if (!b.refunding) {
            b.refunding = true;
            b.pool = b.attributed - b.hole;
            b.attributed = b.pool;
            b.hole = 0;
        }
        uint256 share = contributionOf[tokenId][funder] * b.pool / b.contributed;
        uint256 amount = shareOf(tokenId, funder);
        b.outstanding -= contributionOf[tokenId][funder];
        contributionOf[tokenId][funder] = 0;
        b.attributed -= share;
        b.hole -= share - amount;
        b.refunded += amount;
        if (b.outstanding == 0) {
            b.gifts += b.attributed - b.hole;
            b.attributed = 0;
            b.hole = 0;
        }
    }

    /// @param amount the gifts, and while funders share a pool at most one unit of dust for each of them
    function takeResidual(uint256 tokenId, uint256 amount) external {
        Book storage b = _books[tokenId];
        if (b.pending != 0) b.reclaimedWhilePending = true;
        b.residual += amount;
        b.attributed -= amount - b.gifts;
        b.gifts = 0;
    }

    // --- deliveries and the end ---

    function submit(uint256 tokenId, ITaskTender.Submission calldata submission) external {
        _submissions[tokenId].push(submission);
        _books[tokenId].pending += 1;
    }

    function reject(uint256 tokenId, uint256 id) external {
        _books[tokenId].rejected += 1;
        _decide(tokenId, id, ITaskTender.SubmissionStatus.Rejected);
    }

    function cancel(uint256 tokenId) external {
        _books[tokenId].cancelled = true;
    }

    function _decide(uint256 tokenId, uint256 id, ITaskTender.SubmissionStatus status) private {
        ITaskTender.Submission storage s = _submissions[tokenId][id - 1];
        require(s.status == ITaskTender.SubmissionStatus.Pending, "ledger: decided twice");
        s.status = status;
        _books[tokenId].pending -= 1;
    }
}
