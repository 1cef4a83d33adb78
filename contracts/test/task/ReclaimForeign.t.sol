// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {FalseReturnERC20, NoReturnERC20, TwoFacedERC20} from "../mocks/OddERC20.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title reclaimForeign: what was sent to a vault by mistake
contract ReclaimForeignTest is TaskTest {
    MockERC20 private stray;

    function setUp() public override {
        super.setUp();
        stray = new MockERC20();
    }

    function _foreignRefused(address caller, uint256 id, address foreign, bytes memory reason) private {
        _refuses(reason);
        vm.prank(caller);
        task.reclaimForeign(id, foreign);
    }

    function _reclaimForeign(uint256 id, address foreign) private {
        vm.prank(owner);
        task.reclaimForeign(id, foreign);
    }

    // --- role ---

    function test_Foreign_RevertsWhen_CallerIsNotTheOwner() external {
        uint256 id = _mint();
        stray.mint(task.vaultOf(id), 5);
        _cancel(id);
        address[4] memory callers = [publisher, judge, funder, stranger];
        for (uint256 i = 0; i < callers.length; i++) {
            _foreignRefused(
                callers[i], id, address(stray), abi.encodeWithSelector(NotTokenOwner.selector, id, callers[i], owner)
            );
        }
    }

    // --- arguments ---

    function test_Foreign_RevertsFor_TheAssetOfTheTender() external {
        uint256 native = _funded(1);
        _cancel(native);
        _foreignRefused(owner, native, address(0), abi.encodeWithSelector(AssetOfTender.selector, native, address(0)));
        uint256 id = _mintIn(address(stray));
        _fund(id, funder, 5);
        _cancel(id);
        _foreignRefused(owner, id, address(stray), abi.encodeWithSelector(AssetOfTender.selector, id, address(stray)));
    }

    // --- state of the tender ---

    function test_Foreign_RevertsWhen_TheTenderIsOpenOrADeliveryIsPending() external {
        uint256 id = _funded(1);
        stray.mint(task.vaultOf(id), 5);
        _foreignRefused(owner, id, address(stray), abi.encodeWithSelector(TenderStillOpen.selector, id, 0));
        _submit(id);
        _cancel(id);
        _foreignRefused(owner, id, address(stray), abi.encodeWithSelector(DeliveriesPending.selector, id, 1));
    }

    // --- money ---

    function test_Foreign_RevertsWhen_ThereIsNone() external {
        uint256 id = _mint();
        _cancel(id);
        _foreignRefused(owner, id, address(stray), abi.encodeWithSelector(NothingToReclaim.selector, id, owner));
    }

    function test_Foreign_RevertsFor_AnAddressThatIsNoToken() external {
        uint256 id = _mint();
        _cancel(id);
        _foreignRefused(owner, id, stranger, abi.encodeWithSelector(UnreadableBalance.selector, stranger));
    }

    function test_Foreign_RevertsWhen_TheTokenDoesNotMove() external {
        FalseReturnERC20 closed = new FalseReturnERC20();
        uint256 id = _mint();
        closed.mint(task.vaultOf(id), 5);
        closed.setClosed(true);
        _cancel(id);
        _foreignRefused(owner, id, address(closed), abi.encodeWithSelector(PayoutFailed.selector, id, owner, 0, 5));
    }

    function test_Foreign_PaysNativeOutOfAnERC20Vault() external {
        uint256 id = _mintIn(address(stray));
        _fund(id, funder, 5);
        vm.deal(task.vaultOf(id), 9);
        assertEq(task.escrowBalanceOf(id), 5, "no escrow");
        _cancel(id);
        vm.expectEmit(address(task));
        emit ITaskMarket.ForeignReclaimed(id, owner, address(0), 9);
        _reclaimForeign(id, address(0));
        assertEq(owner.balance, 9);
        _reclaim(id, funder);
        assertEq(stray.balanceOf(funder), 5);
    }

    function test_Foreign_PaysAnotherERC20_AlsoOneThatRepliesNothing() external {
        NoReturnERC20 mute = new NoReturnERC20();
        uint256 id = _funded(1);
        stray.mint(task.vaultOf(id), 5);
        mute.mint(task.vaultOf(id), 6);
        _cancel(id);
        _reclaimForeign(id, address(stray));
        _reclaimForeign(id, address(mute));
        assertEq(stray.balanceOf(owner), 5);
        assertEq(mute.balanceOf(owner), 6);
        assertEq(task.escrowBalanceOf(id), REWARD);
    }

    /// A second address of the same money: the asset's balance gives it away.
    function test_Foreign_RevertsFor_AnAliasOfTheAsset() external {
        TwoFacedERC20 token = new TwoFacedERC20();
        address second = address(token.SECOND());
        uint256 id = _mintIn(address(token));
        _fund(id, funder, 5);
        _cancel(id);
        _foreignRefused(owner, id, second, abi.encodeWithSelector(AssetOfTender.selector, id, second));
        assertEq(token.balanceOf(task.vaultOf(id)), 5);
    }

    /// And the same from the other side: the second address is the asset, the first is foreign.
    function test_Foreign_RevertsFor_TheOriginalOfAnAlias() external {
        TwoFacedERC20 token = new TwoFacedERC20();
        uint256 id = _mintIn(address(token.SECOND()));
        token.mint(task.vaultOf(id), 5);
        _cancel(id);
        _foreignRefused(owner, id, address(token), abi.encodeWithSelector(AssetOfTender.selector, id, address(token)));
    }

    /// An ERC-721 token that sits in a vault counts as one unit that cannot be moved: refused, nothing else is harmed.
    function test_Foreign_RevertsFor_AnERC721() external {
        uint256 id = _mint();
        uint256 other = _mint();
        address vault = task.vaultOf(id);
        vm.prank(owner);
        task.transferFrom(owner, vault, other);
        _cancel(id);
        _foreignRefused(owner, id, address(task), abi.encodeWithSelector(PayoutFailed.selector, id, owner, 0, 1));
    }

    function test_Vault_RefusesSafeTransfersOfERC721() external {
        uint256 id = _mint();
        address vault = task.vaultOf(id);
        vm.expectRevert();
        vm.prank(owner);
        task.safeTransferFrom(owner, vault, id);
    }
}
