import type { Asset } from '@oikos/sdk'
import type { Address } from 'viem'
import type { Connection } from '../../chain/connect.ts'
import type { Context } from '../../context.ts'
import type { ExitCode } from '../../exit-codes.ts'
import type { Input } from '../../input/input.ts'
import { performWrite, prepareSigner, type Write } from '../../transaction/perform.ts'
import { type ReportExtras, reportWrite } from '../../transaction/report.ts'

/** A write to a companion: its contract is the companion. */
export type CompanionWrite = Omit<Write, 'contract'>

/** A write to a companion from signer to report, for commands that do nothing else. */
export async function runCompanionWrite(
  context: Context,
  input: Input,
  at: { readonly connection: Connection; readonly address: Address; readonly asset?: Asset },
  write: CompanionWrite,
  extras: ReportExtras = {},
): Promise<ExitCode> {
  const signer = await prepareSigner(context, input)
  const performed = await performWrite(context, input, at.connection, signer, {
    contract: at.address,
    ...(at.asset === undefined ? {} : { asset: at.asset }),
    ...write,
  })
  return reportWrite(context, performed, extras)
}
