// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ILockedTaskAccount} from "../mocks/companions/ILockedTaskAccount.sol";
import {MockERC6551Registry} from "../mocks/companions/MockERC6551Registry.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {
    BoastfulERC20,
    FalseReturnERC20,
    FeeERC20,
    LyingERC20,
    NoReturnERC20,
    ReentrantERC20
} from "../mocks/OddERC20.sol";
import {TaskTest} from "../task/TaskTest.sol";

/// @title LockedTaskAccount: an ERC-6551 address of a task token from which money goes to the vault alone
contract LockedTaskAccountTest is TaskTest {
    bytes32 private constant SALT = bytes32(uint256(7));
    MockERC6551Registry private registry;
    address private implementation;
    ILockedTaskAccount private account;
    address private vault;
    uint256 private id;

    function setUp() public override {
        super.setUp();
        registry = new MockERC6551Registry();
        implementation = deployCode("LockedTaskAccount.sol:LockedTaskAccount");
        id = _funded(2);
        vault = task.vaultOf(id);
        account = _accountOf(id);
    }

    function _accountOf(uint256 tokenId) private returns (ILockedTaskAccount) {
        return ILockedTaskAccount(registry.createAccount(implementation, SALT, block.chainid, address(task), tokenId));
    }

    function _send(address from, uint256 amount) private returns (bool success, bytes memory reason) {
        vm.deal(from, amount);
        vm.prank(from);
        return address(account).call{value: amount}("");
    }

    // --- the registry, as the standard describes it ---

    /// The example of the standard, byte for byte.
    function test_Registry_DeploysTheCodeOfTheStandardsExample() external {
        address made = registry.createAccount(
            address(bytes20(hex"bebebebebebebebebebebebebebebebebebebebe")),
            0,
            1,
            address(bytes20(hex"cfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcf")),
            123
        );
        assertEq(
            made.code,
            bytes.concat(
                hex"363d3d373d3d3d363d73bebebebebebebebebebebebebebebebebebebebe5af43d82803e903d91602b57fd5bf3",
                abi.encode(
                    uint256(0),
                    uint256(1),
                    address(bytes20(hex"cfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcfcf")),
                    uint256(123)
                )
            )
        );
    }

    function test_Registry_MakesAnAccountOnceAtTheAddressThatItTells() external {
        address predicted = registry.account(implementation, SALT, block.chainid, address(task), id + 1);
        vm.expectEmit(address(registry));
        emit MockERC6551Registry.ERC6551AccountCreated(
            predicted, implementation, SALT, block.chainid, address(task), id + 1
        );
        assertEq(address(_accountOf(id + 1)), predicted);
        assertEq(address(_accountOf(id + 1)), predicted);
    }

    // --- what it says about itself ---

    function test_Account_MUST_DeclareItsInterfaces() external view {
        bytes4 accountId = ILockedTaskAccount.token.selector ^ ILockedTaskAccount.state.selector
            ^ ILockedTaskAccount.isValidSigner.selector;
        assertEq(accountId, bytes4(0x6faff5f1));
        assertEq(ILockedTaskAccount.execute.selector, bytes4(0x51945447));
        assertTrue(account.supportsInterface(0x6faff5f1), "account");
        assertTrue(account.supportsInterface(0x51945447), "execution");
        assertTrue(account.supportsInterface(0x1626ba7e), "signatures");
        assertTrue(account.supportsInterface(0x01ffc9a7), "ERC-165");
        assertFalse(account.supportsInterface(0xffffffff));
    }

    function test_Token_NamesTheTaskTokenAndItsOwner() external {
        (uint256 chainId, address tokenContract, uint256 tokenId) = account.token();
        assertEq(chainId, block.chainid);
        assertEq(tokenContract, address(task));
        assertEq(tokenId, id);
        assertEq(account.owner(), owner);
        vm.prank(owner);
        task.transferFrom(owner, stranger, id);
        assertEq(account.owner(), stranger);
    }

    /// The implementation is bound to no token, and takes and moves nothing.
    function test_Implementation_IsNoAccount() external {
        ILockedTaskAccount bare = ILockedTaskAccount(implementation);
        vm.expectRevert(ILockedTaskAccount.NotTokenBound.selector);
        bare.token();
        vm.expectRevert(ILockedTaskAccount.NotTokenBound.selector);
        bare.sweep(address(0));
        vm.deal(stranger, 1);
        vm.prank(stranger);
        (bool success,) = implementation.call{value: 1}("");
        assertFalse(success);
    }

    // --- locked ---

    function test_Account_MUST_HaveNoValidSigner() external {
        address[6] memory signers = [owner, publisher, judge, funder, address(task), address(account)];
        for (uint256 i = 0; i < signers.length; i++) {
            assertTrue(account.isValidSigner(signers[i], "") != bytes4(0x523e3260));
            assertEq(account.isValidSigner(signers[i], "context"), bytes4(0xffffffff));
        }
        (address holder, uint256 key) = makeAddrAndKey("holder");
        vm.prank(owner);
        task.transferFrom(owner, holder, id);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, RESULT);
        assertEq(account.isValidSignature(RESULT, abi.encodePacked(r, s, v)), bytes4(0xffffffff));
    }

    function test_Execute_MUST_RefuseEverybodyAndEverything() external {
        vm.deal(address(account), REWARD);
        address[6] memory callers = [owner, publisher, judge, funder, address(task), address(account)];
        for (uint256 i = 0; i < callers.length; i++) {
            for (uint8 operation = 0; operation < 4; operation++) {
                vm.expectRevert(ILockedTaskAccount.AccountLocked.selector);
                vm.prank(callers[i]);
                account.execute(callers[i], REWARD, "", operation);
            }
        }
    }

    /// An ERC-721 approval moves the token, not the money.
    function test_Execute_MUST_RefuseWhoIsApprovedForTheToken() external {
        vm.startPrank(owner);
        task.approve(stranger, id);
        task.setApprovalForAll(funder, true);
        vm.stopPrank();
        address[2] memory callers = [stranger, funder];
        for (uint256 i = 0; i < 2; i++) {
            vm.expectRevert(ILockedTaskAccount.AccountLocked.selector);
            vm.prank(callers[i]);
            account.execute(callers[i], 0, "", 0);
        }
    }

    /// Whatever is called by whomever: what was in the account is in the account or in the vault.
    function testFuzz_Account_MUST_PayTheVaultAlone(address caller, uint96 native, uint96 amount, bytes calldata data)
        external
    {
        vm.assume(caller != address(account) && caller != vault);
        MockERC20 token = new MockERC20();
        token.mint(address(account), amount);
        vm.deal(address(account), native);
        uint256 total = vault.balance + native;
        vm.prank(caller);
        (bool called,) = address(account).call(data);
        called; // whether it succeeds is not the question
        bytes4[2] memory selectors = [ILockedTaskAccount.sweep.selector, ILockedTaskAccount.execute.selector];
        for (uint256 i = 0; i < 2; i++) {
            vm.prank(caller);
            (called,) = address(account).call(bytes.concat(selectors[i], data));
            vm.prank(caller);
            (called,) = address(account).call(abi.encodeWithSelector(selectors[i], caller, native, data, 0));
        }
        assertEq(address(account).balance + vault.balance, total);
        assertEq(token.balanceOf(address(account)) + token.balanceOf(vault), amount);
    }

    // --- what comes in ---

    function test_Receive_TakesNativeCurrency() external {
        (bool success,) = _send(stranger, REWARD);
        assertTrue(success);
        assertEq(address(account).balance, REWARD);
    }

    /// Money that nobody could send on is refused.
    function test_Receive_RefusesWhatCouldNotLeave() external {
        uint256 chainId = block.chainid + 1;
        account = ILockedTaskAccount(registry.createAccount(implementation, SALT, chainId, address(task), id));
        (bool success, bytes memory reason) = _send(stranger, 1);
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(ILockedTaskAccount.OtherChain.selector, chainId));
        account = _accountOf(id + 1);
        (success, reason) = _send(stranger, 1);
        assertFalse(success);
        assertEq(reason, abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id + 1));
        assertEq(_mint(), id + 1);
        (success,) = _send(stranger, 1);
        assertTrue(success, "once the tender exists");
    }

    function test_Receive_RefusesASafeTransferOfAToken() external {
        uint256 other = _mint();
        vm.startPrank(owner);
        for (uint256 tokenId = id; tokenId <= other; tokenId++) {
            vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(account)));
            task.safeTransferFrom(owner, address(account), tokenId);
        }
    }

    // --- sweep ---

    function test_Sweep_RevertsWhen_TheTokenIsOnAnotherChain() external {
        uint256 chainId = block.chainid + 1;
        account = ILockedTaskAccount(registry.createAccount(implementation, SALT, chainId, address(task), id));
        assertEq(account.owner(), address(0));
        vm.expectRevert(abi.encodeWithSelector(ILockedTaskAccount.OtherChain.selector, chainId));
        account.sweep(address(0));
    }

    function test_Sweep_RevertsWhen_ThereIsNothing() external {
        vm.expectRevert(abi.encodeWithSelector(ILockedTaskAccount.NothingToSweep.selector, address(0)));
        account.sweep(address(0));
        assertEq(account.state(), 0);
    }

    function test_Sweep_SendsAllToTheVault() external {
        _send(stranger, REWARD);
        vm.expectEmit(address(account));
        emit ILockedTaskAccount.Swept(address(0), vault, REWARD);
        vm.prank(makeAddr("anybody"));
        assertEq(account.sweep(address(0)), REWARD);
        assertEq(address(account).balance, 0);
        assertEq(vault.balance, 3 * REWARD);
        assertEq(task.escrowBalanceOf(id), 3 * REWARD);
        assertEq(account.state(), 1, "a new state");
        _send(stranger, 1);
        account.sweep(address(0));
        assertEq(account.state(), 2);
    }

    /// Money may wait at the address before there is an account.
    function test_Sweep_SendsOnWhatCameBeforeTheAccount() external {
        uint256 next = _mint();
        address predicted = registry.account(implementation, SALT, block.chainid, address(task), next);
        vm.deal(predicted, REWARD);
        _accountOf(next).sweep(address(0));
        assertEq(task.escrowBalanceOf(next), REWARD);
    }

    /// It is a gift: spent first, and what is left of it is the residual of the token's owner.
    function test_Sweep_MakesAGift() external {
        _send(stranger, REWARD + 1);
        account.sweep(address(0));
        assertEq(task.contributionOf(id, address(account)), 0, "nobody's contribution");
        _accept(id, _submit(id));
        _cancel(id);
        _reclaim(id, funder);
        assertEq(funder.balance, 2 * REWARD, "the gift paid the reward");
        _reclaimResidual(id);
        assertEq(owner.balance, 1);
        assertEq(vault.balance, 0);
    }

    function test_Sweep_AfterTheEndIsTheOwnersResidual() external {
        _cancel(id);
        _reclaim(id, funder);
        _send(stranger, REWARD);
        account.sweep(address(0));
        _reclaimResidual(id);
        assertEq(owner.balance, REWARD);
    }

    function test_Sweep_FundsAPendingDelivery() external {
        id = _mint();
        account = _accountOf(id);
        _send(stranger, REWARD);
        vm.expectRevert(abi.encodeWithSelector(EscrowTooLow.selector, id, 0, REWARD));
        vm.prank(worker);
        task.submitFulfillment(id, RESULT, "ipfs://result");
        account.sweep(address(0));
        _accept(id, _submit(id));
        assertEq(worker.balance, REWARD);
    }

    function test_Sweep_SendsTokensWhateverTheirReply() external {
        MockERC20[4] memory tokens =
            [new MockERC20(), MockERC20(new NoReturnERC20()), MockERC20(new FeeERC20()), MockERC20(new LyingERC20())];
        LyingERC20(address(tokens[3])).setReplyBytes(1_000_000);
        for (uint256 i = 0; i < tokens.length; i++) {
            tokens[i].mint(address(account), 100);
            assertEq(account.sweep(address(tokens[i])), 100);
            assertEq(tokens[i].balanceOf(address(account)), 0);
            assertEq(tokens[i].balanceOf(vault), i == 2 ? 99 : 100);
        }
    }

    /// What is not the tender's asset is the owner's when the tender is over, by the kernel's rule.
    function test_Sweep_SendsAForeignAssetToItsOwnEnd() external {
        MockERC20 token = new MockERC20();
        token.mint(address(account), 100);
        account.sweep(address(token));
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
        _cancel(id);
        vm.prank(owner);
        task.reclaimForeign(id, address(token));
        assertEq(token.balanceOf(owner), 100);
    }

    function test_Sweep_RevertsWhen_ATokenMovesNothing() external {
        FalseReturnERC20 token = new FalseReturnERC20();
        token.mint(address(account), 100);
        token.setClosed(true);
        vm.expectRevert(abi.encodeWithSelector(ILockedTaskAccount.SweepFailed.selector, address(token), vault, 100));
        account.sweep(address(token));
        assertEq(account.state(), 0);
        vm.expectRevert(abi.encodeWithSelector(UnreadableBalance.selector, stranger));
        account.sweep(stranger);
    }

    function test_Sweep_TellsWhatATokenMoved() external {
        BoastfulERC20 token = new BoastfulERC20();
        token.mint(address(account), 100);
        token.setMovedPercent(40);
        vm.expectEmit(address(account));
        emit ILockedTaskAccount.Swept(address(token), vault, 40);
        assertEq(account.sweep(address(token)), 40);
        assertEq(account.sweep(address(token)), 24);
    }

    function test_Sweep_RevertsWhen_TheVaultTakesNothing() external {
        _send(stranger, REWARD);
        vm.etch(vault, hex"5f5ffd"); // refuses whatever comes
        vm.expectRevert(abi.encodeWithSelector(ILockedTaskAccount.SweepFailed.selector, address(0), vault, REWARD));
        account.sweep(address(0));
    }

    /// A token that calls back can sweep, and nothing else.
    function test_Sweep_MayBeReentered() external {
        ReentrantERC20 token = new ReentrantERC20();
        token.mint(address(account), 100);
        _send(stranger, REWARD);
        token.setCall(address(account), abi.encodeCall(account.sweep, (address(0))));
        account.sweep(address(token));
        assertTrue(token.succeeded());
        assertEq(token.balanceOf(vault), 100);
        assertEq(vault.balance, 3 * REWARD);
        token.mint(address(account), 100);
        token.setCall(address(account), abi.encodeCall(account.sweep, (address(token))));
        account.sweep(address(token));
        assertEq(token.balanceOf(vault), 200, "once");
    }

    /// Each account pays the vault of its own tender, whatever salt the account was made with.
    function test_Sweep_PaysTheVaultOfItsOwnTender() external {
        uint256 other = _mint();
        account = _accountOf(other);
        _send(stranger, 5);
        account.sweep(address(0));
        assertEq(task.escrowBalanceOf(other), 5);
        account =
            ILockedTaskAccount(registry.createAccount(implementation, bytes32(0), block.chainid, address(task), other));
        _send(stranger, 6);
        account.sweep(address(0));
        assertEq(task.escrowBalanceOf(other), 11);
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
    }

    /// The tender's own ERC-20: a deposit at the account ends up in the escrow.
    function test_Sweep_AddsToTheEscrowOfATokenTender() external {
        MockERC20 asset = new MockERC20();
        id = _mintIn(address(asset));
        account = _accountOf(id);
        asset.mint(address(account), 2 * REWARD);
        account.sweep(address(asset));
        assertEq(task.escrowBalanceOf(id), 2 * REWARD);
        _accept(id, _submit(id));
        assertEq(asset.balanceOf(worker), REWARD);
        assertEq(uint8(_status(id, 1)), uint8(ITaskTender.SubmissionStatus.Accepted));
    }
}
