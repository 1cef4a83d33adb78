// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {IBondedGate, IDeliveryDesk, IPullPayments} from "../mocks/companions/ICompanions.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {BlacklistERC20, FeeERC20, ReentrantERC20} from "../mocks/OddERC20.sol";
import {ToggleRecipient} from "../mocks/Recipients.sol";
import {WordVerifier} from "../mocks/Verifiers.sol";
import {BondedGateTest} from "./BondedGateTest.sol";

/// @title BondedGate: deliveries, bonds and rewards
contract BondedGateDeliveryTest is BondedGateTest {
    // --- deployment ---

    function _deployRefused(bytes memory reason, IBondedGate.Rule memory rule) private {
        vm.expectRevert(reason);
        _deployGate(rule);
    }

    function test_Deploy_RevertsWhen_TheBondIsZero() external {
        IBondedGate.Rule memory rule = _rule();
        rule.bond = 0;
        _deployRefused(abi.encodeWithSelector(IBondedGate.ZeroBond.selector), rule);
    }

    function test_Deploy_RevertsWhen_MoreThanTheBondWouldBeLost() external {
        IBondedGate.Rule memory rule = _rule();
        rule.rejectedBps = 10_001;
        _deployRefused(abi.encodeWithSelector(IBondedGate.LossOutOfRange.selector, 10_001, 10_000), rule);
        rule.rejectedBps = 10_000;
        rule.expiredBps = 10_001;
        _deployRefused(abi.encodeWithSelector(IBondedGate.LossOutOfRange.selector, 10_001, 10_000), rule);
        rule.expiredBps = 10_000;
        _deployGate(rule);
    }

    /// Whoever rules must not be paid for refusing.
    function test_Deploy_MUST_RefuseTheJudgeAsBeneficiary() external {
        IBondedGate.Rule memory rule = _rule();
        rule.beneficiary = judge;
        _deployRefused(abi.encodeWithSelector(IBondedGate.BadBeneficiary.selector, judge), rule);
        rule.beneficiary = vm.computeCreateAddress(address(this), vm.getNonce(address(this)));
        _deployRefused(abi.encodeWithSelector(IBondedGate.BadBeneficiary.selector, rule.beneficiary), rule);
    }

    function test_Deploy_NamesABeneficiaryIfAndOnlyIf_SomethingIsLost() external {
        IBondedGate.Rule memory rule = _rule();
        rule.beneficiary = address(0);
        _deployRefused(abi.encodeWithSelector(IBondedGate.BadBeneficiary.selector, address(0)), rule);
        rule.rejectedBps = 0;
        _deployRefused(abi.encodeWithSelector(IBondedGate.BadBeneficiary.selector, address(0)), rule);
        rule.expiredBps = 0;
        _deployGate(rule);
        rule.beneficiary = beneficiary;
        _deployRefused(abi.encodeWithSelector(IBondedGate.BadBeneficiary.selector, beneficiary), rule);
    }

    /// The rule is part of the deployment: nothing can change it.
    function test_Deploy_FixesTheRule() external view {
        assertEq(gate.TASK(), address(task));
        assertEq(gate.ASSET(), address(0));
        assertEq(gate.BOND(), BOND);
        assertEq(gate.REJECTED_BPS(), 5_000);
        assertEq(gate.EXPIRED_BPS(), 1_000);
        assertEq(gate.BENEFICIARY(), beneficiary);
        assertEq(gate.JUDGE(), judge);
    }

    // --- deliver ---

    function test_Deliver_RevertsWithout_ExactlyTheBond() external {
        vm.deal(worker, 1 ether);
        vm.startPrank(worker);
        uint256[3] memory values = [0, BOND - 1, BOND + 1];
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(abi.encodeWithSelector(IPullPayments.WrongNativeValue.selector, values[i], BOND));
            gate.deliver{value: values[i]}(id, RESULT, "ipfs://result");
        }
    }

    function test_Deliver_TakesABondInAToken() external {
        MockERC20 token = new MockERC20();
        IBondedGate.Rule memory rule = _rule();
        rule.asset = address(token);
        rule.bond = 101;
        gate = _deployGate(rule);
        id = _mint(_terms(), address(gate));
        _fund(id, funder, 2 * REWARD);
        uint256 submissionId = _deliver(worker);
        assertEq(token.balanceOf(address(gate)), 101);
        _rule(submissionId, false);
        gate.settleBond(id, submissionId);
        assertEq(token.balanceOf(worker), 51, "what is lost is rounded down");
        gate.withdraw(address(token), beneficiary);
        assertEq(token.balanceOf(beneficiary), 50);
    }

    function test_Deliver_RefusesATokenThatKeepsAPart() external {
        FeeERC20 token = new FeeERC20();
        IBondedGate.Rule memory rule = _rule();
        rule.asset = address(token);
        gate = _deployGate(rule);
        token.mint(worker, BOND);
        vm.startPrank(worker);
        token.approve(address(gate), BOND);
        vm.expectRevert(
            abi.encodeWithSelector(IPullPayments.DepositMismatch.selector, address(token), BOND * 99 / 100, BOND)
        );
        gate.deliver(id, RESULT, "ipfs://result");
    }

    function test_Deliver_RevertsWhen_TheTenderRefuses() external {
        _cancel(id);
        vm.deal(worker, BOND);
        vm.expectRevert(abi.encodeWithSelector(TenderIsCancelled.selector, id));
        vm.prank(worker);
        gate.deliver{value: BOND}(id, RESULT, "ipfs://result");
    }

    function test_Deliver_MakesTheDeskTheFulfillerOfRecord() external {
        address desk = gate.deskOf(worker);
        assertEq(desk.code.length, 0);
        vm.expectEmit(address(gate));
        emit IBondedGate.Bonded(id, 1, worker, desk);
        uint256 submissionId = _deliver(worker, RESULT);
        assertEq(submissionId, 1);
        assertEq(task.submissionOf(id, 1).fulfiller, desk);
        assertEq(task.submissionOf(id, 1).resultHash, RESULT);
        assertEq(gate.delivererOf(id, 1), worker);
        assertEq(address(gate).balance, BOND);
        _deliver(worker);
        assertEq(task.submissionOf(id, 2).fulfiller, desk, "one desk for all of a deliverer's work");
        assertTrue(gate.deskOf(stranger) != desk);
    }

    function test_Desk_MUST_ObeyTheGateAlone() external {
        _deliver(worker);
        IDeliveryDesk desk = IDeliveryDesk(gate.deskOf(worker));
        assertEq(desk.GATE(), address(gate));
        address[3] memory callers = [worker, judge, publisher];
        for (uint256 i = 0; i < 3; i++) {
            vm.startPrank(callers[i]);
            vm.expectRevert(abi.encodeWithSelector(IDeliveryDesk.NotGate.selector, callers[i], address(gate)));
            desk.deliver(task, id, RESULT, "ipfs://result");
            vm.expectRevert(abi.encodeWithSelector(IDeliveryDesk.NotGate.selector, callers[i], address(gate)));
            desk.empty(address(0), callers[i]);
            vm.stopPrank();
        }
    }

    // --- what becomes of a bond ---

    function test_SettleBond_RevertsWhile_TheDeliveryIsPending() external {
        uint256 submissionId = _deliver(worker);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.DeliveryPending.selector, id, submissionId));
        gate.settleBond(id, submissionId);
    }

    function test_SettleBond_RevertsWithout_ABond() external {
        uint256 submissionId = _submit(id);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NotBonded.selector, id, submissionId));
        gate.settleBond(id, submissionId);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NotBonded.selector, id, 9));
        gate.settleBond(id, 9);
    }

    function test_SettleBond_MUST_ReturnAllOfItOnAcceptance() external {
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, true);
        vm.expectEmit(address(gate));
        emit IBondedGate.BondSettled(id, submissionId, worker, 0);
        vm.prank(stranger);
        assertEq(gate.settleBond(id, submissionId), 0);
        assertEq(worker.balance, BOND);
        assertEq(address(gate).balance, 0);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NotBonded.selector, id, submissionId));
        gate.settleBond(id, submissionId);
    }

    function test_SettleBond_ReturnsAllOfItWhere_SilenceAccepted() external {
        uint256 submissionId = _deliver(worker);
        vm.warp(START + WINDOW + 1);
        task.claimUnjudged(id, submissionId);
        gate.settleBond(id, submissionId);
        gate.collect(address(0), worker);
        assertEq(worker.balance, BOND + REWARD);
    }

    function test_SettleBond_MUST_TakeWhatTheRuleSaysOnRefusal() external {
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, false);
        vm.expectEmit(address(gate));
        emit IBondedGate.BondSettled(id, submissionId, worker, BOND / 2);
        assertEq(gate.settleBond(id, submissionId), BOND / 2);
        assertEq(worker.balance, BOND / 2);
        assertEq(gate.owedOf(address(0), beneficiary), BOND / 2);
        gate.withdraw(address(0), beneficiary);
        assertEq(beneficiary.balance, BOND / 2);
        assertEq(address(gate).balance, 0);
    }

    /// Who was only slow loses what the rule has for that, not what it has for a refusal.
    function test_SettleBond_TakesTheOtherPartOnExpiry() external {
        WordVerifier machine = new WordVerifier();
        id = _mint(_terms(), address(machine));
        _fund(id, funder, 2 * REWARD);
        uint256 submissionId = _deliver(worker);
        vm.warp(START + WINDOW + 1);
        task.releaseExpired(id, submissionId);
        assertEq(gate.settleBond(id, submissionId), BOND / 10);
        assertEq(worker.balance, BOND - BOND / 10);
    }

    function test_SettleBond_TakesNothingWhere_TheRuleSaysSo() external {
        IBondedGate.Rule memory rule = _rule();
        (rule.rejectedBps, rule.expiredBps, rule.beneficiary) = (0, 0, address(0));
        gate = _deployGate(rule);
        id = _mint(_terms(), address(gate));
        _fund(id, funder, 2 * REWARD);
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, false);
        assertEq(gate.settleBond(id, submissionId), 0);
        assertEq(worker.balance, BOND);
    }

    function test_SettleBond_DoesNotOverflowWith_TheLargestBond() external {
        MockERC20 token = new MockERC20();
        IBondedGate.Rule memory rule = _rule();
        (rule.asset, rule.bond, rule.rejectedBps) = (address(token), type(uint256).max, 9_999);
        gate = _deployGate(rule);
        id = _mint(_terms(), address(gate));
        _fund(id, funder, 2 * REWARD);
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, false);
        gate.settleBond(id, submissionId);
        gate.withdraw(address(token), beneficiary);
        assertEq(token.balanceOf(worker) + token.balanceOf(beneficiary), type(uint256).max);
        assertEq(token.balanceOf(worker), type(uint256).max / 10_000 + 1, "rounded in favour of the deliverer");
    }

    function test_SettleBond_OwesADelivererThatCannotBePaid() external {
        ToggleRecipient closed = new ToggleRecipient(task);
        uint256 submissionId = _deliver(address(closed));
        _rule(submissionId, true);
        gate.settleBond(id, submissionId);
        assertEq(gate.owedOf(address(0), address(closed)), BOND);
        closed.perform(address(gate), 0, abi.encodeCall(IPullPayments.withdrawTo, (address(0), stranger)));
        assertEq(stranger.balance, BOND);
    }

    function testFuzz_SettleBond_SplitsTheBondToTheUnit(uint96 bond, uint16 bps, bool accepted) external {
        IBondedGate.Rule memory rule = _rule();
        rule.bond = bound(bond, 1, type(uint96).max);
        rule.rejectedBps = uint16(bound(bps, 0, 10_000));
        gate = _deployGate(rule);
        id = _mint(_terms(), address(gate));
        _fund(id, funder, REWARD);
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, accepted);
        uint256 lost = gate.settleBond(id, submissionId);
        assertEq(lost, accepted ? 0 : rule.bond * rule.rejectedBps / 10_000);
        assertEq(worker.balance, rule.bond - lost);
        assertEq(gate.owedOf(address(0), beneficiary), lost);
        assertEq(address(gate).balance, lost);
    }

    // --- what a desk has earned ---

    function test_Collect_PaysTheDelivererAllOfIt() external {
        _rule(_deliver(worker), true);
        _rule(_deliver(worker), true);
        assertEq(gate.deskOf(worker).balance, 2 * REWARD);
        vm.expectEmit(address(gate));
        emit IBondedGate.Collected(address(0), worker, worker, 2 * REWARD);
        vm.prank(stranger);
        assertEq(gate.collect(address(0), worker), 2 * REWARD);
        assertEq(worker.balance, 2 * REWARD);
    }

    function test_Collect_PaysARewardInAToken() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms, address(gate));
        _fund(id, funder, REWARD);
        _rule(_deliver(worker), true);
        gate.collect(address(token), worker);
        assertEq(token.balanceOf(worker), REWARD);
    }

    function test_Collect_RevertsWhen_ThereIsNothing() external {
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NothingToCollect.selector, address(0), worker));
        gate.collect(address(0), worker);
        _deliver(worker);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NothingToCollect.selector, address(0), worker));
        gate.collect(address(0), worker);
    }

    function test_CollectTo_SendsItElsewhere() external {
        _rule(_deliver(worker), true);
        address[3] memory bad = [address(0), address(gate), gate.deskOf(worker)];
        for (uint256 i = 0; i < 3; i++) {
            vm.expectRevert(abi.encodeWithSelector(IPullPayments.BadRecipient.selector, bad[i]));
            vm.prank(worker);
            gate.collectTo(address(0), bad[i]);
        }
        vm.prank(worker);
        gate.collectTo(address(0), stranger);
        assertEq(stranger.balance, REWARD);
    }

    /// What the deliverer refuses stays at its desk, and it can have it sent elsewhere.
    function test_Collect_RevertsWhen_TheDelivererRefuses() external {
        ToggleRecipient closed = new ToggleRecipient(task);
        _rule(_deliver(address(closed)), true);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NothingToCollect.selector, address(0), address(closed)));
        gate.collect(address(0), address(closed));
        closed.perform(address(gate), 0, abi.encodeCall(gate.collectTo, (address(0), stranger)));
        assertEq(stranger.balance, REWARD);
    }

    /// A reward that could not be pushed is a credit of the desk: anyone has it paid to the desk, then to the
    /// deliverer.
    function test_Collect_ReachesACreditOfTheDesk() external {
        BlacklistERC20 token = new BlacklistERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms, address(gate));
        _fund(id, funder, REWARD);
        uint256 submissionId = _deliver(worker);
        address desk = gate.deskOf(worker);
        token.setListed(desk, true);
        _rule(submissionId, true);
        assertEq(task.creditOf(id, desk), REWARD);
        token.setListed(desk, false);
        task.withdrawCredit(id, desk);
        gate.collect(address(token), worker);
        assertEq(token.balanceOf(worker), REWARD);
    }

    function test_Collect_MUST_KeepDeliverersApart() external {
        _rule(_deliver(worker), true);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NothingToCollect.selector, address(0), stranger));
        gate.collectTo(address(0), stranger);
        _deliver(stranger);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(IBondedGate.NothingToCollect.selector, address(0), stranger));
        gate.collectTo(address(0), stranger);
        assertEq(gate.collect(address(0), worker), REWARD);
    }

    function test_Collect_MUST_NotBeReentered() external {
        ReentrantERC20 token = new ReentrantERC20();
        ITaskTender.TenderTerms memory terms = _terms();
        terms.asset = address(token);
        id = _mint(terms, address(gate));
        _fund(id, funder, REWARD);
        uint256 submissionId = _deliver(worker);
        _rule(submissionId, true);
        bytes[4] memory attempts = [
            abi.encodeCall(gate.collect, (address(token), worker)),
            abi.encodeCall(gate.collectTo, (address(token), stranger)),
            abi.encodeCall(gate.settleBond, (id, submissionId)),
            abi.encodeCall(gate.deliver, (id, RESULT, "ipfs://result"))
        ];
        uint256 snapshot = vm.snapshotState();
        for (uint256 i = 0; i < attempts.length; i++) {
            token.setCall(address(gate), attempts[i]);
            gate.collect(address(token), worker);
            assertFalse(token.succeeded());
            assertEq(bytes4(token.reply()), IPullPayments.ReentrancyGuardReentrantCall.selector);
            assertEq(token.balanceOf(worker), REWARD);
            vm.revertToState(snapshot);
        }
    }
}
