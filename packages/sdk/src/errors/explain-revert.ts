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
  signedOutcomeVerifierAbi,
  splitterAbi,
  streakVerifierAbi,
  taskTokenAbi,
  taskVaultAbi,
  tenderRoyaltyAbi,
} from '@oikos/core/abi'
import { type Abi, decodeAbiParameters, type Hex, size, slice, toFunctionSelector } from 'viem'
import type { Asset } from '../asset/asset.ts'
import { agentFactoryReverts } from './agent-factory-reverts.ts'
import { agentReverts } from './agent-reverts.ts'
import { bondedGateReverts } from './bonded-gate-reverts.ts'
import { fundingRouterReverts } from './funding-router-reverts.ts'
import { juryPanelReverts } from './jury-reverts.ts'
import { type AbiErrorItem, type AnyRevertTable, nameArguments, type RevertExplanation } from './revert-table.ts'
import { tenderRoyaltyReverts } from './royalty-reverts.ts'
import { scopeReverts } from './scope-reverts.ts'
import { type Speech, speechFor } from './speech.ts'
import { splitterReverts } from './splitter-reverts.ts'
import { taskTokenReverts } from './task-token-reverts.ts'
import { attestedValuationReverts, vaultValuationReverts } from './valuation-reverts.ts'
import { taskVaultReverts } from './vault-reverts.ts'
import {
  batchReceiptVerifierReverts,
  hashlockVerifierReverts,
  merkleSecretVerifierReverts,
  signedOutcomeVerifierReverts,
  streakVerifierReverts,
} from './verifier-reverts.ts'

/** A revert, decoded and explained. */
export type ExplainedRevert = RevertExplanation & {
  /** Name in the contract; `Error` and `Panic` are the two of the Solidity language. */
  errorName: string
  /** Arguments under their names in the contract. */
  args: Readonly<Record<string, unknown>>
}

type Entry = { item: AbiErrorItem; explain: AnyRevertTable[string] }

/** Of errors that several contracts declare alike, the words of the last one count. */
const tables: readonly (readonly [Abi, unknown])[] = [
  [juryPanelAbi, juryPanelReverts],
  [splitterAbi, splitterReverts],
  [fundingRouterAbi, fundingRouterReverts],
  [bondedGateAbi, bondedGateReverts],
  [tenderRoyaltyAbi, tenderRoyaltyReverts],
  [signedOutcomeVerifierAbi, signedOutcomeVerifierReverts],
  [streakVerifierAbi, streakVerifierReverts],
  [merkleSecretVerifierAbi, merkleSecretVerifierReverts],
  [taskTokenAbi, taskTokenReverts],
  [taskVaultAbi, taskVaultReverts],
  [batchReceiptVerifierAbi, batchReceiptVerifierReverts],
  [hashlockVerifierAbi, hashlockVerifierReverts],
  [agentAbi, agentReverts],
  [agentFactoryAbi, agentFactoryReverts],
  [scopeAbi, scopeReverts],
  [erc4626ValuationAbi, vaultValuationReverts],
  [attestedValuationAbi, attestedValuationReverts],
]

function indexBySelector(): ReadonlyMap<Hex, Entry> {
  const entries = new Map<Hex, Entry>()
  for (const [abi, table] of tables) {
    for (const item of abi) {
      if (item.type !== 'error') continue
      // Every table was checked against its ABI where it is written; only its index by name is untyped.
      const explain = (table as AnyRevertTable)[item.name]
      if (explain !== undefined) entries.set(selectorOf(item), { item, explain })
    }
  }
  return entries
}

function selectorOf(item: AbiErrorItem): Hex {
  return toFunctionSelector(`${item.name}(${item.inputs.map((input) => input.type).join(',')})`)
}

const bySelector = indexBySelector()

/** Longest reason text of a `require` that is passed on; longer ones are cut. */
const MAX_REASON_LENGTH = 300

/** The two errors of the Solidity language. Source: Solidity documentation, Panic via assert and Error via require. */
const language: readonly Entry[] = [
  {
    item: { type: 'error', name: 'Error', inputs: [{ name: 'reason', type: 'string' }] },
    explain: ({ reason }) => ({
      sentence: `The contract refused the call: ${printable(String(reason)).slice(0, MAX_REASON_LENGTH)}`,
      advice: 'The reason is in the words of that contract.',
    }),
  },
  {
    item: { type: 'error', name: 'Panic', inputs: [{ name: 'code', type: 'uint256' }] },
    explain: ({ code }) => ({
      sentence: `The contract stopped with panic code 0x${(code as bigint).toString(16)}.`,
      advice: 'Check the amounts and numbers of the call; 0x11 means that a number grew too large.',
    }),
  },
]
const languageBySelector: ReadonlyMap<Hex, Entry> = new Map(language.map((entry) => [selectorOf(entry.item), entry]))

/** Text of a stranger without the characters that could change how a terminal or page shows it. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�')
}

/**
 * Explains the data of a revert of a contract of ours: tasks, vaults, verifiers and the other companions, Agents,
 * factory, Scope, valuations.
 * @param data what the call returned when it reverted
 * @param context.asset makes amounts readable
 * @returns undefined when the data is empty or is no error that is known here
 */
export function explainRevert(data: Hex, context: { asset?: Asset | undefined } = {}): ExplainedRevert | undefined {
  if (size(data) < 4) return undefined
  const selector = slice(data, 0, 4)
  const entry = bySelector.get(selector) ?? languageBySelector.get(selector)
  if (entry === undefined) return undefined
  const args = decodeArguments(entry.item, data)
  if (args === undefined) return undefined
  const say: Speech = speechFor(context.asset)
  return { errorName: entry.item.name, args, ...entry.explain(args, say) }
}

function decodeArguments(item: AbiErrorItem, data: Hex): Record<string, unknown> | undefined {
  if (item.inputs.length === 0) return {}
  try {
    return nameArguments(item, decodeAbiParameters(item.inputs, slice(data, 4)))
  } catch {
    return undefined // the selector of a known error with other bytes behind it: not that error
  }
}
