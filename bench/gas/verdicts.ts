import { juryPanelAbi, signedOutcomeVerifierAbi } from '@oikos/core/abi'
import { juryPanelBytecode, signedOutcomeVerifierBytecode } from '@oikos/sdk/bytecode'
import { type Address, encodeAbiParameters, keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { localChainId } from '../../scripts/chain.ts'
import { daySec, digest, makeStage, runtimeBytes, type Snapshot, type Stage } from './stage.ts'

/** What is paid once for a panel or a tender, before anything is judged. */
const setups = ['deploy JuryPanel, 2 jurors', 'deploy JuryPanel, 3 jurors', 'commitAttestors, 2 of 2'] as const

/** How a delivery comes to be paid: its steps, each a transaction, in the order in which they are sent. */
const ways: readonly { name: string; delivers: readonly string[]; judges: readonly string[] }[] = [
  {
    name: 'jury, 2 of 2: open with a vote, vote, paid',
    delivers: ['submitFulfillment to a jury of 2'],
    judges: ['vote of 2, opens', 'vote of 2, accepts and pays'],
  },
  {
    name: 'jury, 2 of 3: open with a vote, vote, paid',
    delivers: ['submitFulfillment to a jury of 3'],
    judges: ['vote of 3, opens', 'vote of 3, accepts and pays'],
  },
  {
    name: 'signed outcome, 2 of 2: settle with both signatures, paid',
    delivers: ['submitFulfillment for signatures'],
    judges: ['settleFulfillment, 2 of 2 signatures'],
  },
  {
    name: 'one judge: accept, paid',
    delivers: ['submitFulfillment to a judge, first'],
    judges: ['acceptFulfillment by a judge, first'],
  },
  {
    name: 'one judge, two deliveries: accept, accept, both paid',
    delivers: ['submitFulfillment to a judge, first', 'submitFulfillment to a judge, next'],
    judges: ['acceptFulfillment by a judge, first', 'acceptFulfillment by a judge, next'],
  },
]

/** The same delivery for the same reward, judged in each way, on one chain. */
export async function measureVerdicts(url: string): Promise<Snapshot> {
  const stage = await makeStage(url)
  const { judge, secondFunder, stranger } = stage.people
  await measureJudge(stage)
  await measureSignatures(stage)
  await measureJury(stage, [judge, secondFunder])
  await measureJury(stage, [judge, secondFunder, stranger])
  return { runtimeBytes: runtimeBytes(['JuryPanel', 'SignedOutcomeVerifier']), gas: stage.gas }
}

async function measureJudge({ open, fund, onTask, people }: Stage): Promise<void> {
  const tokenId = await open(people.judge)
  await fund(undefined, people.funder, tokenId, '3')
  for (const [index, place] of ['first', 'next'].entries()) {
    const deliver = `submitFulfillment to a judge, ${place}`
    await onTask(deliver, people.worker, 'submitFulfillment', [tokenId, digest(`work ${place}`), ''])
    const accept = `acceptFulfillment by a judge, ${place}`
    await onTask(accept, people.judge, 'acceptFulfillment', [tokenId, BigInt(index + 1)])
  }
}

async function measureSignatures({ deploy, sender, open, fund, onTask, task, people }: Stage): Promise<void> {
  const { publisher, funder, worker, stranger } = people
  const verifier = await deploy(undefined, signedOutcomeVerifierAbi, signedOutcomeVerifierBytecode)
  const attestors = ['one', 'two']
    .map((name) => privateKeyToAccount(keccak256(stringToHex(`attestor ${name}`))))
    .sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  const tokenId = await open(verifier)
  const names = attestors.map(({ address }) => address)
  const onVerifier = sender(verifier, signedOutcomeVerifierAbi)
  await onVerifier('commitAttestors, 2 of 2', publisher, 'commitAttestors', [task, tokenId, names, 2n])
  await fund(undefined, funder, tokenId, '3')
  const resultHash = digest('work')
  await onTask('submitFulfillment for signatures', worker, 'submitFulfillment', [tokenId, resultHash, ''])
  const outcome = {
    domain: { name: 'Oikos Signed Outcome', version: '1', chainId: localChainId, verifyingContract: verifier },
    types: {
      Outcome: [
        { name: 'taskContract', type: 'address' },
        { name: 'tokenId', type: 'uint256' },
        { name: 'submissionId', type: 'uint256' },
        { name: 'fulfiller', type: 'address' },
        { name: 'resultHash', type: 'bytes32' },
      ],
    },
    primaryType: 'Outcome',
    message: { taskContract: task, tokenId, submissionId: 1n, fulfiller: worker, resultHash },
  } as const
  const signatures = await Promise.all(attestors.map((attestor) => attestor.signTypedData(outcome)))
  const proof = encodeAbiParameters([{ type: 'bytes[]' }], [signatures])
  await onTask('settleFulfillment, 2 of 2 signatures', stranger, 'settleFulfillment', [tokenId, 1n, proof])
}

async function measureJury({ deploy, sender, open, fund, onTask, task, people }: Stage, jury: Address[]) {
  const of = jury.length
  const args = [jury, 2n, daySec]
  const panel = await deploy(`deploy JuryPanel, ${of} jurors`, juryPanelAbi, juryPanelBytecode, args)
  const onPanel = sender(panel, juryPanelAbi)
  const tokenId = await open(panel)
  await fund(undefined, people.funder, tokenId, '3')
  const deliver = `submitFulfillment to a jury of ${of}`
  await onTask(deliver, people.worker, 'submitFulfillment', [tokenId, digest('work'), ''])
  await onPanel(`vote of ${of}, opens`, people.judge, 'vote', [task, tokenId, 1n, true])
  await onPanel(`vote of ${of}, accepts and pays`, people.secondFunder, 'vote', [task, tokenId, 1n, true])
}

/** The ways beside each other, as Markdown. */
export function verdictsTable({ gas }: Snapshot): string {
  const sum = (rows: readonly string[]): number => rows.reduce((total, row) => total + (gas[row] ?? Number.NaN), 0)
  const number = (value: number): string => value.toLocaleString('en-US')
  const lines = [
    '| from a delivery to its payment | transactions | judging | with the delivery |',
    '|---|---:|---:|---:|',
  ]
  for (const { name, delivers, judges } of ways) {
    const transactions = delivers.length + judges.length
    lines.push(`| ${name} | ${transactions} | ${number(sum(judges))} | ${number(sum([...delivers, ...judges]))} |`)
  }
  lines.push('', '| once | gas |', '|---|---:|')
  for (const name of setups) lines.push(`| ${name} | ${number(sum([name]))} |`)
  return lines.join('\n')
}
