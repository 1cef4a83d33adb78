import {
  type CompanionKind,
  type CompanionTerms,
  companionDeployData,
  DeployedCodeError,
  identifyCompanion,
  toOikosError,
} from '@oikos/sdk'
import { type Address, getAddress } from 'viem'
import { call } from 'viem/actions'
import type { Context } from '../../context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { performWrite, prepareSigner, type Write } from '../../transaction/perform.ts'
import { reportWrite } from '../../transaction/report.ts'

/** A companion that a command deploys. */
export type Deployment<kind extends CompanionKind> = {
  readonly kind: kind
  readonly terms: CompanionTerms[kind]
  /** Name of the contract in contracts/src. */
  readonly contractName: string
  readonly title: string
  readonly effects: readonly string[]
  /** Commands for afterwards, with the address of the new contract. */
  readonly next: (address: Address) => readonly string[]
} & Pick<Write, 'warnings' | 'asset'>

/**
 * Deploys a companion: the creation is executed first without being sent, so that a refusal costs nothing, and afterwards
 * the code on the chain is compared with that of this version.
 * @throws what performWrite throws, DeployedCodeError
 */
export async function runDeployment<kind extends CompanionKind>(
  context: Context,
  input: Input,
  deployment: Deployment<kind>,
): Promise<ExitCode> {
  const { kind, terms, contractName, title, effects, next, warnings, asset } = deployment
  const connection = await context.connection()
  const { client } = connection
  const signer = await prepareSigner(context, input)
  const data = companionDeployData(kind, terms)
  const performed = await performWrite(context, input, connection, signer, {
    ...{ title, contract: undefined, functionName: contractName, effects, event: undefined },
    ...(warnings === undefined ? {} : { warnings }),
    ...(asset === undefined ? {} : { asset }),
    simulate: async (account) => {
      try {
        await call(client, { account, data })
      } catch (error) {
        throw toOikosError(error, { functionName: contractName, account, asset })
      }
      return { request: { account, data, value: 0n }, result: undefined }
    },
  })
  const deployed = performed.sent?.deployed
  const address = deployed === undefined ? undefined : getAddress(deployed)
  if (address !== undefined) {
    const found = await identifyCompanion(client, { address })
    if (found?.kind !== kind) throw new DeployedCodeError(address, 'its code is not what this version creates.')
  }
  return reportWrite(context, performed, {
    document: { kind, address },
    next: address === undefined ? [] : next(address),
  })
}
