import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  Account,
  Agent,
  AgentAction,
  AgentDetail,
  AgentPosition,
  AgentRequest,
  AgentScope,
  Holder,
  Page,
  Place,
  Status,
  Submission,
  Tender,
  TenderDetail,
  Token,
  Verdict,
} from '@oikos/indexer/rest'

/** An index whose every text is of a stranger: for pages that must not care. */
export type StubIndex = { readonly url: string; readonly stop: () => Promise<void> }

const address = (digit: number): string => `0x${digit.toString(16).padStart(2, '0').repeat(20)}`
const hash = (digit: number): string => `0x${digit.toString(16).padStart(2, '0').repeat(32)}`
const place: Place = { block: 7, timeSec: 1_790_000_000, tx: hash(1), logIndex: 0 }
const verdict: Verdict = {
  state: 'verified',
  codes: [],
  checkedAtSec: 1_790_000_000,
  attempts: 1,
  retryAtSec: null,
  from: 'store',
}

/** Answers in which the texts are taken from `texts`, each in turn. */
export function stubAnswers(texts: readonly string[]) {
  let turn = 0
  const say = (): string => {
    turn += 1
    return texts[turn % texts.length] ?? ''
  }
  const token = (): Token => ({ address: address(9), symbol: say(), name: say(), decimals: 6 })
  const tender = (id: number): Tender => ({
    chainId: 11155111,
    contract: address(2),
    tokenId: String(id),
    origin: id % 2 === 0 ? 'oikos' : 'foreign',
    title: say(),
    owner: address(3),
    updateAuthority: address(3),
    judge: {
      address: address(4),
      kind: 'verifier',
      profile: say(),
      isDeployed: false,
      jurors: [address(5)],
      quorum: '1',
    },
    state: 'open',
    isFrozen: false,
    isCancelled: false,
    terms: {
      asset: address(9),
      rewardPerCompletion: '250000000',
      maxCompletions: '3',
      submitBy: '1800000000',
      settleBy: '0',
      epochLength: '86400',
      maxCompletionsPerEpoch: '1',
      judgmentWindow: '3600',
    },
    asset: token(),
    vault: address(6),
    taskUri: say(),
    tdHash: hash(2),
    taskHash: hash(3),
    version: '1',
    hasOnchainDocument: false,
    escrow: '750000000',
    reserved: '250000000',
    credited: '0',
    gifts: null,
    completions: '0',
    pending: '1',
    remainingCompletions: '3',
    fundedCompletions: '2',
    submissions: '1',
    package: { ...verdict, state: 'refused', codes: ['json.syntax'] },
    warnings: ['unfrozen', 'judge-is-owner', 'foreign-implementation'],
    createdAt: place,
    updatedAt: place,
  })
  const submission = (): Submission => ({
    chainId: 11155111,
    contract: address(2),
    tokenId: '1',
    submissionId: '1',
    fulfiller: address(7),
    resultHash: hash(4),
    resultUri: say(),
    taskVersion: '1',
    submittedAtSec: '1790000000',
    deadlineSec: '1800000000',
    machineSettled: false,
    status: 'pending',
    decidedBy: null,
    silence: 'pays',
    reward: null,
    credited: null,
    place,
    decidedAt: null,
  })
  const tenderDetail = (): TenderDetail => ({
    ...tender(1),
    bindings: [{ version: '1', tdHash: hash(2), taskHash: hash(3), package: verdict, place }],
    funders: [{ account: address(8), contributed: '750000000', refunded: '0', hasReclaimed: false }],
    credits: [],
    changes: [{ kind: 'uri', from: say(), to: say(), place }],
    companions: [],
    differences: [
      {
        chainId: 11155111,
        contract: address(2),
        subject: say(),
        field: 'escrow',
        indexed: '1',
        onChain: '2',
        block: 7,
        checkedAtSec: 1_790_000_000,
        kind: 'difference',
      },
    ],
    reconciledAtSec: 1_790_000_000,
  })
  const agent = (digit: number): Agent => ({
    chainId: 11155111,
    address: address(digit),
    origin: 'foreign',
    name: say(),
    symbol: say(),
    uri: say(),
    owner: address(3),
    guardian: address(3),
    acceptToken: token(),
    decimals: 18,
    rate: '1012345',
    rateAtSec: 1_790_000_000,
    rate30dAgo: '1000000',
    initialRate: '1000000',
    isFixedPrice: false,
    isPaused: true,
    isHalted: true,
    supply: '1000000000000000000000',
    unclaimedShares: '0',
    pendingAssets: '1000000',
    pendingShares: '5',
    claimableTokens: '0',
    capitalAtRate: '1012345000',
    holderCount: 3,
    executorCount: 1,
    actionCount: 2,
    reclaimHorizonSec: '86400',
    createdAt: place,
    updatedAt: place,
  })
  const agentDetail = (): AgentDetail => ({
    ...agent(10),
    shareToken: address(10),
    scope: null,
    pendingOwner: null,
    mintFeeBps: 50,
    redeemFeeBps: 50,
    feeRecipient: address(3),
    feesOwed: '0',
    corridorBpsPerDay: 100,
    minRequestAgeSec: 0,
    executors: [{ account: address(3), isEnabled: true, since: place, actionCount: 2 }],
    valuations: [],
    changes: [{ kind: 'uri', account: address(3), details: { [say()]: say(), from: say() }, place }],
    books: {
      block: 7,
      readAtSec: 1_790_000_000,
      balance: '1000000000',
      reserve: '100000000',
      valued: '200000000',
      supply: '1000000000000000000000',
      unclaimed: '0',
      rate: null,
      feesOwed: '0',
    },
    differences: [],
    reconciledAtSec: null,
  })
  const record = { hash: hash(5), uri: '', verdict }
  const action = (index: number): AgentAction => ({
    chainId: 11155111,
    agent: address(10),
    kind: 'execute',
    actor: address(3),
    sender: address(3),
    target: address(2),
    value: '0',
    selector: '0x12345678',
    action: say(),
    callData: '0x',
    returnData: '0x',
    returnBytes: 0,
    amount: null,
    record: { ...record, uri: say() },
    isReplayed: true,
    place: { ...place, logIndex: index },
  })
  const request = (): AgentRequest => ({
    account: address(7),
    side: 'mint',
    step: 'requested',
    assets: '1000000',
    shares: null,
    fee: null,
    rate: null,
    epoch: null,
    outcome: null,
    record: null,
    place,
  })
  const position = (): AgentPosition => ({
    chainId: 11155111,
    agent: address(10),
    account: address(7),
    side: 'mint',
    pending: '1000000',
    claimable: '5',
    limit: '1000001',
    requestedAtSec: 1_790_000_000,
    reclaimableAtSec: '1790086400',
    updatedAt: place,
  })
  const holder: Holder = { account: address(7), shares: '1000000000000000000', partPpm: 500_000, updatedAt: place }
  const scope: AgentScope = {
    contract: null,
    delaySec: null,
    rules: [],
    caps: [],
    members: [],
    proposals: [],
    history: [
      {
        kind: 'applied',
        changeId: hash(6),
        readyAtSec: null,
        by: address(3),
        policy: null,
        details: { a: say() },
        place,
      },
    ],
    nextCursor: null,
  }
  const account = (): Account => ({
    account: address(7),
    isAgentOn: [],
    desk: [
      {
        kind: 'judge-submission',
        chainId: 11155111,
        contract: address(2),
        tokenId: '1',
        submissionId: '1',
        counterparty: address(7),
        amount: '250000000',
        asset: token(),
        opensAtSec: null,
        deadlineSec: '1800000000',
        loss: 'silence-pays-fulfiller',
      },
    ],
    holdings: [
      {
        chainId: 11155111,
        agent: address(10),
        name: say(),
        symbol: say(),
        shares: '1000000000000000000',
        rate: '1012345',
        valueAtRate: '1012345',
        acceptToken: token(),
      },
    ],
    positions: [position()],
    roles: [{ chainId: 11155111, contract: address(2), tokenId: '1', role: 'acceptance-authority' }],
    submissions: [submission()],
    isTruncated: true,
    asOfSec: 1_790_000_000,
  })
  const status: Status = {
    isReady: true,
    chains: [],
    counts: { agents: 1, tenders: 1, activities: 1, ignored: 0 },
    checks: {
      isRunning: true,
      lastRunSec: null,
      records: { pending: 0, verified: 1, refused: 0, unavailable: 0 },
      packages: { pending: 0, verified: 1, refused: 0, unavailable: 0 },
    },
    reconciliation: { contracts: 1, lastRunSec: null, differences: [], differenceCount: 0 },
  }
  const page = <Item>(items: Item[]): Page<Item> => ({ items, nextCursor: null })
  const rows = [...texts.keys()]
  return {
    market: () => page(rows.map((index) => tender(index + 1))),
    tender: tenderDetail,
    submissions: () => page([submission()]),
    movements: () =>
      page([
        { kind: 'funded' as const, account: address(8), amount: '750000000', submissionId: null, asset: null, place },
      ]),
    agents: () => page(rows.map((index) => agent(index + 16))),
    agent: agentDetail,
    actions: () => page([action(0), action(1)]),
    requests: () => page([request()]),
    positions: () => page([position()]),
    rates: () =>
      page([
        { rate: '1000000', place: { ...place, timeSec: 1_780_000_000 } },
        { rate: '1012345', place: { ...place, logIndex: 1 } },
      ]),
    holders: () => page([holder]),
    scope: () => scope,
    account,
    status: () => status,
  }
}

/** Serves such answers where the pages ask for them. */
export async function startStubIndex(texts: readonly string[]): Promise<StubIndex> {
  const answers = stubAnswers(texts)
  const nameOf = (path: string): keyof typeof answers | undefined => {
    const [, , room, ...rest] = path.split('/')
    if (room === 'market' || room === 'status') return room
    if (room === 'tenders') return rest[3] === undefined ? 'tender' : (rest[3] as 'submissions')
    if (room === 'agents')
      return rest[0] === undefined ? 'agents' : rest[2] === undefined ? 'agent' : (rest[2] as 'actions')
    return room === 'accounts' ? 'account' : undefined
  }
  const server = createServer((request, response) => {
    const name = nameOf(new URL(request.url ?? '/', 'http://stub.invalid').pathname)
    const answer = name === undefined ? undefined : answers[name]
    response.statusCode = answer === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer?.() ?? { error: { code: 'not_found', message: 'nothing', retryable: false } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
