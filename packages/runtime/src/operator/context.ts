import type { Address } from 'viem'
import type { Action } from './action.ts'
import { KillSwitch } from './kill-switch.ts'
import { type OperatorLog, silentLog } from './log.ts'
import { type OperatorOptions, type OperatorSettings, resolveSettings } from './options.ts'
import type { OperatorIdentity } from './store/leases.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'

/** What every part of an operator works with. */
export type OperatorContext = Omit<OperatorOptions, 'settings' | 'log' | 'holder'> & {
  readonly settings: OperatorSettings
  readonly identity: OperatorIdentity
  readonly holder: string
  readonly log: OperatorLog
  readonly telemetry: Telemetry
  readonly killSwitch: KillSwitch
}

/** Puts the parts together. @throws OperatorOptionError */
export function createContext(options: OperatorOptions): OperatorContext {
  const { settings: given, log = silentLog, holder = crypto.randomUUID(), ...parts } = options
  const settings = resolveSettings(given)
  const identity = identityOf(parts.chainId, parts.agent, parts.account.address)
  return {
    ...parts,
    ...{ settings, identity, log, holder, telemetry: createTelemetry() },
    killSwitch: new KillSwitch(settings.killSwitchFile, () => parts.store.notes.findHalt(identity.agent)),
  }
}

/** How the database knows an Agent and a signing account. */
export function identityOf(chainId: number, agent: Address, account: Address): OperatorIdentity {
  return { agent: agentKey(chainId, agent), account: agentKey(chainId, account) }
}

/** `chainId/address` in lower case. */
export function agentKey(chainId: number, address: Address): string {
  return `${chainId}/${address.toLowerCase()}`
}

/** Fields that every line about an action has. */
export function actionFields(action: Action): object {
  const { id, kind, subject, state, nonce, hash } = action
  return { action: id, kind, subject, state, nonce: nonce?.toString(), hash }
}
