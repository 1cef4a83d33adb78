/** What a careful buyer or fulfiller is told about a tender, short for a row and whole for its page. */
export const enWarnings = {
  unfrozen: { short: 'not frozen', long: 'The description is not frozen: its author can change what is asked for.' },
  'authority-with-owner': {
    short: 'owner can change it',
    long: 'The owner of the token can change the description.',
  },
  'judge-is-owner': { short: 'owner judges', long: 'Who owns the tender also judges deliveries to it.' },
  'verifier-of-unknown-kind': {
    short: 'unknown verifier',
    long: 'A contract that is not known here decides. Read it before you work.',
  },
  'window-too-short': { short: 'short window', long: 'The window for a judgment is short: a judge may miss it.' },
  'settlement-closed': { short: 'settlement closed', long: 'The time in which deliveries can be settled is over.' },
  underfunded: { short: 'too little money', long: 'The vault cannot pay one more completion.' },
  'no-terms': { short: 'no terms', long: 'The contract does not tell the terms.' },
  'foreign-implementation': {
    short: 'foreign code',
    long: 'This contract is another implementation of the standard; nothing here says what its code does.',
  },
  'package-refused': { short: 'files broken', long: 'The files do not match what the chain says.' },
  'package-unavailable': { short: 'files missing', long: 'The files were not to be had when we looked.' },
} as const
