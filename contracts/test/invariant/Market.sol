// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {ITaskTender} from "../../src/task/ITaskTender.sol";
import {ITaskMarket} from "../mocks/ITaskMarket.sol";
import {Intruder} from "./Intruder.sol";
import {Ledger} from "./Ledger.sol";
import {ScriptedJudge} from "./ScriptedJudge.sol";
import {ScriptedPerson} from "./ScriptedPerson.sol";
import {ScriptedToken} from "./ScriptedToken.sol";

/// @title One contract with nine tenders of every kind, and the people round it
abstract contract Market is Test {
    uint256 internal constant START = 1_800_000_000;
    uint64 internal constant WINDOW = 1 days;
    uint64 internal constant LONG_WINDOW = uint64(type(uint24).max) + 6; // more than the market packs beside its counters
    uint64 internal constant EPOCH = 1 days;
    uint256 internal constant REWARD = 1_000_003; // a prime, so that shares leave dust
    uint256 internal constant TENDERS = 9;

    ITaskMarket public market;
    Ledger public ledger;
    Intruder public intruder;
    ScriptedToken internal _stray; // no tender's asset
    address internal _publisher = makeAddr("publisher");
    address[] internal _people; // fund, give, deliver, own
    address[] internal _judges;
    uint256[] internal _tokenIds;
    uint256 internal _clock = START; // the compiler may assume that time stands still within a call

    function _open() internal {
        vm.warp(_clock);
        market = ITaskMarket(deployCode("TaskToken.sol:TaskToken", abi.encode("Oikos Task", "TASK")));
        ledger = new Ledger();
        intruder = new Intruder(market);
        _stray = new ScriptedToken();
        for (uint256 i = 0; i < 4; i++) {
            _people.push(makeAddr(string.concat("person ", vm.toString(i))));
        }
        for (uint256 i = 0; i < 4; i++) {
            ScriptedPerson person = new ScriptedPerson(market, intruder);
            person.set(ScriptedPerson.Conduct(i + 1), 1 + i);
            _people.push(address(person));
        }
        _judges.push(makeAddr("judge 0"));
        _judges.push(makeAddr("judge 1"));
        _judges.push(address(new ScriptedJudge(intruder, ScriptedJudge.Declares.Nothing)));
        _judges.push(address(new ScriptedJudge(intruder, ScriptedJudge.Declares.Verifier)));
        _judges.push(address(new ScriptedJudge(intruder, ScriptedJudge.Declares.SlowVerifier)));

        uint64 end = uint64(START + 12 days);
        _mint(0, _terms(address(0), 3, 0, 0, 0)); // native, judged, bounded, without an end
        _mint(2, _terms(address(0), 0, end - 2 days, end, 0)); // native, judged by a contract, unbounded
        _mint(3, _terms(address(0), 5, 0, end, 0)); // native, machine
        _mint(4, _terms(address(0), 0, 0, 0, 1)); // native, machine, paced
        _mint(0, _terms(address(new ScriptedToken()), 0, 0, 0, 0)); // plain token, judged, long window
        _mint(1, _terms(address(new ScriptedToken()), 6, 0, end, 2)); // plain token, judged, paced
        _mint(1, _terms(address(new ScriptedToken()), 4, 0, end, 0)); // hostile token, judged
        _mint(0, _terms(address(new ScriptedToken()), 0, 0, 0, 2)); // hostile token, judged, paced
        _mint(3, _terms(address(new ScriptedToken()), 0, end, 0, 0)); // hostile token, machine
    }

    function _terms(address asset, uint64 max, uint64 submitBy, uint64 settleBy, uint64 perEpoch)
        private
        pure
        returns (ITaskTender.TenderTerms memory)
    {
        return ITaskTender.TenderTerms({
            asset: asset,
            rewardPerCompletion: REWARD,
            maxCompletions: max,
            submitBy: submitBy,
            settleBy: settleBy,
            epochLength: perEpoch == 0 ? 0 : EPOCH,
            maxCompletionsPerEpoch: perEpoch,
            judgmentWindow: asset != address(0) && max == 0 && submitBy == 0 && perEpoch == 0 ? LONG_WINDOW : WINDOW
        });
    }

    function _mint(uint256 judge, ITaskTender.TenderTerms memory terms) private {
        uint256 tokenId = market.mintTask(
            _people[_tokenIds.length % _people.length],
            _publisher,
            _judges[judge],
            keccak256("document"),
            keccak256("root"),
            "ipfs://task",
            terms
        );
        _tokenIds.push(tokenId);
        if (terms.asset != address(0)) ScriptedToken(terms.asset).setIntrusion(intruder, tokenId);
    }

    // --- what everybody can see ---

    function tokenIds() external view returns (uint256[] memory) {
        return _tokenIds;
    }

    function people() external view returns (address[] memory) {
        return _people;
    }

    /// @notice Whether the tender's asset keeps to its standard for ever.
    function isWellBehaved(uint256 tokenId) public pure returns (bool) {
        return tokenId <= 6;
    }

    function vaultBalanceOf(uint256 tokenId) public view returns (uint256) {
        address asset = market.tenderTermsOf(tokenId).asset;
        address vault = market.vaultOf(tokenId);
        return asset == address(0) ? vault.balance : ScriptedToken(asset).balanceOf(vault);
    }

    /// @notice What of `amount` leaves the vault when it is sent to `to`; more than `amount` is undone.
    function deliverable(uint256 tokenId, address to, uint256 amount) public view returns (uint256) {
        address asset = market.tenderTermsOf(tokenId).asset;
        if (asset == address(0)) return _takesNative(to) ? amount : 0;
        uint256 moved = ScriptedToken(asset).moves(market.vaultOf(tokenId), to, amount);
        return moved > amount ? 0 : moved;
    }

    function _takesNative(address to) internal view returns (bool) {
        if (to.code.length == 0) return true;
        ScriptedPerson.Conduct c = ScriptedPerson(payable(to)).conduct();
        return c != ScriptedPerson.Conduct.Refuse && c != ScriptedPerson.Conduct.BurnGas;
    }

    function _isVerifier(address judge) internal view returns (bool) {
        return judge.code.length != 0 && ScriptedJudge(payable(judge)).isVerifier();
    }
}
