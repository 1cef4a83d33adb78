import { inFile } from './mutant.ts'

/** Faults in the lock and in calls to contracts that nobody vouches for. */
export const callMutants = [
  ...inFile('task/TaskState.sol', [
    ['lock.tstore(true);', '', 'a tender is entered once'],
    ['lock.tstore(false);', '', 'a tender can be entered again'],
    [
      'LOCKS.deriveMapping(tokenId).asBoolean();',
      'LOCKS.asBoolean();',
      'the lock that is set is the one that is asked',
    ],
    [
      'if (LOCKS.deriveMapping(tokenId).asBoolean().tload()) revert TenderLocked(tokenId);',
      '',
      'a locked tender refuses',
    ],
    [
      '        _requireUnlocked(tokenId);\n        TransientSlot',
      '        TransientSlot',
      'the lock is asked before it is set',
    ],
    ['if (t.vault == address(0)) revert ERC721NonexistentToken(tokenId);', '', 'a tender that does not exist says so'],
  ]),
  ...inFile('task/BoundedCall.sol', [
    ['PROBE_GAS = 30_000', 'PROBE_GAS = 10_000', 'a slow verifier is a verifier'],
    ['PROBE_GAS = 30_000', 'PROBE_GAS = 20_000_000', 'a probe has a limit'],
    ['PROBE_GAS_REQUIRED = 40_000', 'PROBE_GAS_REQUIRED = 1_000', 'a starved probe answers nothing'],
    [
      'success := call(gasLimit, target, 0, add(data, 0x20), mload(data), 0x00, 0x20)',
      'success := call(gas(), target, 0, add(data, 0x20), mload(data), 0x00, 0x20)',
      'a call keeps its limit',
    ],
    ['staticcall(gasLimit, target,', 'staticcall(gas(), target,', 'a static call keeps its limit'],
    [
      'if (asset == address(0)) return account.balance;',
      'if (asset == address(0)) return 0;',
      'native currency is a balance',
    ],
    [
      'if (!success || size < 32) revert ITaskErrors',
      'if (size < 32) revert ITaskErrors',
      'a balance that reverts is unreadable',
    ],
    [
      'if (!success || size < 32) revert ITaskErrors',
      'if (!success) revert ITaskErrors',
      'a short balance is unreadable',
    ],
    [
      'if (account.code.length == 0) return false;',
      'if (account.code.length == 0) return true;',
      'an account without code is no verifier',
    ],
    [
      'return probe(account, interfaceId) && probe(account, IERC165.supportsInterface.selector)',
      'return probe(account, interfaceId)',
      'a verifier declares ERC-165 itself',
    ],
    ['            && !probe(account, 0xffffffff);', ';', 'a contract that says yes to everything is no verifier'],
    [
      'return success && size >= 32 && word == 1;',
      'return success && size >= 32 && word != 0;',
      'only exactly one is a yes',
    ],
    // no fault: dropping `size >= 32` here, since the last byte of a shorter reply is zero and the word cannot be 1
    ['return success && size >= 32 && word == 1;', 'return size >= 32 && word == 1;', 'a revert is a no'],
  ]),
]
