import { inFile } from './mutant.ts'

/** Faults in mint, publication, freeze and document. */
export const bindingMutants = [
  ...inFile('task/TaskToken.sol', [
    [
      'if (updateAuthority == address(0) || acceptanceAuthority == address(0)) {',
      'if (updateAuthority == address(0)) {',
      'a tender is minted with a judge',
    ],
    [
      'if (updateAuthority == address(0) || acceptanceAuthority == address(0)) {',
      'if (acceptanceAuthority == address(0)) {',
      'a tender is minted with a publisher',
    ],
    [
      'if (tdHash == 0 || taskHash == 0) revert ZeroHash();',
      'if (tdHash == 0) revert ZeroHash();',
      'a tender is minted with a task hash',
    ],
    [
      'if (tdHash == 0 || taskHash == 0) revert ZeroHash();',
      'if (taskHash == 0) revert ZeroHash();',
      'a tender is minted with a document hash',
    ],
    ['        _checkTerms(terms);\n', '', 'terms are checked at mint'],
    ['tokenId = nextId++;', 'tokenId = ++nextId;', 'tokens count from 1'],
    ['if (terms.judgmentWindow <= type(uint24).max) t.shortWindow', 't.shortWindow', 'a long window is not cut'],
    ['t.version = 1;', 't.version = 0;', 'versions count from 1'],
    [
      'emit AcceptanceAuthorityChanged(tokenId, address(0), acceptanceAuthority);',
      '',
      'the genesis judge is announced',
    ],
    [
      'emit TaskUpdateAuthorityChanged(tokenId, address(0), updateAuthority);',
      '',
      'the genesis publisher is announced',
    ],
    ['emit TaskUpdated(tokenId, tdHash, taskHash, 1);', '', 'the genesis binding is announced'],
    [
      'interfaceId == type(ITaskToken).interfaceId || interfaceId == type(ITaskTender)',
      'interfaceId == type(ITaskTender)',
      'ITaskToken is declared',
    ],
    ['|| interfaceId == type(ITaskTender).interfaceId', '', 'ITaskTender is declared'],
    ['interfaceId == type(IOnchainTaskDocument).interfaceId || super', 'super', 'IOnchainTaskDocument is declared'],
    ['if (terms.rewardPerCompletion == 0) revert ZeroReward();', '', 'a tender pays something'],
    ['if (terms.judgmentWindow == 0) revert ZeroJudgmentWindow();', '', 'a judge has time'],
    ['terms.settleBy < terms.submitBy) {', 'terms.settleBy <= terms.submitBy) {', 'settleBy may be submitBy'],
    [
      'terms.submitBy != 0 && terms.settleBy != 0 && terms.settleBy',
      'terms.submitBy != 0 && terms.settleBy',
      'submitBy needs no settleBy',
    ],
    [
      'if ((terms.epochLength == 0) != (terms.maxCompletionsPerEpoch == 0)) {',
      'if (terms.epochLength == 0 && terms.maxCompletionsPerEpoch != 0) {',
      'an epoch needs a bound',
    ],
    [
      'if ((terms.epochLength == 0) != (terms.maxCompletionsPerEpoch == 0)) {',
      'if (terms.epochLength != 0 && terms.maxCompletionsPerEpoch == 0) {',
      'a bound needs an epoch',
    ],
  ]),
  ...inFile('task/TaskBindings.sol', [
    ['if (document == address(0)) revert NoOnchainDocument(tokenId);', '', 'no document is no answer'],
    [
      'if (t.document != address(0) && tdHash != t.tdHash) revert DocumentUpdateRequired(tokenId);',
      '',
      'a published document changes with its hash',
    ],
    [
      'if (t.document != address(0) && tdHash != t.tdHash) revert',
      'if (t.document != address(0)) revert',
      'a package changes beside its document',
    ],
    ['bytes32 tdHash = sha256(document);', 'bytes32 tdHash = keccak256(document);', 'a document is bound by SHA-256'],
    [
      '_storeDocument(t, tokenId, document, tdHash);\n    }\n\n    /// @dev Allowed',
      '}\n\n    /// @dev Allowed',
      'an updated document is stored',
    ],
    ['if (t.document != address(0)) revert DocumentAlreadyPublished(tokenId);', '', 'a document is published once'],
    [
      'if (got != t.tdHash) revert DocumentMismatch(tokenId, got, t.tdHash);',
      '',
      'only the bound document is published',
    ],
    ['if (newAuthority == address(0)) revert ZeroAuthority();', '', 'publication is never abandoned'],
    [
      'emit TaskUpdateAuthorityChanged(tokenId, msg.sender, newAuthority);',
      'emit TaskUpdateAuthorityChanged(tokenId, newAuthority, msg.sender);',
      'TaskUpdateAuthorityChanged tells who was before',
    ],
    [
      'if (t.frozen) revert TaskIsFrozen(tokenId);\n        t.frozen = true;',
      't.frozen = true;',
      'a task is frozen once',
    ],
    ['        t.frozen = true;\n', '', 'a freeze is recorded'],
    [
      'if (msg.sender != t.updateAuthority) revert NotUpdateAuthority(tokenId, msg.sender, t.updateAuthority);',
      '',
      'only the publisher publishes',
    ],
    ['if (bytes(uri).length == 0) revert EmptyURI();', '', 'a package can be found'],
    [
      'if (t.frozen) revert TaskIsFrozen(tokenId);\n        if (taskHash',
      'if (taskHash',
      'a frozen task does not change',
    ],
    [
      'if (tdHash == 0 || taskHash == 0) revert ZeroHash();',
      'if (tdHash == 0) revert ZeroHash();',
      'an update has a task hash',
    ],
    [
      'if (tdHash == 0 || taskHash == 0) revert ZeroHash();',
      'if (taskHash == 0) revert ZeroHash();',
      'an update has a document hash',
    ],
    ['if (taskHash == t.taskHash) revert TaskHashUnchanged(tokenId, taskHash);', '', 'an update changes something'],
    ['uint40 version = t.version + 1;', 'uint40 version = t.version + 2;', 'versions count by one'],
    [
      'if (document.length > MAX_DOCUMENT_BYTES) revert',
      'if (document.length >= MAX_DOCUMENT_BYTES) revert',
      'the largest document fits',
    ],
    ['MAX_DOCUMENT_BYTES = 24_575', 'MAX_DOCUMENT_BYTES = 25_000', 'a document that is too large says so'],
    ['emit TaskDocumentPublished(tokenId, tdHash);', '', 'TaskDocumentPublished is emitted'],
  ]),
]
