// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Policy} from "./scope/IScope.sol";

/// @title What an Agent is born with besides its immutable arguments
struct Constitution {
    address owner;
    address guardian;
    address feeRecipient;
    address[] executors;
    string agentURI;
    uint16 mintFeeBps;
    uint16 redeemFeeBps;
    uint24 minRequestAgeSec;
    uint32 corridorBpsPerDay;
}

/// @title Everything that an Agent is born with
/// @param initialRate Accept Token base units per 1e18 share base units: 1e6 is one share for one unit of a 6-decimals token
/// @param fixedPrice whether that is the rate for ever; otherwise the books decide
/// @param reclaimHorizonSec after a request, until what is pending can be taken back; disclosed in the metadata too
/// @param policy first policy of the Scope, in effect at once; its `delaySec` is the delay of later ones
struct Birth {
    address acceptToken;
    uint128 initialRate;
    bool fixedPrice;
    uint32 reclaimHorizonSec;
    string name;
    string symbol;
    Constitution constitution;
    Policy policy;
}
