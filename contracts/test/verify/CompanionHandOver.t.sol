// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {HandOverTest} from "./HandOver.t.sol";

contract SignedOutcomeHandOverTest is HandOverTest {
    function setUp() public override {
        super.setUp();
        _open("SignedOutcomeVerifier");
    }
}

contract StreakHandOverTest is HandOverTest {
    function setUp() public override {
        super.setUp();
        _open("StreakVerifier");
    }
}

contract MerkleSecretHandOverTest is HandOverTest {
    function setUp() public override {
        super.setUp();
        _open("MerkleSecretVerifier");
    }
}
