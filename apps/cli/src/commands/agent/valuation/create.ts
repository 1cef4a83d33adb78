import { attestedValuationAbi, erc4626ValuationAbi } from '@oikos/core/abi'
import { formatAmount, toOikosError } from '@oikos/sdk'
import { attestedValuationBytecode, erc4626ValuationBytecode } from '@oikos/sdk/bytecode'
import { type Address, encodeDeployData, type Hex } from 'viem'
import { call } from 'viem/actions'
import { createAddressBook } from '../../../chain/address-book.ts'
import { type AgentView, openAgent } from '../../../chain/open-agent.ts'
import { type CommandSpec, type GroupSpec, OUTPUT_OPTIONS } from '../../../command.ts'
import type { Context } from '../../../context.ts'
import { parseAddress } from '../../../input/address.ts'
import { parseAssetAmount } from '../../../input/asset.ts'
import { parseDuration } from '../../../input/duration.ts'
import type { Input } from '../../../input/input.ts'
import { parseWhole } from '../../../input/number.ts'
import { requiredText } from '../../../input/required.ts'
import { bpsText } from '../../../output/equity.ts'
import { exactDuration } from '../../../output/speech.ts'
import { AGENT, WRITE_AGENT } from '../options.ts'
import { type AgentWrite, runAgentWrite } from '../write.ts'

const CORRIDOR = { flags: '--corridor <bps>', text: 'most that it may move a day, in basis points' }
const options = [...OUTPUT_OPTIONS, ...WRITE_AGENT]

const vault: CommandSpec = {
  name: 'vault',
  summary: 'deploy a valuation of positions in an ERC-4626 vault; it serves every Agent',
  args: [AGENT, ['<vault>', 'address of the vault, whose asset is the Accept Token']],
  options: [CORRIDOR, ...options],
  examples: ['oikos agent valuation create vault treasury 0x5FbDB2315678afecb367f032d93F642f64180aa3 --corridor 100'],
  run: async (context, input) => {
    const corridor = readCorridor(input)
    const view = await openAgent(context, input, input.argument(0))
    const address = await parseAddress(context, input.argument(1), 'vault')
    const data = encodeDeployData({
      ...{ abi: erc4626ValuationAbi, bytecode: erc4626ValuationBytecode },
      args: [address, corridor],
    })
    return deploy(context, input, view, data, {
      title: `Deploy a valuation of the vault ${address}`,
      functionName: 'Erc4626Valuation',
      effects: [
        'It says what the vault would pay for what an Agent holds of it.',
        `When a share of the vault moves by more than ${bpsText(corridor)} a day, settlement stops until the corridor has caught up.`,
        'It counts for nothing until the Owner adds it.',
      ],
      event: 'Checkpoint',
    })
  },
}

const attested: CommandSpec = {
  name: 'attested',
  summary: 'deploy a valuation that two parties attest, for one Agent',
  args: [AGENT],
  options: [
    { flags: '--proposer <account>', text: 'proposes values; neither the Agent nor an Executor' },
    { flags: '--accepter <account>', text: 'accepts them; another one' },
    CORRIDOR,
    { flags: '--floor <amount>', text: 'value from which the corridor is measured at least (default: nothing)' },
    { flags: '--max-age <time>', text: 'age from which on no settlement may rely on a value' },
    ...options,
  ],
  examples: [
    'oikos agent valuation create attested treasury --proposer operator --accepter auditor --corridor 500 --floor "1000 USDC" --max-age 30d',
  ],
  run: async (context, input) => {
    const corridor = readCorridor(input)
    const view = await openAgent(context, input, input.argument(0))
    const { agent, asset } = view
    const proposer = await parseAddress(context, requiredText(input, 'proposer'), '--proposer')
    const accepter = await parseAddress(context, requiredText(input, 'accepter'), '--accepter')
    const floorText = input.text('floor')
    const floor = floorText === undefined ? 0n : parseAssetAmount(context, floorText, asset)
    const maxAgeSec = parseDuration(requiredText(input, 'max-age'), '--max-age')
    const data = encodeDeployData({
      ...{ abi: attestedValuationAbi, bytecode: attestedValuationBytecode },
      args: [agent, proposer, accepter, corridor, floor, Number(maxAgeSec)],
    })
    const book = await createAddressBook(context)
    return deploy(context, input, view, data, {
      title: `Deploy an attested valuation for ${agent}`,
      functionName: 'AttestedValuation',
      effects: [
        `${book(proposer)} proposes a value with its evidence, ${book(accepter)} accepts exactly that.`,
        `It may move by ${bpsText(corridor)} a day, measured from at least ${formatAmount(floor, asset)}; beyond that the Owner confirms.`,
        `A value older than ${exactDuration(maxAgeSec)} stops settlement.`,
        'It counts for nothing until the Owner adds it.',
      ],
      event: undefined,
    })
  },
}

/** `oikos agent valuation create`: new contracts that value. */
export const create: GroupSpec = {
  name: 'create',
  summary: 'deploy a valuation',
  commands: [vault, attested],
}

/** Deploys one contract. The creation is executed first without being sent, so that a refusal costs nothing. */
function deploy(
  context: Context,
  input: Input,
  view: AgentView,
  data: Hex,
  write: Omit<AgentWrite, 'simulate' | 'contract'>,
): ReturnType<typeof runAgentWrite> {
  const { client } = view.connection
  const simulate = async (account: Address) => {
    try {
      await call(client, { account, data })
    } catch (error) {
      throw toOikosError(error, { functionName: write.functionName, account, asset: view.asset })
    }
    return { request: { account, data, value: 0n }, result: undefined }
  }
  return runAgentWrite(context, input, view, { ...write, contract: undefined, simulate }, ({ deployed }) => ({
    document: { valuation: deployed },
    next: [`agent valuation add ${view.named} ${deployed ?? '<valuation>'}`],
  }))
}

function readCorridor(input: Input): number {
  return Number(parseWhole(requiredText(input, 'corridor'), '--corridor', { min: 1n, max: 4_294_967_295n }))
}
