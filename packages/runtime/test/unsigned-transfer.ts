import {
  type AdmittedIntent,
  type BuiltTransaction,
  bitcoinScript,
  buildUnsigned,
  type ChainSnapshot,
  documentSchema,
  isRailAddress,
  PRODUCTION_LIMITS,
  RAIL_NETWORKS,
  type Rail,
  type RailAddress,
  type Settlement,
} from '@oikos/core/economic'

/** A transfer of a test. `serial` makes transfers of the same values different transactions. */
export type TestTransfer = {
  readonly rail: Rail
  readonly from: RailAddress
  readonly to: RailAddress
  readonly amountAtomic: bigint
  readonly serial?: number
}

/** The unsigned bytes that the engine would build. Each costs at most 100,000 of the smallest unit. */
export function unsignedTransfer(transfer: TestTransfer): BuiltTransaction {
  const settlement = settlementOf(transfer)
  const admitted = { settlement, policy: { document: { limits: PRODUCTION_LIMITS } } }
  // The encoder looks at nothing else of an admitted intent.
  return buildUnsigned(admitted as unknown as AdmittedIntent, snapshotOf(transfer))
}

/** What all these transfers may cost, in the smallest unit. */
export const MAX_FEE_ATOMIC = 100_000n

function settlementOf({ rail, to, amountAtomic }: TestTransfer): Settlement {
  const amounts = { amountAtomic, maxFeeAtomic: MAX_FEE_ATOMIC }
  switch (rail) {
    case 'evm':
      return { rail, ...RAIL_NETWORKS.evm, recipient: addressOf(rail, to), ...amounts }
    case 'solana':
      return {
        rail,
        ...RAIL_NETWORKS.solana,
        recipient: addressOf(rail, to),
        ...amounts,
        maxComputeUnits: 200_000n,
        maxPriorityFeeAtomic: 1_000n,
      }
    case 'bitcoin':
      return { rail, ...RAIL_NETWORKS.bitcoin, recipient: addressOf(rail, to), ...amounts, confirmationTarget: 1n }
    default:
      return rail satisfies never
  }
}

function addressOf<R extends Rail>(rail: R, text: string): RailAddress<R> {
  if (!isRailAddress(rail, text)) throw new Error(`no address of ${rail}: ${text}`)
  return text
}

function snapshotOf({ rail, from, serial = 0 }: TestTransfer): ChainSnapshot {
  const head = { schema: documentSchema('snapshot'), observed_at_ms: 1n, expires_at_ms: 2n } as const
  switch (rail) {
    case 'evm':
      return {
        ...head,
        rail,
        network: RAIL_NETWORKS.evm.network,
        state: {
          chain_id: 11_155_111n,
          from: addressOf(rail, from),
          nonce: BigInt(serial),
          base_fee_per_gas: 1n,
          max_priority_fee_per_gas: 2n,
          gas_limit: 21_000n,
        },
      }
    case 'solana':
      return {
        ...head,
        rail,
        network: RAIL_NETWORKS.solana.network,
        state: {
          fee_payer: addressOf(rail, from),
          recent_blockhash: `${'1'.repeat(31)}${'23456789ABCDEFGHJKLMNPQRSTUVWXYZ'[serial % 32]}`,
          last_valid_block_height: 100n,
          lamports_per_signature: 5_000n,
        },
      }
    case 'bitcoin': {
      const script = Buffer.from(bitcoinScript(addressOf(rail, from))).toString('hex')
      return {
        ...head,
        rail,
        network: RAIL_NETWORKS.bitcoin.network,
        state: {
          wallet_script_pubkey: script,
          height: 100n,
          fee_rate_sat_vbyte: 3n,
          utxos: [0, 1].map((vout) => ({
            txid: serial.toString(16).padStart(64, '0'),
            vout: BigInt(vout),
            value_atomic: 60_000n,
            script_pubkey: script,
            confirmations: 1n,
          })),
        },
      }
    }
    default:
      return rail satisfies never
  }
}
