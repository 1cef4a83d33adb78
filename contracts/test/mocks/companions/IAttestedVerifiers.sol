// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title What the verifiers with attestors offer beyond the stock ones, as an interface
interface IAttestedOutcome {
    event AttestorsCommitted(
        address indexed taskContract, uint256 indexed tokenId, address[] attestors, uint256 threshold
    );

    error AttestorsNotAscending(address previous, address attestor);
    error TooManyAttestors(uint256 count, uint256 max);
    error ThresholdOutOfRange(uint256 threshold, uint256 attestors);

    function thresholdOf(address taskContract, uint256 tokenId) external view returns (uint256);
    function isAttestor(address taskContract, uint256 tokenId, address account) external view returns (bool);
    function outcomeDigest(
        address taskContract,
        uint256 tokenId,
        uint256 submissionId,
        address fulfiller,
        bytes32 resultHash
    ) external view returns (bytes32);
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        );
}

interface ISignedOutcomeVerifier is IAttestedOutcome {
    function commitAttestors(address taskContract, uint256 tokenId, address[] calldata attestors, uint256 threshold)
        external;
}

interface IStreakVerifier is IAttestedOutcome {
    event StreakCommitted(address indexed taskContract, uint256 indexed tokenId, uint64 epochLength, uint64 graceSec);
    event SeatTaken(address indexed taskContract, uint256 indexed tokenId, address indexed provider, uint256 epoch);
    event SeatForfeited(
        address indexed taskContract, uint256 indexed tokenId, address indexed provider, uint256 missedEpoch
    );

    error NoCadence(address taskContract, uint256 tokenId);
    error NothingMissed(address taskContract, uint256 tokenId);

    function streakOf(address taskContract, uint256 tokenId)
        external
        view
        returns (address provider, uint64 lastEpoch, uint64 epochLength, uint64 graceSec);
    function hasForfeited(address taskContract, uint256 tokenId, address provider) external view returns (bool);
    function providerOf(address taskContract, uint256 tokenId) external view returns (address);
    function declareMiss(address taskContract, uint256 tokenId) external;
    function commitStreak(
        address taskContract,
        uint256 tokenId,
        address[] calldata attestors,
        uint256 threshold,
        uint64 graceSec
    ) external;
}

/// @title What the verifier with one secret per completion offers beyond the stock ones
interface IMerkleSecretVerifier {
    event SecretsCommitted(address indexed taskContract, uint256 indexed tokenId, bytes32 root, uint64 minAge);
    event SecretSpent(address indexed taskContract, uint256 indexed tokenId, bytes32 indexed leaf);

    error MinAgeOutOfRange(uint64 minAge, uint64 judgmentWindow);

    function secretsOf(address taskContract, uint256 tokenId) external view returns (bytes32 root, uint64 minAge);
    function isSpent(address taskContract, uint256 tokenId, bytes32 leaf) external view returns (bool);
    function commitSecrets(address taskContract, uint256 tokenId, bytes32 root, uint64 minAge) external;
}
