// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC2981} from "@openzeppelin/contracts/interfaces/IERC2981.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {ERC165, IERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {ITaskToken} from "../task/ITaskToken.sol";

/// @title Royalties on secondary sales of funded tenders, beside the task contract (ERC-2981)
/// @notice A tender's update authority names a receiver and a rate once. Afterwards the rate only ever falls, so that
///         who buys a tender knows the most that a later sale can cost. The receiver alone may name another receiver.
///         No money passes through here: marketplaces that honour royalties ask, and pay by themselves.
/// @dev A marketplace asks the token's contract unless a registry or its own settings send it here: the kernel says
///      nothing about royalties, on purpose. Rounding: a royalty is rounded down.
///      Assumption about others: TASK answers `updateAuthorityOf` truthfully.
contract TenderRoyalty is IERC2981, ERC165 {
    struct Royalty {
        address receiver;
        uint16 bps;
    }

    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_ROYALTY_BPS = 1_000;

    ITaskToken public immutable TASK;

    event RoyaltySet(uint256 indexed tokenId, address indexed receiver, uint256 bps);

    error NotPublisher(address caller, address updateAuthority);
    error NotReceiver(address caller, address receiver);
    error ZeroReceiver();
    error RoyaltyTooHigh(uint256 bps, uint256 max);
    error RoyaltyAlreadySet(uint256 tokenId);
    error RoyaltyNotSet(uint256 tokenId);

    mapping(uint256 tokenId => Royalty) public royaltyOf;

    constructor(ITaskToken task) {
        TASK = task;
    }

    modifier onlyPublisher(uint256 tokenId) {
        address authority = TASK.updateAuthorityOf(tokenId);
        if (msg.sender != authority) revert NotPublisher(msg.sender, authority);
        _;
    }

    /// @notice Name receiver and rate, once, as the tender's update authority.
    /// @param bps basis points of a sale's price, at most 1,000
    function setRoyalty(uint256 tokenId, address receiver, uint16 bps) external onlyPublisher(tokenId) {
        if (receiver == address(0)) revert ZeroReceiver();
        if (bps > MAX_ROYALTY_BPS) revert RoyaltyTooHigh(bps, MAX_ROYALTY_BPS);
        if (royaltyOf[tokenId].receiver != address(0)) revert RoyaltyAlreadySet(tokenId);
        _set(tokenId, receiver, bps);
    }

    /// @notice Lower the rate, as the tender's update authority.
    function lowerRoyalty(uint256 tokenId, uint16 bps) external onlyPublisher(tokenId) {
        Royalty memory r = royaltyOf[tokenId];
        if (r.receiver == address(0)) revert RoyaltyNotSet(tokenId);
        if (bps > r.bps) revert RoyaltyTooHigh(bps, r.bps);
        _set(tokenId, r.receiver, bps);
    }

    /// @notice Name another receiver, as the receiver.
    function passRoyalty(uint256 tokenId, address receiver) external {
        Royalty memory r = royaltyOf[tokenId];
        if (msg.sender != r.receiver) revert NotReceiver(msg.sender, r.receiver);
        if (receiver == address(0)) revert ZeroReceiver();
        _set(tokenId, receiver, r.bps);
    }

    function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 amount) {
        Royalty memory r = royaltyOf[tokenId];
        return (r.receiver, Math.mulDiv(salePrice, r.bps, BPS));
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC165, IERC165) returns (bool) {
        return interfaceId == type(IERC2981).interfaceId || super.supportsInterface(interfaceId);
    }

    function _set(uint256 tokenId, address receiver, uint16 bps) private {
        royaltyOf[tokenId] = Royalty(receiver, bps);
        emit RoyaltySet(tokenId, receiver, bps);
    }
}
