import type { WalletCustody } from '../economic/host.ts'
import { CustodyError, type CustodyFailureListener } from './errors.ts'
import type { Vault } from './vault.ts'

/**
 * What the engine is given of a vault: it can have signed, and learns a disposition. Whatever the vault throws reaches
 * `onFailure` and nobody else.
 */
export function createWalletCustody(vault: Pick<Vault, 'sign'>, onFailure?: CustodyFailureListener): WalletCustody {
  return {
    sign: async (request, sink) => {
      try {
        sink.push(await vault.sign(request))
        return 'succeeded'
      } catch (cause) {
        if (!(cause instanceof CustodyError)) throw cause
        onFailure?.(cause)
        return cause.disposition
      }
    },
  }
}
