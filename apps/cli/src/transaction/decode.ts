import {
  agentAbi,
  agentFactoryAbi,
  attestedValuationAbi,
  batchReceiptVerifierAbi,
  bondedGateAbi,
  erc4626ValuationAbi,
  fundingRouterAbi,
  hashlockVerifierAbi,
  juryPanelAbi,
  merkleSecretVerifierAbi,
  scopeAbi,
  splitterAbi,
  streakVerifierAbi,
  taskTokenAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
import { type Address, erc20Abi, isAddressEqual, type Log, parseEventLogs } from 'viem'

/** An event of a transaction, decoded. Amounts are in smallest units, times in unix seconds. */
export type DecodedEvent = {
  readonly name: string
  readonly address: Address
  readonly args: Readonly<Record<string, unknown>>
}

/** Abis that are tried on a log, in this order; the ERC-721 events of a task contract come before those of ERC-20. */
const ABIS = [
  ...[taskTokenAbi, hashlockVerifierAbi, batchReceiptVerifierAbi, merkleSecretVerifierAbi],
  // a streak verifier declares what a signed outcome verifier does
  ...[streakVerifierAbi, juryPanelAbi, splitterAbi, fundingRouterAbi, bondedGateAbi, tenderRoyaltyAbi],
  ...[agentAbi, agentFactoryAbi, scopeAbi, erc4626ValuationAbi, attestedValuationAbi, erc20Abi],
] as const

/** Decodes the logs of a receipt that one of the given contracts wrote; others are left out. */
export function decodeLogs(logs: readonly Log[], contracts: readonly Address[]): DecodedEvent[] {
  return logs
    .filter(({ address }) => contracts.some((contract) => isAddressEqual(contract, address)))
    .flatMap((log) => {
      for (const abi of ABIS) {
        const [event] = parseEventLogs({ abi, logs: [log], strict: true })
        if (event === undefined) continue
        return [{ name: event.eventName, address: event.address, args: event.args as DecodedEvent['args'] }]
      }
      return []
    })
}
