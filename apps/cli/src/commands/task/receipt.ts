import { batchReceiptLeaf, buildReceiptTree, MAX_RECEIPTS } from '@oikos/sdk'
import { bytesToHex } from 'viem'
import { type CommandSpec, type GroupSpec, KEY_OPTIONS, OUTPUT_OPTIONS } from '../../command.ts'
import { UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { parseWhole } from '../../input/number.ts'
import { readReceipt, readReceipts, writeSecretFile } from '../../input/receipts.ts'
import { factLines } from '../../output/layout.ts'
import { toJsonText } from '../../output/plain.ts'

/** Random bytes of a receipt that is made here: whoever guesses it is paid. */
const RECEIPT_BYTES = 32

const create: CommandSpec = {
  name: 'new',
  summary: 'write random receipts for a fulfiller into a file that only you can read',
  args: [['<file>', 'must not exist']],
  options: [
    { flags: '--fulfiller <account>', text: 'who will be paid: an address or key name' },
    { flags: '--count <number>', text: 'how many (default 1)' },
    ...KEY_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: ['oikos task receipt new receipts.json --fulfiller 0x000000000000000000000000000000000000dEaD --count 3'],
  run: async (context, input) => {
    const { terminal, output } = context
    const named = input.text('fulfiller')
    if (named === undefined) throw new UsageError('A receipt pays one fulfiller.', 'Name it with --fulfiller.')
    const fulfiller = await parseAddress(context, named, '--fulfiller')
    const range = { min: 1n, max: BigInt(MAX_RECEIPTS) }
    const count = Number(parseWhole(input.text('count') ?? '1', '--count', range))
    const receipts = Array.from({ length: count }, () => ({
      receipt: bytesToHex(terminal.entropy(RECEIPT_BYTES)),
      fulfiller,
    }))
    await writeSecretFile(terminal.cwd, input.argument(0), `${toJsonText({ receipts })}\n`)
    output.result({ ok: true, file: input.argument(0), count, fulfiller }, [
      `${count} receipts in ${input.argument(0)}`,
    ])
    output.say(
      'Whoever has a receipt can settle a delivery of this fulfiller: keep the file secret until work is done.',
    )
    output.next(`task receipt tree ${input.argument(0)} --out tree.json`)
    return EXIT.done
  },
}

const tree: CommandSpec = {
  name: 'tree',
  summary: 'build the tree of a batch of receipts, with a proof for each',
  details:
    'Reads {"receipts":[{"receipt":"0x…","fulfiller":"0x…"}]}. The proofs hold the receipts, so they are secret.',
  args: [['<file>', 'receipts']],
  options: [{ flags: '--out <file>', text: 'write root, leaves and proofs there; must not exist' }, ...OUTPUT_OPTIONS],
  examples: ['oikos task receipt tree receipts.json --out tree.json'],
  run: async (context, input) => {
    const { terminal, output } = context
    const entries = await readReceipts(terminal.cwd, input.argument(0))
    const built = buildReceiptTree(entries)
    const receipts = entries.map(({ fulfiller }, index) => ({
      fulfiller,
      leaf: built.leaves[index],
      proof: built.proofs[index],
    }))
    const out = input.text('out')
    if (out !== undefined) {
      await writeSecretFile(terminal.cwd, out, `${toJsonText({ root: built.root, receipts })}\n`)
    }
    const document = { ok: true, root: built.root, count: receipts.length, file: out }
    const leaves = receipts.map(({ fulfiller, leaf }) => `${leaf}  for ${fulfiller}`)
    output.result(
      out === undefined ? { ...document, receipts } : document,
      factLines(
        [
          ['root', built.root],
          ['leaves', leaves],
        ],
        output.paint,
      ),
    )
    output.next(
      `task commit batch <task> ${out === undefined ? `--root ${built.root}` : `--tree ${out}`} --min-age 10m`,
    )
    return EXIT.done
  },
}

const leaf: CommandSpec = {
  name: 'leaf',
  summary: 'compute what is delivered for a receipt: its leaf, which is the result hash',
  args: [['<file>', 'the receipt, in hexadecimal with 0x or as bytes']],
  options: [{ flags: '--fulfiller <account>', text: 'who delivers and is paid' }, ...KEY_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['oikos task receipt leaf receipt.txt --fulfiller 0x000000000000000000000000000000000000dEaD'],
  run: async (context, input) => {
    const named = input.text('fulfiller')
    if (named === undefined) throw new UsageError('A leaf is bound to its fulfiller.', 'Name it with --fulfiller.')
    const fulfiller = await parseAddress(context, named, '--fulfiller')
    const resultHash = batchReceiptLeaf(await readReceipt(context.terminal.cwd, input.argument(0)), fulfiller)
    context.output.result({ ok: true, resultHash, fulfiller }, [resultHash])
    return EXIT.done
  },
}

/** `oikos task receipt`: what the batch-receipt verifier needs, computed without a chain. */
export const receipt: GroupSpec = {
  name: 'receipt',
  summary: 'make receipts, their tree and their proofs for the batch verifier',
  commands: [create, tree, leaf],
}
