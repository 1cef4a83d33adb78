// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ISplitter, IPullPayments} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {
    BlacklistERC20,
    BoastfulERC20,
    FalseReturnERC20,
    LyingERC20,
    NoReturnERC20,
    RebasingERC20,
    ReentrantERC20,
    SenderFeeERC20
} from "../mocks/OddERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";
import {ITaskErrors} from "../../src/task/ITaskErrors.sol";

/// @notice A member that calls a splitter back when it is paid, and can refuse.
contract CallingMember {
    address public target;
    bytes public data;
    bool public refuses;
    bool public succeeded;
    bytes public reply;

    error Refused();

    function set(address target_, bytes calldata data_, bool refuses_) external {
        (target, data, refuses) = (target_, data_, refuses_);
    }

    receive() external payable {
        if (refuses) revert Refused();
        if (target != address(0)) (succeeded, reply) = target.call(data);
    }
}

/// @title PullPayments: hostile tokens and hostile recipients, seen at a Splitter, which takes any asset
contract PullPaymentsTest is TaskTest {
    ISplitter private splitter;
    address[] private team;
    CallingMember private caller;
    address private mate = makeAddr("mate");

    function setUp() public override {
        super.setUp();
        caller = new CallingMember();
        team = [address(caller), mate];
        uint256[] memory bps = new uint256[](2);
        (bps[0], bps[1]) = (6_000, 4_000);
        splitter = ISplitter(deployCode("Splitter.sol:Splitter", abi.encode(team, bps)));
    }

    // --- recipients ---

    /// One member who refuses stands in nobody else's way.
    function test_Withdraw_MUST_NotDependOnAnotherMember() external {
        vm.deal(address(splitter), 100);
        caller.set(address(0), "", true);
        vm.expectRevert(
            abi.encodeWithSelector(IPullPayments.PaymentFailed.selector, address(0), address(caller), 0, 60)
        );
        splitter.withdraw(address(caller));
        splitter.withdraw(mate);
        assertEq(mate.balance, 40);
        assertEq(splitter.releasable(address(caller)), 60, "still owed");
        vm.prank(address(caller));
        splitter.withdrawTo(address(0), stranger);
        assertEq(stranger.balance, 60);
    }

    function test_Withdraw_MUST_NotBeReentered() external {
        vm.deal(address(splitter), 100);
        bytes[5] memory attempts = [
            abi.encodeWithSignature("withdraw(address)", address(caller)),
            abi.encodeWithSignature("withdraw(address,address)", address(0), address(caller)),
            abi.encodeCall(IPullPayments.withdrawTo, (address(0), stranger)),
            abi.encodeCall(ISplitter.distribute, (address(0))),
            abi.encodeWithSignature("withdraw(address,address)", address(0), mate)
        ];
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < attempts.length; i++) {
            caller.set(address(splitter), attempts[i], false);
            splitter.withdraw(address(caller));
            assertFalse(caller.succeeded());
            assertEq(bytes4(caller.reply()), IPullPayments.ReentrancyGuardReentrantCall.selector);
            assertEq(address(caller).balance, 60);
            assertEq(splitter.releasable(mate), 40);
            vm.revertToState(snapshot);
        }
    }

    /// Whoever looks while money moves sees the books of afterwards.
    function test_Withdraw_MUST_WriteTheBooksBeforeMoneyMoves() external {
        vm.deal(address(splitter), 100);
        caller.set(address(splitter), abi.encodeCall(splitter.owedOf, (address(0), address(caller))), false);
        splitter.withdraw(address(caller));
        assertEq(abi.decode(caller.reply(), (uint256)), 0);
    }

    // --- tokens ---

    function _withdrawAll(address token) private {
        splitter.withdraw(token, address(caller));
        splitter.withdraw(token, mate);
    }

    /// What a reply says decides nothing; what has moved does.
    function test_Withdraw_PaysTokensWhateverTheirReply() external {
        NoReturnERC20 silent = new NoReturnERC20();
        silent.mint(address(splitter), 100);
        _withdrawAll(address(silent));
        assertEq(silent.balanceOf(mate), 40);
        uint256[4] memory sizes = [uint256(0), 31, 32, 1_000_000];
        for (uint256 i = 0; i < sizes.length; i++) {
            LyingERC20 liar = new LyingERC20();
            liar.setReplyBytes(sizes[i]);
            liar.mint(address(splitter), 100);
            _withdrawAll(address(liar));
            assertEq(liar.balanceOf(mate), 40);
            assertEq(liar.balanceOf(address(splitter)), 0);
        }
    }

    function test_Withdraw_RevertsWhen_ATokenMovesNothing() external {
        FalseReturnERC20 token = new FalseReturnERC20();
        token.mint(address(splitter), 100);
        token.setClosed(true);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.PaymentFailed.selector, address(token), mate, 0, 40));
        splitter.withdraw(address(token), mate);
        token.setClosed(false);
        _withdrawAll(address(token));
        assertEq(token.balanceOf(mate), 40);
    }

    /// What a token did not move is still owed.
    function test_Withdraw_KeepsOwedWhatATokenDidNotMove() external {
        BoastfulERC20 token = new BoastfulERC20();
        token.mint(address(splitter), 100);
        token.setMovedPercent(50);
        assertEq(splitter.withdraw(address(token), mate), 20);
        assertEq(splitter.owedOf(address(token), mate), 20);
        token.setMovedPercent(100);
        assertEq(splitter.withdraw(address(token), mate), 20);
        splitter.withdraw(address(token), address(caller));
        assertEq(token.balanceOf(address(splitter)), 0);
    }

    /// A token that takes more than is paid out takes it from the others: undone.
    function test_Withdraw_MUST_NotLetATokenTakeMoreThanIsPaid() external {
        SenderFeeERC20 token = new SenderFeeERC20();
        token.mint(address(splitter), 1_000);
        token.setFeePercent(10);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.PaymentFailed.selector, address(token), mate, 440, 400));
        splitter.withdraw(address(token), mate);
        assertEq(token.balanceOf(address(splitter)), 1_000);
        token.setFeePercent(0);
        _withdrawAll(address(token));
        assertEq(token.balanceOf(mate), 400);
    }

    function test_Withdraw_SurvivesATokenThatRefusesOneMember() external {
        BlacklistERC20 token = new BlacklistERC20();
        token.mint(address(splitter), 100);
        token.setListed(mate, true);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.PaymentFailed.selector, address(token), mate, 0, 40));
        splitter.withdraw(address(token), mate);
        splitter.withdraw(address(token), address(caller));
        vm.prank(mate);
        splitter.withdrawTo(address(token), stranger);
        assertEq(token.balanceOf(stranger), 40);
    }

    function test_Withdraw_MUST_NotBeReenteredByAToken() external {
        ReentrantERC20 token = new ReentrantERC20();
        token.mint(address(splitter), 100);
        token.setCall(address(splitter), abi.encodeWithSignature("withdraw(address,address)", address(token), mate));
        splitter.withdraw(address(token), address(caller));
        assertFalse(token.succeeded());
        assertEq(bytes4(token.reply()), IPullPayments.ReentrancyGuardReentrantCall.selector);
        assertEq(token.balanceOf(address(caller)), 60);
        assertEq(splitter.releasableOf(address(token), mate), 40);
    }

    /// A token that shrinks takes from those who fetch last, until more of it comes in.
    function test_Withdraw_PaysWhatAShrunkenTokenHas() external {
        RebasingERC20 token = new RebasingERC20();
        token.mint(address(splitter), 1_000);
        splitter.distribute(address(token));
        token.rebase(50);
        assertEq(splitter.releasableOf(address(token), mate), 400);
        vm.expectRevert(abi.encodeWithSelector(ISplitter.NothingToDivide.selector, address(token)));
        splitter.distribute(address(token));
        assertEq(splitter.withdraw(address(token), mate), 400);
        assertEq(splitter.withdraw(address(token), address(caller)), 100);
        assertEq(splitter.owedOf(address(token), address(caller)), 500);
        vm.expectRevert(
            abi.encodeWithSelector(IPullPayments.PaymentFailed.selector, address(token), address(caller), 0, 500)
        );
        splitter.withdraw(address(token), address(caller));
        token.mint(address(splitter), 1_000); // worth 500
        assertEq(splitter.withdraw(address(token), address(caller)), 500);
        assertEq(token.balanceOf(address(splitter)), 0);
    }

    function test_Withdraw_RevertsWhen_ABalanceCannotBeRead() external {
        vm.expectRevert(abi.encodeWithSelector(ITaskErrors.UnreadableBalance.selector, stranger));
        splitter.withdraw(stranger, mate);
        LyingERC20 token = new LyingERC20();
        token.mint(address(splitter), 100);
        token.setBalanceReplyBytes(31);
        vm.expectRevert(abi.encodeWithSelector(ITaskErrors.UnreadableBalance.selector, address(token)));
        splitter.withdraw(address(token), mate);
    }

    /// Books are kept by asset: a hostile one touches no other.
    function test_Withdraw_MUST_KeepAssetsApart() external {
        MockERC20 hostile = new MockERC20();
        hostile.mint(address(splitter), type(uint256).max);
        splitter.distribute(address(hostile));
        hostile.shrink(address(splitter), type(uint256).max);
        vm.deal(address(splitter), 100);
        splitter.withdraw(mate);
        assertEq(mate.balance, 40);
        vm.expectRevert(
            abi.encodeWithSelector(
                IPullPayments.PaymentFailed.selector, address(hostile), mate, 0, splitter.owedOf(address(hostile), mate)
            )
        );
        splitter.withdraw(address(hostile), mate);
    }

    function testFuzz_Withdraw_NeverPaysMoreThanIsOwed(uint8 percent, uint96 amount) external {
        BoastfulERC20 token = new BoastfulERC20();
        token.mint(address(splitter), amount);
        token.setMovedPercent(bound(percent, 0, 200));
        uint256 owed = splitter.releasableOf(address(token), mate);
        (bool success,) = address(splitter).call(abi.encodeWithSignature("withdraw(address,address)", token, mate));
        if (!success) {
            assertEq(token.balanceOf(mate), 0);
        } else {
            assertLe(token.balanceOf(mate), owed);
            assertEq(token.balanceOf(mate) + splitter.owedOf(address(token), mate), owed);
        }
    }
}
