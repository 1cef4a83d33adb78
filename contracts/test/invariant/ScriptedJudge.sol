// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskVerifier} from "../../src/task/ITaskVerifier.sol";
import {Intruder} from "./Intruder.sol";

/// @title A contract in the judgment slot that may or may not be a verifier, and may change its mind about it
contract ScriptedJudge {
    enum Declares {
        Verifier,
        SlowVerifier, // uses most of the gas that ERC-165 allows
        Nothing, // any call succeeds and returns nothing
        Two, // answers 2 where a Boolean belongs
        Short, // answers with 31 bytes
        Everything, // says yes to the invalid identifier too
        Unnamed, // says yes to the verifier interface, no to ERC-165 itself
        Refuse,
        BurnGas,
        Huge // answers yes, followed by megabytes
    }

    enum Rules {
        Honest, // true for the right proof, otherwise false
        Refuse, // reverts
        Two, // answers 2
        Short, // answers true in 31 bytes
        Reenter // tries every entry point of the tender, then rules honestly
    }

    uint256 public constant DECLARATIONS = 10;
    uint256 public constant RULINGS = 5;
    bytes32 public constant RIGHT_PROOF = keccak256("right");

    Declares public declares;
    Rules public rules;
    Intruder private immutable INTRUDER;

    constructor(Intruder intruder, Declares declares_) {
        INTRUDER = intruder;
        declares = declares_;
    }

    function set(Declares declares_, Rules rules_) external {
        declares = declares_;
        rules = rules_;
    }

    function isVerifier() public view returns (bool) {
        return declares == Declares.Verifier || declares == Declares.SlowVerifier;
    }

    /// @notice Whether a proof settles: only the right one, and only from a verifier that answers in full.
    function accepts(bytes memory proof) external view returns (bool) {
        return (rules == Rules.Honest || rules == Rules.Reenter) && keccak256(proof) == keccak256(_right());
    }

    function supportsInterface(bytes4 interfaceId) external view returns (bool) {
        Declares d = declares;
        if (d == Declares.Refuse) revert("refused");
        if (d == Declares.BurnGas) {
            assembly {
                invalid()
            }
        }
        if (d == Declares.SlowVerifier) {
            uint256 start = gasleft();
            while (start - gasleft() < 24_000) {}
        }
        bool yes = interfaceId == type(ITaskVerifier).interfaceId
            || (interfaceId == 0x01ffc9a7 && d != Declares.Unnamed)
            || (interfaceId == 0xffffffff && d == Declares.Everything);
        if (d == Declares.Nothing) _answer(0, 0);
        if (d == Declares.Two) _answer(yes ? 2 : 0, 32);
        if (d == Declares.Short) _answer(yes ? 1 : 0, 31);
        if (d == Declares.Huge) _answer(yes ? 1 : 0, 4_000_000);
        return yes;
    }

    function verifyFulfillment(address, uint256 tokenId, uint256, address, bytes32, bytes calldata proof)
        external
        returns (bool)
    {
        if (rules == Rules.Refuse) revert("refused");
        if (rules == Rules.Two) _answer(2, 32);
        if (rules == Rules.Short) _answer(1, 31);
        if (rules == Rules.Reenter) INTRUDER.intrude(tokenId);
        return keccak256(proof) == keccak256(_right());
    }

    fallback() external {}

    function _right() private pure returns (bytes memory) {
        return abi.encode(RIGHT_PROOF);
    }

    function _answer(uint256 word, uint256 size) private pure {
        assembly {
            let reply := mload(0x40)
            mstore(reply, word)
            return(reply, size)
        }
    }
}
