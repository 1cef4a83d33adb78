// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC165} from "@openzeppelin/contracts/utils/introspection/ERC165.sol";
import {BoundedCall} from "../task/BoundedCall.sol";
import {ITaskTender} from "../task/ITaskTender.sol";
import {IERC6551Account, IERC6551Executable} from "./IERC6551.sol";

/// @title A task token's account, locked: whatever comes in goes to the tender's vault
/// @notice Implementation for accounts of the ERC-6551 registry. A task token has an address at which wallets and
///         explorers know token-bound accounts, and money that is sent there can go one way: to `vaultOf`, as the gift
///         that a plain transfer to the vault would be. Anyone may send it on. Nobody is a valid signer, the token's
///         owner neither: the bounty that the token carries is sold with the token, and is not the owner's to take out.
/// @dev The vault of a tender stays what the task contract deployed at mint; this is an address in front of it.
///
///      A gift is spent on rewards first, and what is left of it is the owner's residual when the tender is over.
///      Whoever wants a refund funds the tender by `fundTask`, not here. What is not the tender's asset is the owner's
///      too, by the task contract's own rule. A token that goes by `transferFrom` to its own account stays there for
///      ever, as with any ERC-6551 account; `safeTransferFrom` is refused, since there is no receiver hook.
///
///      Assumptions about others: the registry appends salt, chain, contract and id to the clone, as the standard says;
///      the task contract answers `vaultOf` truthfully and never changes it. An ERC-20 is judged by this account's
///      balance difference, whatever its reply.
contract LockedTaskAccount is IERC6551Account, IERC6551Executable, IERC1271, ERC165 {
    /// @dev Salt, chain id, token contract and token id, a word each.
    uint256 private constant FOOTER_BYTES = 128;
    bytes4 private constant NO_MAGIC = 0xffffffff;

    event Swept(address indexed asset, address indexed vault, uint256 amount);

    error AccountLocked();
    error NotTokenBound();
    error OtherChain(uint256 chainId);
    error NothingToSweep(address asset);
    error SweepFailed(address asset, address vault, uint256 amount);

    /// @notice How often money was sent on.
    uint256 public state;

    /// @notice Takes native currency where there is a vault to send it on to, and nowhere else.
    receive() external payable {
        _vault();
    }

    /// @notice Send all of `asset` that is here to the tender's vault. Anyone may.
    /// @param asset address(0) for the native currency, or an ERC-20
    /// @return moved what has left
    function sweep(address asset) external returns (uint256 moved) {
        address vault = _vault();
        uint256 held = BoundedCall.balanceOf(asset, address(this));
        if (held == 0) revert NothingToSweep(asset);
        state += 1;
        if (asset == address(0)) {
            assembly ("memory-safe") {
                pop(call(gas(), vault, held, 0x00, 0x00, 0x00, 0x00))
            }
        } else {
            BoundedCall.call(asset, gasleft(), abi.encodeCall(IERC20.transfer, (vault, held)));
        }
        uint256 left = BoundedCall.balanceOf(asset, address(this));
        if (left >= held) revert SweepFailed(asset, vault, held);
        moved = held - left;
        emit Swept(asset, vault, moved);
    }

    /// @notice Refused, whoever asks and whatever for.
    function execute(address, uint256, bytes calldata, uint8) external payable returns (bytes memory) {
        revert AccountLocked();
    }

    /// @notice Nobody is.
    function isValidSigner(address, bytes calldata) external pure returns (bytes4) {
        return NO_MAGIC;
    }

    /// @notice None is.
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return NO_MAGIC;
    }

    /// @notice Who owns the task token, and can move nothing here; zero where the token is on another chain.
    function owner() external view returns (address) {
        (uint256 chainId, address tokenContract, uint256 tokenId) = token();
        return chainId == block.chainid ? IERC721(tokenContract).ownerOf(tokenId) : address(0);
    }

    function token() public view returns (uint256 chainId, address tokenContract, uint256 tokenId) {
        bytes memory footer = Clones.fetchCloneArgs(address(this));
        if (footer.length != FOOTER_BYTES) revert NotTokenBound();
        (, chainId, tokenContract, tokenId) = abi.decode(footer, (bytes32, uint256, address, uint256));
    }

    function supportsInterface(bytes4 interfaceId) public view override returns (bool) {
        return interfaceId == type(IERC6551Account).interfaceId || interfaceId == type(IERC6551Executable).interfaceId
            || interfaceId == type(IERC1271).interfaceId || super.supportsInterface(interfaceId);
    }

    /// @dev Reverts where the tender is on another chain, or does not exist.
    function _vault() private view returns (address) {
        (uint256 chainId, address tokenContract, uint256 tokenId) = token();
        if (chainId != block.chainid) revert OtherChain(chainId);
        return ITaskTender(tokenContract).vaultOf(tokenId);
    }
}
