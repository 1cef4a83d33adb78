import type { AdmittedIntent, BuiltTransaction, Limits } from '../src/economic/index.ts'
import {
  admitIntent,
  buildUnsigned,
  isRail,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  parseIntent,
  parsePolicy,
  parseSnapshot,
  policyShape,
  RAIL_NETWORKS,
  renderCanonical,
  utf8,
} from '../src/economic/index.ts'
import type { RlpItem } from '../src/economic/rails/rlp.ts'
import { decodeRlpList, encodeRlpList } from '../src/economic/rails/rlp.ts'
import { concatBytes } from '../src/economic/text.ts'
import { id } from './economic-fixture.ts'

/** Builds the transaction of a recorded intent on a recorded snapshot, under a policy that allows the most. */
export function buildOnGoldenSnapshot(
  intentText: string,
  snapshotText: string,
): { built: BuiltTransaction; limits: Limits; admitted: AdmittedIntent } {
  const intent = parseIntent(utf8(intentText))
  const { payment } = intent.document
  if (payment.kind === 'x402' || !isRail(payment.kind)) throw new Error('expected a plain payment')
  const policyText = renderCanonical(policyShape, {
    schema: 'semaprax.economic-agent-policy.v1',
    economic_agent_id: id('fixture.economic'),
    wallet_id: intent.document.wallet_id,
    network_policies: [
      {
        rail: payment.kind,
        ...RAIL_NETWORKS[payment.kind],
        recipients: [payment.recipient as never],
        max_amount_atomic: PRODUCTION_LIMITS.max_amount_atomic,
        max_fee_atomic: PRODUCTION_LIMITS.max_fee_atomic,
        max_rolling_24h_atomic: PRODUCTION_LIMITS.max_amount_atomic,
      },
    ],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
  const admitted = admitIntent(parsePolicy(utf8(policyText)), intent)
  const snapshot = parseSnapshot(utf8(snapshotText), admitted)
  return { built: buildUnsigned(admitted, snapshot.document), limits: PRODUCTION_LIMITS, admitted }
}

/** The unsigned transfer with three more items, whether they make sense or not. */
export function signEvm(
  unsigned: Uint8Array,
  signature: { readonly parity: RlpItem; readonly r: RlpItem; readonly s: RlpItem },
): Uint8Array {
  const items = decodeRlpList(unsigned.subarray(1))
  return concatBytes(Uint8Array.of(2), encodeRlpList([...items, signature.parity, signature.r, signature.s]))
}
