import { buildSecretTree, MAX_SECRETS } from '@oikos/sdk'
import { bytesToHex } from 'viem'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../command.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseWhole } from '../../input/number.ts'
import { writeSecretFile } from '../../input/receipts.ts'
import { readSecrets } from '../../input/secrets.ts'
import { toJsonText } from '../../output/plain.ts'

const SECRET_BYTES = 32

const create: CommandSpec = {
  name: 'new',
  summary: 'write random secrets into a file that only you can read',
  details: 'Each secret pays one delivery, whoever uses it first: give each to one party.',
  args: [['<file>', 'must not exist']],
  options: [{ flags: '--count <number>', text: 'how many (default 1)' }, ...OUTPUT_OPTIONS],
  examples: ['oikos task secret new secrets.json --count 3'],
  run: async (context, input) => {
    const { terminal, output } = context
    const range = { min: 1n, max: BigInt(MAX_SECRETS) }
    const count = Number(parseWhole(input.text('count') ?? '1', '--count', range))
    const secrets = Array.from({ length: count }, () => ({ secret: bytesToHex(terminal.entropy(SECRET_BYTES)) }))
    await writeSecretFile(terminal.cwd, input.argument(0), `${toJsonText({ secrets })}\n`)
    output.result({ ok: true, file: input.argument(0), count }, [`${count} secrets in ${input.argument(0)}`])
    output.next(`task secret tree ${input.argument(0)} --out tree.json`)
    return EXIT.done
  },
}

const tree: CommandSpec = {
  name: 'tree',
  summary: 'build the tree of secrets, with a proof for each',
  details: 'Reads {"secrets":[{"secret":"0x…"}]}. The proofs hold the secrets, so they are secret as well.',
  args: [['<file>', 'secrets']],
  options: [{ flags: '--out <file>', text: 'write root, secrets and proofs there; must not exist' }, ...OUTPUT_OPTIONS],
  examples: ['oikos task secret tree secrets.json --out tree.json'],
  run: async (context, input) => {
    const { terminal, output } = context
    const secrets = await readSecrets(terminal.cwd, input.argument(0))
    const built = buildSecretTree(secrets)
    const entries = secrets.map((secret, index) => ({
      secret: bytesToHex(secret),
      leaf: built.leaves[index],
      proof: built.proofs[index],
    }))
    const out = input.text('out')
    if (out !== undefined) {
      await writeSecretFile(terminal.cwd, out, `${toJsonText({ root: built.root, secrets: entries })}\n`)
    }
    const document = { ok: true, root: built.root, count: entries.length, file: out }
    output.result(out === undefined ? { ...document, secrets: entries } : document, [`root  ${built.root}`])
    output.next(
      `task commit secrets <task> ${out === undefined ? `--root ${built.root}` : `--tree ${out}`} --min-age 10m`,
    )
    return EXIT.done
  },
}

/** `oikos task secret`: what the Merkle-secret verifier needs, computed without a chain. */
export const secret: GroupSpec = {
  name: 'secret',
  summary: 'make secrets, their tree and their proofs for the Merkle-secret verifier',
  commands: [create, tree],
}
