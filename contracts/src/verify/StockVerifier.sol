// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {ITaskToken} from "../task/ITaskToken.sol";
import {ITaskVerifier} from "../task/ITaskVerifier.sol";

/// @title What the stock verifiers share
/// @notice One deployment serves every tender of every task contract. The publisher of a tender commits once to what
///         will be checked, and can later hand the judgment slot to somebody else, but never under a delivery.
abstract contract StockVerifier is ITaskVerifier, ERC165 {
    error NotPublisher(address caller, address updateAuthority);
    error AlreadyCommitted(address taskContract, uint256 tokenId);
    error EmptyCommitment();
    error NotTaskContract(address caller, address taskContract);
    error DeliveriesPending(address taskContract, uint256 tokenId, uint64 pending);

    mapping(address taskContract => mapping(uint256 tokenId => mapping(bytes32 resultHash => bool))) public isConsumed;

    modifier onlyPublisher(address taskContract, uint256 tokenId) {
        address authority = ITaskToken(taskContract).updateAuthorityOf(tokenId);
        if (msg.sender != authority) revert NotPublisher(msg.sender, authority);
        _;
    }

    /// @notice Pass the judgment slot on. Only while no delivery is pending: work that was delivered to a machine is
    ///         not to be judged by a person whom its fulfiller did not choose.
    function handOver(address taskContract, uint256 tokenId, address newAuthority)
        external
        onlyPublisher(taskContract, tokenId)
    {
        uint64 pending = ITaskTender(taskContract).pendingOf(tokenId);
        if (pending != 0) revert DeliveriesPending(taskContract, tokenId, pending);
        ITaskTender(taskContract).setAcceptanceAuthority(tokenId, newAuthority);
    }

    /// @inheritdoc ITaskVerifier
    /// @dev A delivery that was accepted is recorded, so that the same one cannot be settled again. Only the task
    ///      contract itself may ask, since asking consumes.
    function verifyFulfillment(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) external returns (bool) {
        if (msg.sender != taskContract) revert NotTaskContract(msg.sender, taskContract);
        if (isConsumed[taskContract][tokenId][resultHash]) return false;
        if (!_isFulfilled(taskContract, tokenId, submissionId, fulfiller, resultHash, proof)) return false;
        isConsumed[taskContract][tokenId][resultHash] = true;
        return true;
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(ITaskVerifier).interfaceId || super.supportsInterface(interfaceId);
    }

    /// @notice The acceptance profile that this contract implements, as a package names it.
    function profile() external pure virtual returns (string memory);

    /// @dev May keep what it learns: everything that it writes is undone unless the task contract accepts.
    function _isFulfilled(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash,
        bytes calldata proof
    ) internal virtual returns (bool);
}
