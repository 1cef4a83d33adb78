import { agentOf, openPurse, proposal, supplier } from './purse.ts'

/** Pays 300 wei and is killed in the instant in which the chain has the transaction and nobody knows it yet. */
const [folder = '', idempotencyKey = '', createdAtMs = ''] = process.argv.slice(2)
const purse = await openPurse(folder, { onBroadcast: () => void process.kill(process.pid, 'SIGKILL') })
await agentOf(purse).execute(proposal(idempotencyKey, supplier, 300n, BigInt(createdAtMs)))
