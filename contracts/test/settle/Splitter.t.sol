// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ISplitter, IPullPayments} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title Splitter: a team as one fulfiller of record
contract SplitterTest is TaskTest {
    ISplitter private splitter;
    address[] private team;
    uint256[] private bps;
    MockERC20 private token;

    function setUp() public override {
        super.setUp();
        token = new MockERC20();
        team = [makeAddr("first"), makeAddr("second"), makeAddr("third")];
        bps = [5_000, 3_000, 2_000];
        splitter = _deploy();
    }

    function _deploy() private returns (ISplitter) {
        return ISplitter(deployCode("Splitter.sol:Splitter", abi.encode(team, bps)));
    }

    function _deployRefused(bytes memory reason) private {
        vm.expectRevert(reason);
        _deploy();
    }

    function _receive(address asset, uint256 amount) private {
        if (asset == address(0)) vm.deal(address(splitter), address(splitter).balance + amount);
        else MockERC20(asset).mint(address(splitter), amount);
    }

    // --- deployment ---

    function test_Deploy_RevertsWhen_ListsDiffer() external {
        bps.pop();
        _deployRefused(abi.encodeWithSelector(ISplitter.LengthsDiffer.selector, 3, 2));
    }

    function test_Deploy_RevertsWhen_TheTeamIsEmptyOrTooLarge() external {
        delete team;
        delete bps;
        _deployRefused(abi.encodeWithSelector(ISplitter.MemberCountOutOfRange.selector, 0, 32));
        for (uint256 i = 1; i <= 33; i++) {
            team.push(address(uint160(i)));
            bps.push(1);
        }
        _deployRefused(abi.encodeWithSelector(ISplitter.MemberCountOutOfRange.selector, 33, 32));
    }

    function test_Deploy_RevertsWhen_AMemberIsZeroOrTheSplitterItself() external {
        team[1] = address(0);
        _deployRefused(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, address(0)));
        team[1] = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        _deployRefused(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, team[1]));
    }

    function test_Deploy_RevertsWhen_AMemberOccursTwice() external {
        team[2] = team[0];
        _deployRefused(abi.encodeWithSelector(ISplitter.DuplicateMember.selector, team[0]));
    }

    function test_Deploy_RevertsWhen_AShareIsZero() external {
        bps = [10_000, 0, 0];
        _deployRefused(abi.encodeWithSelector(ISplitter.ZeroShare.selector, team[1]));
    }

    function test_Deploy_RevertsWhen_SharesDoNotAddUp() external {
        bps = [5_000, 3_000, 1_999];
        _deployRefused(abi.encodeWithSelector(ISplitter.SharesDoNotAddUp.selector, 9_999, 10_000));
        bps = [5_000, 3_000, 2_001];
        _deployRefused(abi.encodeWithSelector(ISplitter.SharesDoNotAddUp.selector, 10_001, 10_000));
        // a share so large that the sum comes round to 10,000
        bps = [type(uint256).max, 10_000, 1];
        _deployRefused(abi.encodeWithSelector(ISplitter.SharesDoNotAddUp.selector, type(uint256).max, 10_000));
        // one that comes round in 16 bits
        bps = [65_536 + 5_000, 3_000, 2_000];
        _deployRefused(abi.encodeWithSelector(ISplitter.SharesDoNotAddUp.selector, 70_536, 10_000));
    }

    function test_Deploy_RecordsTheTeam() external {
        ISplitter.Member[] memory members = splitter.members();
        assertEq(members.length, 3);
        for (uint256 i = 0; i < 3; i++) {
            assertEq(members[i].account, team[i]);
            assertEq(members[i].bps, bps[i]);
            assertEq(splitter.bpsOf(team[i]), bps[i]);
        }
        team = [team[0]];
        bps = [10_000];
        splitter = _deploy();
        _receive(address(0), 7);
        assertEq(splitter.withdraw(team[0]), 7);
    }

    function test_Deploy_TakesATeamOfThirtyTwo() external {
        delete team;
        delete bps;
        for (uint256 i = 0; i < 32; i++) {
            team.push(address(uint160(0x1000 + i)));
            bps.push(i == 0 ? 10_000 - 31 * 300 : 300);
        }
        splitter = _deploy();
        _receive(address(token), 10_000);
        for (uint256 i = 0; i < 32; i++) {
            assertEq(splitter.withdraw(address(token), team[i]), bps[i]);
        }
    }

    // --- submitOnBehalf ---

    function test_SubmitOnBehalf_RevertsWhen_CallerIsNoMember() external {
        uint256 id = _funded(1);
        vm.expectRevert(abi.encodeWithSelector(ISplitter.NotMember.selector, stranger));
        vm.prank(stranger);
        splitter.submitOnBehalf(address(task), id, RESULT, "ipfs://result");
    }

    function test_SubmitOnBehalf_MakesTheTeamTheFulfillerOfRecord() external {
        uint256 id = _funded(1);
        vm.expectEmit(address(splitter));
        emit ISplitter.Delivered(address(task), id, 1, team[1]);
        vm.prank(team[1]);
        (bool success, bytes memory reply) = address(splitter)
            .call(
                abi.encodeWithSignature(
                    "submitOnBehalf(address,uint256,bytes32,string)", address(task), id, RESULT, "ipfs://result"
                )
            );
        assertTrue(success);
        assertEq(abi.decode(reply, (uint256)), 1);
        assertEq(task.submissionOf(id, 1).fulfiller, address(splitter));
        assertEq(task.submissionOf(id, 1).resultHash, RESULT);
    }

    // --- money ---

    /// The whole way: delivered by one member, accepted, paid to the team, divided to the last unit.
    function test_Reward_IsDividedInTheNativeCurrency() external {
        uint256 id = _funded(1);
        vm.prank(team[2]);
        splitter.submitOnBehalf(address(task), id, RESULT, "ipfs://result");
        _accept(id, 1);
        assertEq(task.creditOf(id, address(splitter)), 0, "pushed, not credited");
        assertEq(splitter.releasable(team[0]), REWARD / 2);
        vm.expectEmit(address(splitter));
        emit ISplitter.Divided(address(0), REWARD);
        vm.expectEmit(address(splitter));
        emit IPullPayments.Withdrawn(address(0), team[0], team[0], REWARD / 2);
        vm.prank(stranger);
        splitter.withdraw(team[0]);
        splitter.withdraw(address(0), team[1]);
        splitter.withdraw(team[2]);
        assertEq(team[0].balance, REWARD / 2);
        assertEq(team[1].balance, REWARD * 3 / 10);
        assertEq(team[2].balance, REWARD / 5);
        assertEq(address(splitter).balance, 0);
    }

    /// A reward in a token must never be one that cannot be released.
    function test_Reward_MUST_BeReleasableInAToken() external {
        uint256 id = _mintIn(address(token));
        _fund(id, funder, REWARD);
        vm.prank(team[0]);
        splitter.submitOnBehalf(address(task), id, RESULT, "ipfs://result");
        _accept(id, 1);
        assertEq(token.balanceOf(address(splitter)), REWARD);
        for (uint256 i = 0; i < 3; i++) {
            assertEq(splitter.releasableOf(address(token), team[i]), REWARD * bps[i] / 10_000);
            splitter.withdraw(address(token), team[i]);
            assertEq(token.balanceOf(team[i]), REWARD * bps[i] / 10_000);
        }
        assertEq(token.balanceOf(address(splitter)), 0);
    }

    function test_Withdraw_RevertsWhen_NothingIsOwed() external {
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), team[0]));
        splitter.withdraw(team[0]);
        _receive(address(0), 100);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), stranger));
        splitter.withdraw(stranger);
        splitter.withdraw(team[0]);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), team[0]));
        splitter.withdraw(team[0]);
        assertEq(splitter.releasable(stranger), 0);
    }

    function test_Withdraw_SharesLateArrivalsToo() external {
        _receive(address(0), 100);
        splitter.withdraw(team[0]);
        _receive(address(0), 100);
        assertEq(splitter.releasable(team[0]), 50);
        assertEq(splitter.releasable(team[1]), 60);
        splitter.withdraw(team[1]);
        splitter.withdraw(team[0]);
        assertEq(team[0].balance, 100);
        assertEq(team[1].balance, 60);
        assertEq(splitter.releasable(team[2]), 40);
    }

    function test_WithdrawTo_SendsAMembersShareElsewhere() external {
        _receive(address(0), 100);
        vm.prank(team[0]);
        splitter.withdrawTo(address(0), stranger);
        assertEq(stranger.balance, 50);
        assertEq(team[0].balance, 0);
    }

    function test_WithdrawTo_RevertsTo_NobodyOrTheSplitter() external {
        _receive(address(0), 100);
        address[2] memory recipients = [address(0), address(splitter)];
        for (uint256 i = 0; i < 2; i++) {
            vm.expectRevert(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, recipients[i]));
            vm.prank(team[0]);
            splitter.withdrawTo(address(0), recipients[i]);
        }
    }

    function test_Distribute_WritesSharesDownWithoutPaying() external {
        _receive(address(token), 100);
        splitter.distribute(address(token));
        assertEq(splitter.owedOf(address(token), team[0]), 50);
        assertEq(splitter.owedOf(address(token), team[1]), 30);
        assertEq(splitter.owedOf(address(token), team[2]), 20);
        assertEq(token.balanceOf(address(splitter)), 100);
        vm.expectRevert(abi.encodeWithSelector(ISplitter.NothingToDivide.selector, address(token)));
        splitter.distribute(address(token));
    }

    // --- rounding ---

    /// Shares are rounded down, and what that leaves is the first member's.
    function test_Rounding_MUST_GiveTheRemainderToTheFirstMember() external {
        _receive(address(0), 9); // 4.5, 2.7, 1.8
        assertEq(splitter.releasable(team[0]), 6);
        assertEq(splitter.releasable(team[1]), 2);
        assertEq(splitter.releasable(team[2]), 1);
        for (uint256 i = 0; i < 3; i++) {
            splitter.withdraw(team[i]);
        }
        assertEq(team[0].balance, 6);
        assertEq(team[1].balance, 2);
        assertEq(team[2].balance, 1);
        assertEq(address(splitter).balance, 0);
    }

    function test_Rounding_DividesASingleUnit() external {
        _receive(address(0), 1);
        assertEq(splitter.withdraw(team[0]), 1);
        vm.expectRevert(abi.encodeWithSelector(IPullPayments.NothingOwed.selector, address(0), team[1]));
        splitter.withdraw(team[1]);
    }

    function test_Rounding_DoesNotOverflowWith_TheLargestAmount() external {
        _receive(address(token), type(uint256).max);
        for (uint256 i = 0; i < 3; i++) {
            splitter.withdraw(address(token), team[i]);
        }
        assertEq(token.balanceOf(address(splitter)), 0);
        assertEq(
            token.balanceOf(team[1]),
            (type(uint256).max / 10_000) * 3_000 + (type(uint256).max % 10_000) * 3_000 / 10_000
        );
    }

    /// Any team, any arrivals in any order of withdrawals: all that came in goes out, nobody gets less than a share
    /// rounded down for each division, nor a unit more than the others' rounding leaves.
    function testFuzz_Splitter_PaysOutAllThatCameIn(uint256 seed, uint96[6] memory arrivals) external {
        uint256 count = 1 + seed % 8;
        delete team;
        delete bps;
        uint256 left = 10_000;
        for (uint256 i = 0; i < count; i++) {
            team.push(makeAddr(string.concat("member ", vm.toString(i))));
            uint256 share = i + 1 == count ? left : 1 + uint256(keccak256(abi.encode(seed, i))) % (left - (count - i));
            bps.push(share);
            left -= share;
        }
        splitter = _deploy();
        uint256 total;
        for (uint256 i = 0; i < arrivals.length; i++) {
            _receive(address(token), arrivals[i]);
            total += arrivals[i];
            uint256 pick = uint256(keccak256(abi.encode(seed, "pick", i))) % count;
            uint256 expected = splitter.releasableOf(address(token), team[pick]);
            if (expected == 0) continue;
            uint256 before = token.balanceOf(team[pick]);
            assertEq(splitter.withdraw(address(token), team[pick]), expected, "as announced");
            assertEq(token.balanceOf(team[pick]), before + expected);
        }
        uint256 paid;
        for (uint256 i = 0; i < count; i++) {
            if (splitter.releasableOf(address(token), team[i]) != 0) splitter.withdraw(address(token), team[i]);
            uint256 got = token.balanceOf(team[i]);
            paid += got;
            uint256 ideal = total * bps[i] / 10_000;
            if (i != 0) assertLe(got, ideal, "never more than the share");
            assertGe(got + arrivals.length, ideal, "less by one unit an arrival at most");
        }
        assertEq(paid, total);
        assertEq(token.balanceOf(address(splitter)), 0);
    }
}
