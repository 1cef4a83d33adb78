import { type Cid, cidDigest, type Sha256Digest } from '../digest/index.ts'
import { type Findings, report } from './findings.ts'
import { MAX_HISTORY } from './limits.ts'

/** A version that the chain has bound: its root's hash under its number, from 1. */
export type BoundVersion = { readonly hash: Sha256Digest; readonly version: bigint }

/**
 * The prev rule for a binding: absent at version 1, above it the hash of the version before. True when everything could
 * be checked, false when `history` does not say what the version before was. Source: ERC-8414, Version chain.
 */
export function checkVersionChain(
  prev: Cid | undefined,
  binding: BoundVersion,
  history: readonly BoundVersion[],
  findings: Findings,
): boolean {
  const where = 'root.prev'
  checkHistory(binding, history, findings)
  if (binding.version < 1n) {
    report(findings, 'binding.version', 'binding', `version ${binding.version}, expected 1 or more`)
    return true
  }
  if (binding.version === 1n) {
    if (prev !== undefined) report(findings, 'prev.unexpected', where, 'version 1 has no predecessor; omit prev')
    return true
  }
  if (prev === undefined) {
    report(findings, 'prev.missing', where, `version ${binding.version} must link the root of the version before`)
    return true
  }
  const before = history.find(({ version }) => version === binding.version - 1n)
  if (before === undefined) return false
  if (cidDigest(prev) !== before.hash)
    report(
      findings,
      'prev.mismatch',
      where,
      `digest ${cidDigest(prev)}, expected ${before.hash} of version ${before.version}`,
    )
  return true
}

function checkHistory(binding: BoundVersion, history: readonly BoundVersion[], findings: Findings): void {
  const where = 'history'
  if (history.length > MAX_HISTORY) {
    report(findings, 'history.conflict', where, `${history.length} bindings, expected ${MAX_HISTORY} or fewer`)
    return
  }
  const known = new Map([[binding.version, binding.hash]])
  for (const { version, hash } of history) {
    const other = known.get(version)
    if (other !== undefined && other !== hash)
      report(findings, 'history.conflict', where, `version ${version} is bound to ${other} and to ${hash}`)
    else if (version < 1n || version > binding.version)
      report(findings, 'history.conflict', where, `version ${version} is not before version ${binding.version}`)
    known.set(version, hash)
  }
}
