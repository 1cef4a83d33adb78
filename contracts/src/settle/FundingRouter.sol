// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SlotDerivation} from "@openzeppelin/contracts/utils/SlotDerivation.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {PullPayments} from "./PullPayments.sol";

/// @title A fee where tenders are funded
/// @notice Whoever funds a tender through this router pays the amount here; a fee goes to the treasury and the rest to
///         the tender. The router is the tender's funder of record, so what the tender gives back comes to the router,
///         which passes it on in proportion to what each funder put in, net of the fee. The fee is not given back. Rate
///         and treasury are fixed at deployment. Rounding: the fee is rounded down; a refund is rounded down and
///         whoever is refunded last gets what is left, so nothing stays behind.
/// @dev Assumptions about others: those of PullPayments about assets. A task contract gets exactly the net amount, by
///      an allowance that is used up in the same call; it refunds a funder once and takes no funding afterwards, as the
///      standard says. One that lies harms whoever funds it: the books are kept by task contract and tender, and only
///      money that arrived while it was asked for a refund is shared.
contract FundingRouter is PullPayments {
    using SafeERC20 for IERC20;
    using SlotDerivation for bytes32;
    using TransientSlot for *;

    struct Pot {
        uint256 contributed; // all that went to the tender
        uint256 outstanding; // contributions that were not refunded yet
        uint256 pool; // what the tender gave back
        uint256 left; // of the pool
        bool collected; // the tender gave back
    }

    uint256 private constant BPS = 10_000;
    uint256 private constant MAX_FEE_BPS = 1_000;
    bytes32 private constant EXPECTING = keccak256("oikos.router.expecting");

    address public immutable TREASURY;
    uint256 public immutable FEE_BPS;

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

    mapping(address taskContract => mapping(uint256 tokenId => Pot)) public potOf;
    mapping(address taskContract => mapping(uint256 tokenId => mapping(address funder => uint256))) public
        contributionOf;

    /// @param feeBps basis points of every amount that is paid in, at most 1,000
    constructor(address treasury, uint256 feeBps) {
        if (treasury == address(0) || treasury == address(this)) revert BadRecipient(treasury);
        if (feeBps > MAX_FEE_BPS) revert FeeTooHigh(feeBps, MAX_FEE_BPS);
        TREASURY = treasury;
        FEE_BPS = feeBps;
    }

    /// @notice Native currency comes in by `fund`, or from a tender that is asked for a refund. Nothing else is taken,
    ///         because nobody could get it back.
    receive() external payable {
        if (!EXPECTING.asBoolean().tload()) revert UnexpectedPayment(msg.sender);
    }

    /// @notice Fund a tender with `amount` less the fee. For an ERC-20 tender the caller has approved `amount` to this
    ///         router; for a native one it is the value of the call.
    /// @return net what the tender received
    function fund(address taskContract, uint256 tokenId, uint256 amount)
        external
        payable
        nonReentrant
        returns (uint256 net)
    {
        Pot storage pot = potOf[taskContract][tokenId];
        if (pot.collected) revert RefundsStarted(taskContract, tokenId);
        address asset = ITaskTender(taskContract).tenderTermsOf(tokenId).asset;
        _collect(asset, amount);
        uint256 fee = feeOf(amount);
        net = amount - fee;
        pot.contributed += net;
        pot.outstanding += net;
        contributionOf[taskContract][tokenId][msg.sender] += net;
        _owe(asset, TREASURY, fee);
        emit Funded(taskContract, tokenId, msg.sender, net, fee);
        _forward(taskContract, tokenId, asset, net);
    }

    /// @notice Pay `funder` its share of what the tender gives back, once the tender is over. Anyone may call this.
    ///         Where the funder cannot be paid, the share is owed to it, and it can have it sent elsewhere by
    ///         `withdrawTo`.
    /// @return amount the funder's share
    function refund(address taskContract, uint256 tokenId, address funder)
        external
        nonReentrant
        returns (uint256 amount)
    {
        uint256 contribution = contributionOf[taskContract][tokenId][funder];
        if (contribution == 0) revert NothingToRefund(taskContract, tokenId, funder);
        address asset = ITaskTender(taskContract).tenderTermsOf(tokenId).asset;
        Pot storage pot = potOf[taskContract][tokenId];
        if (!pot.collected) _collectRefund(pot, taskContract, tokenId, asset);

        uint256 outstanding = pot.outstanding;
        uint256 left = pot.left;
        amount = contribution == outstanding ? left : Math.mulDiv(pot.pool, contribution, pot.contributed);
        contributionOf[taskContract][tokenId][funder] = 0;
        pot.outstanding = outstanding - contribution;
        pot.left = left - amount;
        _owe(asset, funder, amount);
        emit Refunded(taskContract, tokenId, funder, amount);
        _tryWithdraw(asset, funder);
    }

    /// @notice The fee on `amount`, rounded down.
    function feeOf(uint256 amount) public view returns (uint256) {
        return Math.mulDiv(amount, FEE_BPS, BPS);
    }

    function _forward(address taskContract, uint256 tokenId, address asset, uint256 net) private {
        if (asset == address(0)) {
            ITaskTender(taskContract).fundTask{value: net}(tokenId, net);
            return;
        }
        uint256 before = BoundedCall.balanceOf(asset, address(this));
        IERC20(asset).forceApprove(taskContract, net);
        ITaskTender(taskContract).fundTask(tokenId, net);
        uint256 taken = before - BoundedCall.balanceOf(asset, address(this));
        uint256 allowed = IERC20(asset).allowance(address(this), taskContract);
        if (taken != net || allowed != 0) revert ForwardMismatch(taskContract, taken, net);
    }

    function _collectRefund(Pot storage pot, address taskContract, uint256 tokenId, address asset) private {
        uint256 before = BoundedCall.balanceOf(asset, address(this));
        EXPECTING.asBoolean().tstore(asset == address(0));
        ITaskTender(taskContract).reclaimEscrow(tokenId);
        EXPECTING.asBoolean().tstore(false);
        uint256 pool = BoundedCall.balanceOf(asset, address(this)) - before;
        pot.collected = true;
        pot.pool = pool;
        pot.left = pool;
        emit RefundCollected(taskContract, tokenId, pool);
    }
}
