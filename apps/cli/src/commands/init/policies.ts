import {
  documentSchema,
  type Identifier,
  isEvmAddress,
  isIdentifier,
  NONCLAIMS,
  PRODUCTION_LIMITS,
  policyShape,
  RAIL_NETWORKS,
  renderCanonical,
} from '@oikos/core/economic'
import { POLICY_SCHEMA, type PolicyDocument } from '@oikos/core/scope-policy'
import type { Deployment } from '@oikos/sdk'
import type { Address } from 'viem'

/** Where nothing can be paid to, until the operator names recipients. Nobody has its key. */
const NOBODY = '0x000000000000000000000000000000000000dead'
/** Most of a payment, and of 24 hours, in wei: what a mistake of a beginner may cost, and nothing to nobody. */
const MAX_PAYMENT_WEI = 1_000_000_000_000_000n
const MAX_DAY_WEI = 5_000_000_000_000_000n
const MAX_FEE_WEI = 500_000_000_000_000n

/** The canonical text of a payment policy: small amounts, to the operator's own account until others are named. */
export function paymentPolicy(agentId: string, own: Address | undefined): string {
  const recipient = (own ?? NOBODY).toLowerCase()
  if (!isEvmAddress(recipient)) throw new TypeError('an account has an address')
  return renderCanonical(policyShape, {
    schema: documentSchema('policy'),
    economic_agent_id: identifier(agentId),
    wallet_id: identifier('operator'),
    network_policies: [
      {
        ...{ rail: 'evm', ...RAIL_NETWORKS.evm, recipients: [recipient] },
        max_amount_atomic: own === undefined ? 1n : MAX_PAYMENT_WEI,
        max_fee_atomic: MAX_FEE_WEI,
        max_rolling_24h_atomic: own === undefined ? 1n : MAX_DAY_WEI,
      },
    ],
    x402_origins: [],
    limits: PRODUCTION_LIMITS,
    nonclaims: NONCLAIMS,
  })
}

/** The first boundary of the Agent: deliver to tenders of the known market, a few times a day, and nothing else. */
export function scopePolicy(deployment: Deployment | undefined): PolicyDocument {
  const deliver = {
    to: 'market',
    call: 'submitFulfillment(uint256 tokenId, bytes32 resultHash, string resultURI)',
    calls: { limit: 10, refill: '1 day' },
    note: 'Work for tenders. It costs nothing but gas.',
  }
  return {
    schema: POLICY_SCHEMA,
    title: deployment === undefined ? 'No call is allowed yet' : 'Deliver to tenders, and nothing else',
    delay: '2 days',
    ...(deployment === undefined ? {} : { contracts: { market: deployment.taskToken } }),
    rules: deployment === undefined ? [] : [deliver],
  }
}

function identifier(text: string): Identifier {
  if (!isIdentifier(text)) throw new TypeError(`${text} is no identifier`)
  return text
}
