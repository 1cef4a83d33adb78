import { encodeFunctionData, parseAbi, parseEther, zeroAddress } from 'viem'
import { sendTransaction } from 'viem/actions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agents, anyRule, startAgents, USDC } from '../../../test/agents.ts'
import { compileMocks } from '../../../test/compile-mocks.ts'
import { expectAgentListings } from '../../../test/listings.ts'
import * as sdk from '../../index.ts'

const mocks = compileMocks()
const SHARE = sdk.ONE_SHARE
let agents: Agents
beforeAll(async () => {
  agents = await startAgents()
})
afterAll(() => agents.stop())

describe('equity', () => {
  test('money comes in at a rate, earns, and leaves at the settled rate; the books say so at one block', async () => {
    const { as, address, token, factory, scope, market, reason, fund } = agents
    const fees = { mintFeeBps: 100, redeemFeeBps: 200, recipient: address.stranger }
    const agent = await agents.create({ fees, agentURI: 'ipfs://metadata' })

    await fund('alice', agent, 1_000n * USDC)
    const requested = await sdk.requestMintAtMostAndWait(as.alice, {
      agent,
      amountAtomic: 400n * USDC,
      maxRate: 1_020_000n,
    })
    expect(requested.event.args).toMatchObject({ requester: address.alice, assets: 400n * USDC })
    await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: 600n * USDC })
    expect(await sdk.getMintStatus(as.stranger, { agent, user: address.alice })).toEqual({
      pendingAssetsAtomic: 1_000n * USDC,
      claimableSharesAtomic: 0n,
    })

    const before = await sdk.getAgentBooks(as.stranger, { agent })
    const quote = sdk.quoteSettlement({ books: before, kind: 'mint', pendingAtomic: 1_000n * USDC })
    const settled = await sdk.settleMintAndWait(as.executor, {
      ...{ agent, requester: address.alice },
      reasoning: await reason(agent, 'settleMint', [address.alice]),
    })
    expect(settled.event.args).toMatchObject({ kind: 0, amount: 990n * SHARE })
    expect(quote).toMatchObject({ outcome: 'settled', amountAtomic: 990n * SHARE, feeAtomic: 10n * USDC })

    const block = await sdk.getBlockMoment(as.stranger)
    expect(await sdk.getAgentBooks(as.stranger, { agent })).toEqual({
      ...{ agent, blockNumber: block.number, blockTimestampSec: block.timestampSec, acceptToken: token },
      ...{ balanceAtomic: 1_000n * USDC, reserveAtomic: 10n * USDC, requestsAtomic: 0n, freeAtomic: 990n * USDC },
      fees: { ...fees, owedAtomic: 10n * USDC },
      ...{ shortfallAtomic: 0n, valuations: [], valuedAtomic: 0n, assetsAtomic: 990n * USDC },
      ...{ supplyAtomic: 0n, unclaimedAtomic: 990n * SHARE, effectiveSupplyAtomic: 990n * SHARE, escrowedAtomic: 0n },
      ...{ initialRate: USDC, isFixedPrice: false, rate: USDC, isPaused: false },
      guard: await sdk.getAgentGuard(as.stranger, { agent }),
    })

    // a stranger cranks first: nothing is lost, and the second claim is no failure
    const cranked = await sdk.claimSharesAndWait(as.stranger, { agent, user: address.alice })
    expect(cranked.event?.args).toMatchObject({ requester: address.alice, shares: 990n * SHARE })
    expect((await sdk.claimSharesAndWait(as.alice, { agent, user: address.alice })).event).toBeUndefined()
    expect(await sdk.getShareBalance(as.stranger, { agent, account: address.alice })).toBe(990n * SHARE)

    // the Agent earns 99 USDC; a tenth more a share, less what the virtual shares take
    await market.tell(mocks.TestToken, token, 'mint', [agent, 99n * USDC])
    expect(await sdk.getExchangeRate(as.stranger, { agent })).toBe(1_099_999n)

    const redeem = await sdk.requestRedeemAtLeastAndWait(as.alice, {
      ...{ agent, sharesAtomic: 490n * SHARE, minRate: 1_000_000n },
    })
    expect(redeem.event.args).toMatchObject({ shares: 490n * SHARE })
    await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: 10n * SHARE })
    const position = { agent, user: address.alice, kind: 'redeem' } as const
    const { timestampSec } = await sdk.getBlockMoment(as.stranger)
    expect(await sdk.getAgentPosition(as.stranger, position)).toEqual({
      ...{ kind: 'redeem', pendingAtomic: 500n * SHARE, requestedAtSec: timestampSec, limitRate: 1_000_000n },
      ...{ reclaimableAtSec: timestampSec + 86_400n, claimableAtomic: 0n, consumedAtomic: 0n, epoch: 0n },
    })
    await sdk.setRequestLimitAndWait(as.alice, { agent, kind: 'redeem', rate: 0n })
    const books = await sdk.getAgentBooks(as.stranger, { agent })
    const exit = sdk.quoteSettlement({ books, kind: 'redeem', pendingAtomic: 500n * SHARE })
    const paid = await sdk.settleRedeemAndWait(as.executor, {
      ...{ agent, requester: address.alice },
      reasoning: await reason(agent, 'settleRedeem', [address.alice]),
    })
    expect(exit).toMatchObject({ outcome: 'settled', amountAtomic: paid.event.args.amount, rate: 1_099_999n })
    expect(await sdk.getRedeemStatus(as.stranger, { agent, user: address.alice })).toEqual({
      pendingSharesAtomic: 0n,
      claimableAssetsAtomic: paid.event.args.amount,
    })
    const claimed = await sdk.claimTokensAndWait(as.stranger, { agent, user: address.alice })
    expect(claimed.event?.args).toMatchObject({ assets: paid.event.args.amount, shares: 500n * SHARE })
    expect(await sdk.getAssetBalance(as.stranger, { asset: token, account: address.alice })).toBe(
      paid.event.args.amount,
    )

    const fee = await sdk.claimFeesAndWait(as.bob, { agent })
    expect(fee.event.args.recipient).toBe(address.stranger)
    expect(await sdk.getAgent(as.stranger, { agent })).toMatchObject({
      ...{ chainId: 11155111, agent, name: 'Test Agent', symbol: 'TEST', agentURI: 'ipfs://metadata' },
      ...{ owner: address.owner, pendingOwner: zeroAddress, guardian: address.guardian, factory, scope },
      ...{ scopeDelaySec: 3_600, reclaimHorizonSec: 86_400n },
    })
    await expectAgentListings(as.stranger, { agent, scope }, [
      ...(['MintRequested', 'LimitSet', 'Settled', 'SettlementDetail', 'SharesMinted', 'RedeemRequested'] as const),
      ...(['SharesRedeemed', 'ExchangeRateUpdated', 'FeesClaimed', 'Transfer', 'ExecutorUpdated'] as const),
      ...(['OwnershipTransferred', 'GuardianUpdated', 'FeeRecipientUpdated', 'AgentURIUpdated'] as const),
    ])
  })

  test('many are settled and claimed at once; who cannot be is reported', async () => {
    const { as, address, reason, fund, market, token } = agents
    const agent = await agents.create()
    for (const [role, amount] of [
      ['alice', 100n * USDC],
      ['bob', 50n * USDC],
    ] as const) {
      await fund(role, agent, amount)
      await sdk.requestMintAndWait(as[role], { agent, amountAtomic: amount })
    }
    await sdk.setRequestLimitAndWait(as.bob, { agent, kind: 'mint', rate: 999_999n })
    const open = await sdk.listAgentRequesters(as.stranger, { agent, fromBlock: 0n })
    expect(open).toMatchObject({ isComplete: true, accounts: [{ user: address.alice }, { user: address.bob }] })

    const requesters = [address.alice, address.bob, address.stranger]
    const batch = await sdk.settleMintBatchAndWait(as.executor, {
      ...{ agent, requesters },
      reasoning: await reason(agent, 'settleMintBatch', [requesters]),
    })
    const outcomes = batch.events.flatMap((event) =>
      event.eventName === 'SettlementSkipped' ? [sdk.settlementOutcomeOf(event.args.outcome)] : [],
    )
    expect(outcomes).toEqual(['limit-breached', 'nothing-pending'])
    expect(batch.event.args).toMatchObject({ actor: address.executor })
    const claimed = await sdk.claimSharesBatchAndWait(as.stranger, { agent, users: requesters })
    expect(claimed.event?.args).toMatchObject({ requester: address.alice, shares: 100n * SHARE })
    expect((await sdk.claimSharesBatchAndWait(as.stranger, { agent, users: requesters })).event).toBeUndefined()

    await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: 40n * SHARE })
    await sdk.settleRedeemBatchAndWait(as.executor, {
      ...{ agent, requesters: [address.alice] },
      reasoning: await reason(agent, 'settleRedeemBatch', [[address.alice]]),
    })
    // a token that refuses: the member stays owed
    await market.tell(mocks.TestToken, token, 'setFee', [100n * USDC])
    const failed = await sdk.claimTokensBatchAndWait(as.stranger, { agent, users: [address.alice] })
    expect(failed.event).toBeUndefined()
    expect(failed.events.map(({ eventName }) => eventName)).toEqual(['ClaimFailed'])
    await market.tell(mocks.TestToken, token, 'setFee', [0n])
    const paid = await sdk.claimTokensBatchAndWait(as.stranger, { agent, users: [address.alice] })
    expect(paid.event?.args).toMatchObject({ assets: 40n * USDC })

    const declined = await sdk.declineRequestAndWait(as.executor, {
      ...{ agent, requester: address.bob, kind: 'mint' },
      reasoning: await reason(agent, 'decline', [address.bob, 0]),
    })
    expect(declined.event.args).toMatchObject({ requester: address.bob, kind: 0, amount: 50n * USDC })
  })

  test('what stays pending is taken back after the horizon, while paused and without anybody', async () => {
    const { as, address, market, fund } = agents
    const agent = await agents.create()
    await agents.invest('alice', agent, 20n * USDC)
    await fund('alice', agent, 5n * USDC)
    await sdk.requestMintAndWait(as.alice, { agent, amountAtomic: 5n * USDC })
    await sdk.requestRedeemAndWait(as.alice, { agent, sharesAtomic: 3n * SHARE })
    await sdk.pauseAgentAndWait(as.guardian, { agent })
    expect(await sdk.isAgentPaused(as.stranger, { agent })).toBe(true)
    await sdk.revokeExecutorAndWait(as.guardian, { agent, executor: address.executor })
    await market.passTime(await sdk.getReclaimHorizon(as.stranger, { agent }))
    const { result } = await sdk.simulateReclaim(as.alice, { agent })
    expect(result).toEqual([5n * USDC, 3n * SHARE])
    expect((await sdk.simulateReclaimShares(as.alice, { agent })).result).toBe(3n * SHARE)
    const shares = await sdk.reclaimSharesAndWait(as.alice, { agent })
    expect(shares.event.args).toMatchObject({ kind: 1, amount: 3n * SHARE })
    const rest = await sdk.reclaimAndWait(as.alice, { agent })
    expect(rest.event.args).toMatchObject({ kind: 0, amount: 5n * USDC })
    await sdk.unpauseAgentAndWait(as.owner, { agent })
  })

  test('shares move, by approval and by a signature that anyone may send', async () => {
    const { as, address, market } = agents
    const agent = await agents.create()
    await agents.invest('alice', agent, 20n * USDC)
    await sdk.transferSharesAndWait(as.alice, { agent, to: address.bob, sharesAtomic: SHARE })
    await sdk.approveSharesAndWait(as.alice, { agent, spender: address.bob, sharesAtomic: 2n * SHARE })
    const allowance = { agent, holder: address.alice, spender: address.bob }
    expect(await sdk.getShareAllowance(as.stranger, allowance)).toBe(2n * SHARE)
    const move = { agent, from: address.alice, to: address.stranger, sharesAtomic: 2n * SHARE }
    await sdk.transferSharesFromAndWait(as.bob, move)
    const permit = await sdk.signSharesPermit(as.alice, {
      ...{ agent, spender: address.bob, sharesAtomic: 3n * SHARE },
      deadlineSec: (await market.now()) + 600n,
    })
    expect(await sdk.getShareNonce(as.stranger, { agent, holder: address.alice })).toBe(0n)
    const sent = await sdk.permitSharesAndWait(as.stranger, { agent, permit })
    expect(sent.event.args).toEqual({ owner: address.alice, spender: address.bob, value: 3n * SHARE })
    expect(await sdk.getShareNonce(as.stranger, { agent, holder: address.alice })).toBe(1n)
    await expect(sdk.permitShares(as.stranger, { agent, permit })).rejects.toMatchObject({
      errorName: 'ERC2612InvalidSigner',
    })
    expect(await sdk.getShareSupply(as.stranger, { agent })).toBe(20n * SHARE)
    expect(await sdk.getShareDecimals(as.stranger, { agent })).toBe(18)
    expect(await sdk.getShareDomainSeparator(as.stranger, { agent })).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await sdk.getAssetMetadata(as.stranger, { asset: agent })).toEqual({
      ...{ address: agent, symbol: 'TEST', decimals: 18, warnings: [] },
    })
  })
})

describe('powers', () => {
  test('§6.5.5: every URI that an Agent ever had can be listed, the one of its birth first', async () => {
    const { as } = agents
    const agent = await agents.create({})
    const atBirth = await sdk.getAgentURI(as.stranger, { agent })
    await sdk.setAgentURIAndWait(as.owner, { agent, agentURI: 'ipfs://next' })
    await sdk.setAgentURIAndWait(as.owner, { agent, agentURI: '' })
    const { events } = await sdk.listAgentURIUpdated(as.stranger, { agent, fromBlock: 0n })
    expect(events.map(({ args }) => args.newURI)).toEqual([...(atBirth === '' ? [] : [atBirth]), 'ipfs://next', ''])
  })

  test('the Owner sets what an Owner may set, and hands over in two steps', async () => {
    const { as, address, scope } = agents
    const fees = { mintFeeBps: 100, redeemFeeBps: 200, recipient: address.stranger }
    const agent = await agents.create({ fees })
    const at = { agent }
    await sdk.setAgentURIAndWait(as.owner, { agent, agentURI: 'ipfs://next' })
    expect(await sdk.getAgentURI(as.stranger, at)).toBe('ipfs://next')
    await sdk.setExecutorAndWait(as.owner, { agent, executor: address.bob, isEnabled: true })
    expect(await sdk.isAgentExecutor(as.stranger, { agent, account: address.bob })).toBe(true)
    const executors = await sdk.listAgentExecutors(as.stranger, { agent, fromBlock: 0n })
    expect(executors).toMatchObject({ accounts: [address.executor, address.bob], isComplete: true })
    await sdk.setExecutorAndWait(as.owner, { agent, executor: address.bob, isEnabled: false })
    const fewer = await sdk.listAgentExecutors(as.stranger, { agent, fromBlock: 0n })
    expect(fewer.accounts).toEqual([address.executor])
    await sdk.setAgentGuardAndWait(as.owner, { agent, corridorBpsPerDay: 500, minRequestAgeSec: 60 })
    expect(await sdk.getAgentGuard(as.stranger, at)).toMatchObject({
      ...{ corridorBpsPerDay: 500, minRequestAgeSec: 60, isHalted: false, anchorRate: USDC },
    })
    await sdk.lowerFeesAndWait(as.owner, { agent, mintFeeBps: 0, redeemFeeBps: 50 })
    await sdk.setFeeRecipientAndWait(as.owner, { agent, recipient: address.bob })
    expect(await sdk.getAgentFees(as.stranger, at)).toEqual({
      ...{ mintFeeBps: 0, redeemFeeBps: 50, recipient: address.bob, owedAtomic: 0n },
    })
    await sdk.setAgentGuardianAndWait(as.owner, { agent, guardian: address.bob })
    expect(await sdk.getAgentGuardian(as.stranger, at)).toBe(address.bob)

    await sdk.transferAgentOwnershipAndWait(as.owner, { agent, newOwner: address.alice })
    expect(await sdk.getPendingAgentOwner(as.stranger, at)).toBe(address.alice)
    expect(await sdk.getAgentOwner(as.stranger, at)).toBe(address.owner)
    await sdk.acceptAgentOwnershipAndWait(as.alice, at)
    const gone = await sdk.renounceAgentOwnershipAndWait(as.alice, at)
    expect(gone.event.args).toEqual({ previousOwner: address.alice, newOwner: zeroAddress })
    expect(await sdk.getAgentOwner(as.stranger, at)).toBe(zeroAddress)
    await expectAgentListings(as.stranger, { agent, scope }, [
      ...([
        'GuardUpdated',
        'FeesUpdated',
        'OwnershipTransferStarted',
        'GuardianUpdated',
        'FeeRecipientUpdated',
      ] as const),
    ])
  })

  test('a rate that leaves its corridor stops settlement until somebody confirms it', async () => {
    const { as, address, reason, market, token, fund, scope } = agents
    const agent = await agents.create({ corridorBpsPerDay: 1_000 })
    await agents.invest('alice', agent, 100n * USDC)
    await market.tell(mocks.TestToken, token, 'mint', [agent, 100n * USDC])
    await fund('bob', agent, 10n * USDC)
    await sdk.requestMintAndWait(as.bob, { agent, amountAtomic: 10n * USDC })
    const settle = { agent, requester: address.bob }
    const before = await sdk.getAgentBooks(as.stranger, { agent })
    const outside = sdk.judgeCorridor(before)
    expect(outside?.isInside).toBe(false)
    const stopped = await sdk.settleMintAndWait(as.executor, {
      ...settle,
      reasoning: await reason(agent, 'settleMint', [address.bob]),
    })
    expect(stopped.event.args.amount).toBe(0n)
    const told = stopped.events.find(({ eventName }) => eventName === 'SettlementStopped')
    if (told?.eventName !== 'SettlementStopped') throw new Error('nothing was stopped')
    const then = await sdk.getAgentBooks(as.stranger, { agent, blockNumber: stopped.receipt.blockNumber })
    expect(sdk.judgeCorridor(then)).toEqual({ isInside: false, allowance: told.args.allowance })
    const rate = await sdk.getExchangeRate(as.stranger, { agent })
    await expect(sdk.confirmRate(as.guardian, { agent, minRate: 1n, maxRate: rate - 1n })).rejects.toMatchObject({
      errorName: 'RateOutsideBounds',
    })
    await sdk.confirmRateAndWait(as.guardian, { agent, minRate: rate, maxRate: rate })
    const inside = sdk.judgeCorridor(await sdk.getAgentBooks(as.stranger, { agent }))
    expect(inside).toMatchObject({ isInside: true })
    expect(sdk.judgeCorridor({ ...before, guard: { ...before.guard, corridorBpsPerDay: 0 } })).toBeUndefined()
    const settled = await sdk.settleMintAndWait(as.executor, {
      ...settle,
      reasoning: await reason(agent, 'settleMint', [address.bob]),
    })
    expect(settled.event.args.amount).toBeGreaterThan(0n)
    await expectAgentListings(as.stranger, { agent, scope }, ['SettlementStopped', 'RateConfirmed'])
  })

  test('says what never changes, and what it is', async () => {
    const { as, token, factory, scope, implementation } = agents
    const agent = await agents.create({ isFixedPrice: true, initialPrice: '0.25' })
    const at = { agent }
    expect(await sdk.getAcceptToken(as.stranger, at)).toBe(token)
    expect(await sdk.getShareToken(as.stranger, at)).toBe(agent)
    expect(await sdk.isAgentFixedPrice(as.stranger, at)).toBe(true)
    expect(await sdk.getExchangeRate(as.stranger, at)).toBe(250_000n)
    expect(await sdk.getAgentFactory(as.stranger, at)).toBe(factory)
    expect(await sdk.getAgentScope(as.stranger, at)).toBe(scope)
    expect(await sdk.getAgentName(as.stranger, at)).toBe('Test Agent')
    expect(await sdk.getAgentSymbol(as.stranger, at)).toBe('TEST')
    expect(await sdk.getAgentBounds(as.stranger, at)).toEqual({
      ...{ maxBatch: BigInt(sdk.MAX_BATCH), maxFeeBps: 500n, maxReturnBytes: 4_096n },
      virtualSharesAtomic: 10n ** 12n,
    })
    expect(await sdk.getFactoryTerms(as.stranger, { factory })).toEqual({
      ...{ scope, implementation, minHorizonSec: 3_600n, maxHorizonSec: 31_536_000n, maxInitialRate: 10n ** 30n },
    })
    const supported = { contract: agent, interfaceId: sdk.interfaceIds.IAgent }
    expect(await sdk.supportsInterface(as.stranger, supported)).toBe(true)
    expect(await sdk.getAgentCode(as.stranger, at)).toMatchObject({
      ...{ implementation: implementation.toLowerCase(), initialRate: 250_000n, fixedPrice: true },
    })
    expect(await sdk.getAgentCode(as.stranger, { agent: token })).toBeUndefined()
  })
})

describe('execution', () => {
  const vaultAbi = parseAbi(['function deposit(uint256 assets, address receiver)'])

  test('invests inside the Scope by an allowance for one call, and a valuation keeps it in the books', async () => {
    const { as, address, reason, market, token, scope } = agents
    const vault = await market.deployMock(mocks.TestVault, [token])
    const agent = await agents.create({
      scope: {
        rules: [
          anyRule({ target: vault, selector: '0x6e553f65', maxTokenOut: 60n * USDC }),
          anyRule({ target: address.bob, plain: true, maxValue: parseEther('1') }),
        ],
        ...{ caps: [], members: [] },
      },
    })
    await agents.invest('alice', agent, 100n * USDC)
    const { address: valuation } = await sdk.deployVaultValuation(as.owner, as.owner, {
      ...{ vault, corridorBpsPerDay: 1_000 },
    })
    await sdk.addValuationAndWait(as.owner, { agent, valuation })
    expect(await sdk.getValuations(as.stranger, { agent })).toEqual([valuation])

    const data = encodeFunctionData({ abi: vaultAbi, args: [60n * USDC, agent] })
    const call = { target: vault, valueWei: 0n, data, allowanceAtomic: 60n * USDC }
    expect(await sdk.isInScopeWithAllowance(as.stranger, { agent, ...call })).toBe(true)
    expect(await sdk.isInScope(as.stranger, { agent, ...call })).toBe(true)
    const executed = await sdk.executeWithAllowanceAndWait(as.executor, {
      ...{ agent, ...call },
      reasoning: await reason(agent, 'executeWithAllowance', [vault, 0n, data, 60n * USDC]),
    })
    expect(executed.event.args).toMatchObject({ executor: address.executor, target: vault, selector: '0x6e553f65' })
    const books = await sdk.getAgentBooks(as.stranger, { agent })
    expect(books.freeAtomic).toBe(40n * USDC)
    expect(books.valuations).toEqual([{ valuation, state: 'fresh', assetsAtomic: 60n * USDC }])
    expect(books.assetsAtomic).toBe(100n * USDC)
    expect(books.rate).toBe(USDC)
    expect(await sdk.getValuation(as.stranger, { valuation, agent })).toEqual({
      ...{ assetsAtomic: 60n * USDC, isFresh: true },
    })

    // native currency arrives and is paid on
    await sendTransaction(as.stranger, { to: agent, value: parseEther('1'), chain: null } as never)
    const payment = { target: address.bob, valueWei: parseEther('0.5'), data: '0x' } as const
    const paid = await sdk.executeAndWait(as.executor, {
      ...{ agent, ...payment },
      reasoning: await reason(agent, 'execute', [address.bob, payment.valueWei, '0x']),
    })
    expect(paid.event.args).toMatchObject({ target: address.bob, value: parseEther('0.5'), selector: '0x00000000' })
    await sdk.removeValuationAndWait(as.owner, { agent, valuation })
    await expectAgentListings(as.stranger, { agent, scope }, [
      ...(['Executed', 'Reasoned', 'Received', 'ValuationAdded', 'ValuationRemoved', 'PolicyApplied'] as const),
    ])
  })
})
