import { identifyCompanion, type StockVerifierKind } from '@oikos/sdk'
import { createAddressBook } from '../../chain/address-book.ts'
import { readJudgment } from '../../chain/authority.ts'
import { judgmentFacts } from '../../chain/judgment-facts.ts'
import { CHAIN_OPTIONS, type CommandSpec, type GroupSpec, OUTPUT_OPTIONS, WRITE_OPTIONS } from '../../command.ts'
import { NotFoundError, UsageError } from '../../errors.ts'
import { EXIT } from '../../exit-codes.ts'
import { parseAddress } from '../../input/address.ts'
import { factLines } from '../../output/layout.ts'
import { runDeployment } from '../companion/deploy.ts'

/** The stock verifiers as the command line names them, with what each pays for. */
const VERIFIERS: Readonly<Record<string, readonly [StockVerifierKind, string, string]>> = {
  hashlock: ['hashlock-verifier', 'HashlockVerifier', 'whoever knows an answer'],
  batch: ['batch-receipt-verifier', 'BatchReceiptVerifier', 'whoever was given a receipt that is made out to them'],
  'signed-outcome': [
    'signed-outcome-verifier',
    'SignedOutcomeVerifier',
    'deliveries that K of N attestors have signed',
  ],
  streak: ['streak-verifier', 'StreakVerifier', 'one provider, epoch after epoch, as attestors sign'],
  secrets: ['merkle-secret-verifier', 'MerkleSecretVerifier', 'whoever uses one of many secrets first'],
}

const deploy: CommandSpec = {
  name: 'deploy',
  summary: 'deploy a stock verifier; one serves every task of every contract',
  args: [['<kind>', Object.keys(VERIFIERS).join(', ')]],
  options: [...OUTPUT_OPTIONS, ...WRITE_OPTIONS],
  examples: ['oikos verifier deploy signed-outcome'],
  run: async (context, input) => {
    const named = VERIFIERS[input.argument(0)]
    if (named === undefined) {
      throw new UsageError(
        `${JSON.stringify(input.argument(0).slice(0, 40))} is no stock verifier.`,
        `Name one of ${Object.keys(VERIFIERS).join(', ')}.`,
      )
    }
    const [kind, contractName, pays] = named
    return runDeployment(context, input, {
      ...{ kind, terms: {}, contractName },
      title: `Deploy a stock verifier: ${contractName}`,
      effects: [`In the judgment slot of a task it pays ${pays}, once the publisher has committed to what it checks.`],
      next: (address) => [`task mint <folder> --reward "<amount>" --verifier ${address} --window <time>`],
    })
  },
}

const show: CommandSpec = {
  name: 'show',
  summary: 'say what stands at an address, by its code',
  details: 'A contract is known when its code is, byte for byte, what this version creates; what it says is a claim.',
  args: [['<address>', 'of a contract or an account']],
  options: [...OUTPUT_OPTIONS, ...CHAIN_OPTIONS],
  examples: ['oikos verifier show 0x5FbDB2315678afecb367f032d93F642f64180aa3'],
  run: async (context, input) => {
    const { output } = context
    const address = await parseAddress(context, input.argument(0), 'address')
    const connection = await context.connection()
    const found = await identifyCompanion(connection.client, { address })
    if (found === undefined) {
      throw new NotFoundError(
        `What stands at ${address} is no companion of this version.`,
        'It may be an account, another version, or a contract of somebody else: ask who runs it.',
      )
    }
    const judgment = await readJudgment(connection, { task: address, tokenId: 0n }, address, undefined)
    const facts = found.kind.endsWith('-verifier')
      ? []
      : await judgmentFacts(connection.client, judgment, await createAddressBook(context))
    output.result({ ok: true, address, kind: found.kind, terms: found.terms }, [
      ...factLines([['kind', found.kind], ...facts], output.paint),
    ])
    return EXIT.done
  },
}

/** `oikos verifier`: contracts that settle by proof. */
export const verifier: GroupSpec = {
  name: 'verifier',
  summary: 'stock verifiers and other companions: deploy one, tell one by its code',
  commands: [deploy, show],
}
