// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {AgentFixture} from "./AgentFixture.sol";

/// @dev Like gas, a question for the code that is deployed, not for any other way to compile it.
contract AgentSizeTest is AgentFixture {
    function test_EveryContractIsBelowTheSizeLimitWithAMargin() public view {
        assertLt(factory.IMPLEMENTATION().code.length, 24_576 - 400);
        assertLt(address(scope).code.length, 24_576 - 400);
        assertLt(address(factory).code.length, 24_576 - 400);
    }
}
