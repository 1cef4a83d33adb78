// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {Intruder} from "./Intruder.sol";

/// @title A contract that funds, delivers and owns, and receives native currency as it is told to
contract ScriptedPerson {
    enum Conduct {
        Accept,
        Refuse,
        BurnGas,
        Reenter, // tries every entry point of the tender that pays
        Forward // funds another tender with what it got
    }

    uint256 public constant CONDUCTS = 5;

    ITaskMarket private immutable MARKET;
    Intruder private immutable INTRUDER;
    Conduct public conduct;
    /// @notice The tender that pays, for `Reenter`, or the tender that is to be funded, for `Forward`.
    uint256 public target;
    /// @notice What `Forward` has passed on so far.
    uint256 public forwarded;

    constructor(ITaskMarket market, Intruder intruder) {
        MARKET = market;
        INTRUDER = intruder;
    }

    function set(Conduct value, uint256 tokenId) external {
        conduct = value;
        target = tokenId;
    }

    receive() external payable {
        Conduct c = conduct;
        if (c == Conduct.Refuse) revert("refused");
        if (c == Conduct.BurnGas) {
            assembly {
                invalid()
            }
        }
        if (c == Conduct.Reenter) INTRUDER.intrude(target);
        if (c == Conduct.Forward) {
            try MARKET.fundTask{value: msg.value}(target, msg.value) {
                forwarded += msg.value;
            } catch {}
        }
    }
}
