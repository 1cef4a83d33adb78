// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @title A savings vault of the worked examples: ERC-4626, and what is sent to it is interest
contract WorkedVault is ERC4626 {
    constructor(IERC20 dollar) ERC20("Worked Savings", "SAVE") ERC4626(dollar) {}
}
