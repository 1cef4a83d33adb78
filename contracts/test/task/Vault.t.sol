// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskVault} from "../mocks/ITaskMarket.sol";
import {MockERC20} from "../mocks/MockERC20.sol";
import {TaskTest} from "./TaskTest.sol";

/// @title The vault: visible to anyone, spendable by no one
contract VaultTest is TaskTest {
    /// @dev The implementation's address is bytes 15 to 35 of a clone.
    function _implementation(address vault) private view returns (address implementation) {
        bytes memory code = vault.code;
        assembly ("memory-safe") {
            implementation := shr(96, mload(add(code, 47)))
        }
    }

    // --- identity ---

    function test_Vault_MUST_BeDistinctFromTheTaskContractAndUnique() external {
        uint256 first = _mint();
        uint256 second = _mint();
        assertTrue(task.vaultOf(first) != task.vaultOf(second));
        assertTrue(task.vaultOf(first) != address(task));
        assertTrue(task.vaultOf(first) != _implementation(task.vaultOf(first)));
    }

    function test_Vault_MUST_NeverChange() external {
        uint256 id = _funded(1);
        address vault = task.vaultOf(id);
        _accept(id, _submit(id));
        _cancel(id);
        vm.prank(owner);
        task.transferFrom(owner, stranger, id);
        assertEq(task.vaultOf(id), vault);
    }

    function test_Vault_BelongsToTheTaskContract() external {
        assertEq(ITaskVault(task.vaultOf(_mint())).KERNEL(), address(task));
    }

    // --- code ---

    function test_Clone_HasProxyOfFiftyBytesAndTermsOfAHundred() external {
        MockERC20 token = new MockERC20();
        ITaskTender.TenderTerms memory terms = ITaskTender.TenderTerms({
            asset: address(token),
            rewardPerCompletion: 0x1111,
            maxCompletions: 0x22,
            submitBy: 0x33,
            settleBy: 0x44,
            epochLength: 0x55,
            maxCompletionsPerEpoch: 0x66,
            judgmentWindow: 0x77
        });
        address vault = task.vaultOf(_mint(terms));
        bytes memory expected = abi.encodePacked(
            hex"36600557005b365f5f375f5f365f73",
            _implementation(vault),
            hex"5af43d5f5f3e5f3d91603057fd5bf3",
            address(token),
            uint256(0x1111),
            abi.encodePacked(uint64(0x22), uint64(0x33), uint64(0x44), uint64(0x55), uint64(0x66), uint64(0x77))
        );
        assertEq(expected.length, 150);
        assertEq(vault.code, expected);
        assertEq(ITaskVault(_implementation(vault)).KERNEL(), address(task));
    }

    /// Every field over its whole range.
    function testFuzz_Terms_MUST_ReadBackAsMinted(ITaskTender.TenderTerms memory terms) external {
        if (terms.rewardPerCompletion == 0) terms.rewardPerCompletion = type(uint256).max;
        if (terms.judgmentWindow == 0) terms.judgmentWindow = type(uint64).max;
        if (terms.settleBy != 0 && terms.settleBy < terms.submitBy) {
            (terms.settleBy, terms.submitBy) = (terms.submitBy, terms.settleBy);
        }
        if (terms.epochLength == 0) terms.maxCompletionsPerEpoch = 0;
        else if (terms.maxCompletionsPerEpoch == 0) terms.maxCompletionsPerEpoch = 1;
        uint256 id = _mint(terms);
        assertEq(abi.encode(task.tenderTermsOf(id)), abi.encode(terms));
    }

    // --- money coming in ---

    /// The 2,300 gas of a Solidity `transfer`, with a cold vault.
    function test_Vault_AcceptsAPlainTransferWithTheStipend() external {
        uint256 id = _mint();
        address vault = task.vaultOf(id);
        vm.deal(address(this), 3);
        vm.cool(vault);
        payable(vault).transfer(3);
        assertEq(task.escrowBalanceOf(id), 3);
    }

    function testFuzz_Vault_MUST_CountDirectTransfersAsEscrow(uint96 funded, uint96 given) external {
        uint256 id = _mint();
        if (funded != 0) _fund(id, funder, funded);
        _give(id, given);
        assertEq(task.escrowBalanceOf(id), uint256(funded) + given);
        assertEq(task.escrowBalanceOf(id), task.vaultOf(id).balance, "the live balance");
    }

    function test_Vault_RefusesMoneyThatComesWithData() external {
        address vault = task.vaultOf(_mint());
        vm.deal(address(this), 3);
        (bool success,) = vault.call{value: 1}(hex"00");
        assertFalse(success);
        (success,) = vault.call{value: 1}(abi.encodeCall(ITaskVault.KERNEL, ()));
        assertFalse(success);
    }

    // --- money going out ---

    function _releaseRefused(address caller, address vault) private {
        address asset = address(0);
        vm.expectRevert(abi.encodeWithSelector(ITaskVault.NotKernel.selector, caller, address(task)), vault);
        vm.prank(caller);
        ITaskVault(vault).release(asset, caller, 1, 100_000);
    }

    function test_Vault_MUST_RefuseEverybodyButTheTaskContract() external {
        uint256 id = _funded(1);
        address vault = task.vaultOf(id);
        vm.prank(owner);
        task.approve(stranger, id);
        address[6] memory callers = [owner, publisher, judge, funder, stranger, vault];
        for (uint256 i = 0; i < callers.length; i++) {
            _releaseRefused(callers[i], vault);
            _releaseRefused(callers[i], _implementation(vault));
        }
        assertEq(vault.balance, REWARD);
    }

    function test_Vault_RefusesAnotherTaskContractsVault() external {
        address vault = task.vaultOf(_funded(1));
        address otherKernel = deployCode("TaskToken.sol:TaskToken", abi.encode("Other", "O"));
        _releaseRefused(otherKernel, vault);
    }

    function testFuzz_Vault_RefusesAnyOtherCall(bytes calldata data) external {
        vm.assume(data.length != 0);
        vm.assume(bytes4(data) != ITaskVault.KERNEL.selector);
        address vault = task.vaultOf(_funded(1));
        (bool success,) = vault.call(data);
        assertFalse(success);
        assertEq(vault.balance, REWARD);
    }
}
