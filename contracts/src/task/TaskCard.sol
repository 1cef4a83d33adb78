// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

/// @title The picture of a tender that wallets show
/// @notice Metadata JSON with an SVG, both as data URIs. Only numbers and addresses go in, so no text of a publisher
///         can break out of either.
library TaskCard {
    using Strings for uint256;

    struct Facts {
        uint256 tokenId;
        address asset;
        uint256 reward; // smallest unit
        uint256 escrow; // smallest unit
        uint256 completions;
        uint256 maxCompletions; // 0 is unbounded
        uint256 pending;
        uint256 version;
        bool frozen;
        bool cancelled;
    }

    function render(Facts memory f) internal pure returns (string memory) {
        string memory state = f.cancelled ? "cancelled" : f.frozen ? "frozen" : "not frozen";
        string memory done = string.concat(
            f.completions.toString(), " of ", f.maxCompletions == 0 ? "any number" : f.maxCompletions.toString()
        );
        return _dataURI(
            "application/json",
            string.concat(
                '{"name":"Task ',
                f.tokenId.toString(),
                '","description":"A funded tender. Display only: verify the package against the chain.","image":"',
                _dataURI("image/svg+xml", _svg(f, state, done)),
                '","attributes":[',
                string.concat(_trait("state", state), ",", _trait("completions", done), ","),
                string.concat(_trait("reward", _amount(f.reward, f.asset)), ","),
                _trait("escrow", _amount(f.escrow, f.asset)),
                "]}"
            )
        );
    }

    function _svg(Facts memory f, string memory state, string memory done) private pure returns (string memory) {
        string memory head = string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 300" font-family="monospace" font-size="15">'
            '<rect width="480" height="300" fill="#14181d"/><g fill="#e8e6e1"><text x="24" y="48" font-size="24">Task ',
            f.tokenId.toString(),
            "</text>"
        );
        string memory money = string.concat(
            _line(96, "vault  ", _amount(f.escrow, f.asset)),
            _line(132, "reward ", _amount(f.reward, f.asset)),
            _line(168, "paid   ", done)
        );
        string memory facts = string.concat(
            _line(204, "wait   ", f.pending.toString()),
            _line(240, "state  ", string.concat(state, ", version ", f.version.toString())),
            _line(272, "asset  ", f.asset == address(0) ? "native" : Strings.toHexString(f.asset))
        );
        return string.concat(head, money, facts, "</g></svg>");
    }

    function _line(uint256 y, string memory label, string memory value) private pure returns (string memory) {
        return string.concat('<text xml:space="preserve" x="24" y="', y.toString(), '">', label, value, "</text>");
    }

    function _trait(string memory name, string memory value) private pure returns (string memory) {
        return string.concat('{"trait_type":"', name, '","value":"', value, '"}');
    }

    /// @dev Native amounts have 18 decimals; an ERC-20's decimals are its own claim, so its smallest unit is shown.
    function _amount(uint256 value, address asset) private pure returns (string memory) {
        if (asset != address(0)) return string.concat(value.toString(), " units");
        bytes memory digits = bytes((value % 1e18 + 1e18).toString());
        uint256 length = 19;
        while (length > 1 && digits[length - 1] == "0") length--;
        digits[0] = ".";
        assembly ("memory-safe") {
            // only shortens: cut the trailing zeros, and the point where nothing follows it
            mstore(digits, mul(length, gt(length, 1)))
        }
        return string.concat((value / 1e18).toString(), string(digits));
    }

    function _dataURI(string memory mime, string memory content) private pure returns (string memory) {
        return string.concat("data:", mime, ";base64,", Base64.encode(bytes(content)));
    }
}
