import { type Deployment, formatDeployments } from '@oikos/sdk'
import { type Address, zeroAddress } from 'viem'
import { paymentPolicy, scopePolicy } from './policies.ts'
import { readmeText } from './readme.ts'
import type { Template } from './worker-texts.ts'

/** What a project is made from. */
export type ProjectFacts = {
  readonly name: string
  /** Lower-case letters, digits and hyphens, from the name. */
  readonly slug: string
  readonly template: Template
  readonly rpcUrl: string
  /** The market and factory of the network, where they are known. */
  readonly deployment: Deployment | undefined
  /** Account of the key that was made; undefined with --no-keys. */
  readonly executor: Address | undefined
}

/** Folder of keys, settings, deployments and content inside a project. */
export const HOME = '.oikos'

/** Every file of a project by its path, in the order in which somebody would read them. */
export function projectFiles(facts: ProjectFacts): ReadonlyMap<string, string> {
  const { slug, template, deployment, rpcUrl, executor } = facts
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['README.md', readmeText(facts)],
    ['oikos.env', `# . ./oikos.env makes this folder the home of oikos: keys, settings, deployments, content.\n${ENV}`],
    [
      `${HOME}/config.json`,
      json({ rpc: rpcUrl, ...(executor === undefined ? {} : { from: 'executor' }), gateways: [] }),
    ],
    ...(deployment === undefined ? [] : [[`${HOME}/deployments.json`, formatDeployments([deployment])] as const]),
    ['operator.json', json(operatorConfig(facts))],
    ['scope-policy.json', json(scopePolicy(deployment))],
    ['payment-policy.json', paymentPolicy(slug, executor)],
    ['about.json', json({ description: `${facts.name}: ${template.summary}.`, image: '' })],
    ['worker/work.ts', template.worker],
    ['worker/work.test.ts', template.test],
    ['.gitignore', IGNORED],
  ])
}

/** What the operator may do: settle at the rate of the books, work for what pays, spend gas within a day's budget. */
function operatorConfig({ template, executor }: ProjectFacts): unknown {
  const { name, specProfile } = template
  return {
    schema: 'oikos-operator/1',
    database: `${HOME}/operator.sqlite`,
    ...(executor === undefined ? {} : { executor: 'executor' }),
    decider: { kind: 'rules', rules: rulesOf(specProfile) },
    gas: { maxFeeGwei: '50', maxPriorityFeeGwei: '2' },
    budgetPerDay: { gasEther: '0.01', spendAtomic: '0' },
    finalityBlocks: 2,
    killSwitchFile: 'operator.stop',
    tenders: { rewards: [{ asset: zeroAddress, minRewardAtomic: MIN_REWARD_WEI }], requireFrozen: true },
    workers: [{ name, specProfiles: [specProfile], module: 'worker/work.ts' }],
  }
}

/** Least reward that is worth the gas of a delivery, in wei. */
const MIN_REWARD_WEI = '1000000000000000'

/** How it decides without a model: settle requests, and work for what pays in the Accept Token or the native currency. */
function rulesOf(specProfile: string): unknown {
  return {
    schema: 'oikos-rules/1',
    mint: { settle: true },
    redeem: { settle: true },
    tender: {
      profiles: { [specProfile]: { minRewardAtomic: '1' } },
      assets: [zeroAddress],
      minSecondsLeft: 3_600,
    },
  }
}

const ENV = `export OIKOS_HOME="$(pwd)/${HOME}"\n`

const IGNORED = `# keys, wallets, passphrases and journals stay on this machine
${HOME}/keystore/
${HOME}/wallets/
${HOME}/custody/
${HOME}/content/
${HOME}/*.sqlite*
${HOME}/mcp.json
${HOME}/desk.json
${HOME}/approver*
*.sqlite*
*passphrase*
*.key
*.pem
.env
`
