/**
 * What English customers write about, by subject: a general vocabulary that a label takes part in as far as its name and
 * description speak of the subject. A spec with other subjects is served by its own words alone.
 */
export type Subject = {
  /** Words by which a label's name and description are known to mean this subject. */
  readonly signs: string
  /** Words and phrases of messages about it. A phrase counts as much as its words together. */
  readonly words: string
}

export const SUBJECTS: readonly Subject[] = [
  {
    signs: 'money charge invoice tax billing payment price refund statement',
    words:
      'invoice bill charge pay paid payment price cost fee vat tax refund credit debit card bank statement receipt reminder amount cent euro dollar discount "credit note" "purchase order" annual accounting',
  },
  {
    signs: 'sign login password access permission account invitation authentication',
    words:
      'login "log in" "sign in" "signed in" "sign-in" password code "reset link" locked "locked out" lock account administrator admin permission role invitation invite user username identity "two step" verification authenticator token session',
  },
  {
    signs: 'goods delivery shipping parcel lost late damaged',
    words:
      'parcel package box courier driver carrier van shipment ship delivery deliver delivered tracking address arrive arrived order sent customs door desk missing damaged wet broken replacement part item wrong return warehouse',
  },
  {
    signs: 'ending cancel cancellation terminate reduce unsubscribe',
    words:
      'cancel cancellation end stop terminate termination close renew renewal renewing extension notice subscription plan contract seat remove "no longer" "no longer need" unsubscribe quit leave deleted delete "take off" downgrade "close the account"',
  },
  {
    signs: 'defect bug broken work works error fault problem',
    words:
      'crash fail fails failed error bug freeze freezes hang broken wrong nothing blank "does not" "does nothing" "do not" cannot unable since update version restart "stopped working" slow search upload export button page screen app',
  },
  {
    signs: 'wish request feature exist suggestion idea',
    words:
      '"would be good" "would be nice" "would be great" "would help" "it would" "would love" "could you add" "could the" "let us" add option feature support allow able wish hope suggest prefer "an option" "please let"',
  },
  {
    signs: 'praise compliment thanks positive',
    words: 'thanks thank great love excellent happy perfect wonderful helpful friendly "well done" "thank you"',
  },
  {
    signs: 'complaint negative anger dissatisfaction',
    words: 'unacceptable disappointed angry terrible worst rude awful complaint annoyed "never again" poor lawyer',
  },
]
