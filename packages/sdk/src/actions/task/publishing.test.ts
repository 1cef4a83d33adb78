import { bytesToHex, sha256, stringToBytes } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectListings } from '../../../test/listings.ts'
import { anyTerms, type Market, startMarket, taskHashOf, tdHashOf } from '../../../test/market.ts'
import * as sdk from '../../index.ts'

let market: Market
beforeAll(async () => {
  market = await startMarket()
})
afterAll(() => market.stop())

describe('minting', () => {
  test('ids are sequential from 1, and the simulation names the next one without sending', async () => {
    const { task, as, address } = market
    const parameters: sdk.MintTaskParameters = {
      task,
      to: address.owner,
      updateAuthority: address.publisher,
      acceptanceAuthority: address.judge,
      tdHash: tdHashOf('document'),
      taskHash: taskHashOf('package'),
      taskURI: 'ipfs://package',
      terms: { ...anyTerms, maxCompletions: 3n, submitBySec: 4_000_000_000n, settleBySec: 4_000_000_001n },
    }
    const next = await sdk.getNextTokenId(as.stranger, { task })
    const { result, request } = await sdk.simulateMintTask(as.stranger, parameters)
    expect(result).toBe(next)
    expect(request).toMatchObject({ account: as.stranger.account, to: task, value: 0n })
    expect(await sdk.getNextTokenId(as.stranger, { task })).toBe(next)

    const sent: string[] = []
    const minted = await sdk.mintTaskAndWait(as.stranger, { ...parameters, onSent: (hash) => sent.push(hash) })
    expect(sent).toEqual([minted.hash])
    expect(minted.event).toMatchObject({
      eventName: 'TaskUpdated',
      args: { tokenId: next, tdHash: parameters.tdHash, taskHash: parameters.taskHash, version: 1n },
    })
    // §2: genesis event order, others may interleave
    expect(minted.events.map(({ eventName }) => eventName)).toEqual([
      'Transfer',
      'TaskUpdated',
      'TaskUpdateAuthorityChanged',
      'AcceptanceAuthorityChanged',
      'TaskURIUpdated',
    ])
    const at = { task, tokenId: next }
    expect(await sdk.getTenderTerms(as.stranger, at)).toEqual(parameters.terms)
    expect(await sdk.getTaskBinding(as.stranger, at)).toEqual({
      tdHash: parameters.tdHash,
      taskHash: parameters.taskHash,
      version: 1n,
    })
    expect(await sdk.getTaskURI(as.stranger, at)).toBe('ipfs://package')
    expect(await sdk.getUpdateAuthority(as.stranger, at)).toBe(address.publisher)
    expect(await sdk.getAcceptanceAuthority(as.stranger, at)).toBe(address.judge)
  })

  test('a hash that was sent earlier is waited for and decoded', async () => {
    const { task, as } = market
    const tokenId = await market.mint()
    const hash = await sdk.freezeTask(as.publisher, { task, tokenId })
    const receipt = await sdk.waitForTaskReceipt(as.stranger, { task, hash })
    expect(receipt.events).toMatchObject([{ eventName: 'TaskFrozen', args: { tokenId } }])
  })
})

describe('publication', () => {
  test('updateTask raises the version by one', async () => {
    const { task, as } = market
    const tokenId = await market.mint()
    const next = { tdHash: tdHashOf('second'), taskHash: taskHashOf('second') }
    const { event } = await sdk.updateTaskAndWait(as.publisher, { task, tokenId, ...next })
    expect(event.args).toEqual({ tokenId, ...next, version: 2n })
    expect(await sdk.getTaskBinding(as.stranger, { task, tokenId })).toEqual({ ...next, version: 2n })
  })

  test('setTaskURI leaves the version', async () => {
    const { task, as } = market
    const tokenId = await market.mint()
    const { event } = await sdk.setTaskURIAndWait(as.publisher, { task, tokenId, taskURI: 'ipfs://elsewhere' })
    expect(event.args).toEqual({ tokenId, taskURI: 'ipfs://elsewhere' })
    expect(await sdk.getTaskURI(as.stranger, { task, tokenId })).toBe('ipfs://elsewhere')
    expect((await sdk.getTaskBinding(as.stranger, { task, tokenId })).version).toBe(1n)
  })

  test('freezeTask ends updates, and reads see the state at a block', async () => {
    const { task, as } = market
    const tokenId = await market.mint()
    const { event } = await sdk.freezeTaskAndWait(as.publisher, { task, tokenId })
    expect(event.args).toEqual({ tokenId })
    expect(await sdk.isTaskFrozen(as.stranger, { task, tokenId })).toBe(true)
    const blockNumber = event.blockNumber - 1n
    expect(await sdk.isTaskFrozen(as.stranger, { task, tokenId, blockNumber })).toBe(false)
  })

  test('setUpdateAuthority passes publication on', async () => {
    const { task, as, address } = market
    const tokenId = await market.mint()
    const newAuthority = address.stranger
    const { event } = await sdk.setUpdateAuthorityAndWait(as.publisher, { task, tokenId, newAuthority })
    expect(event.args).toEqual({ tokenId, previousAuthority: address.publisher, newAuthority })
    await sdk.setTaskURIAndWait(as.stranger, { task, tokenId, taskURI: 'ipfs://by-the-new-one' })
  })

  test('setAcceptanceAuthority passes judgment on', async () => {
    const { task, as, address } = market
    const tokenId = await market.mint()
    const newAuthority = address.stranger
    const { event } = await sdk.setAcceptanceAuthorityAndWait(as.judge, { task, tokenId, newAuthority })
    expect(event.args).toEqual({ tokenId, previousAuthority: address.judge, newAuthority })
  })

  test('publishTaskDocument discloses the bound bytes, updateTaskWithDocument replaces them', async () => {
    const { task, as } = market
    const document = stringToBytes('# A task\n')
    const tokenId = await market.mint({}, { tdHash: tdHashOf('# A task\n') })
    expect(await sdk.hasOnchainTaskDocument(as.stranger, { task, tokenId })).toBe(false)
    const published = await sdk.publishTaskDocumentAndWait(as.publisher, { task, tokenId, document })
    expect(published.event.args).toEqual({ tokenId, tdHash: tdHashOf('# A task\n') })
    expect(await sdk.hasOnchainTaskDocument(as.stranger, { task, tokenId })).toBe(true)
    expect(await sdk.getTaskDocument(as.stranger, { task, tokenId })).toEqual(document)

    const next = stringToBytes('# Another\n')
    const taskHash = taskHashOf('another')
    const updated = await sdk.updateTaskWithDocumentAndWait(as.publisher, { task, tokenId, document: next, taskHash })
    expect(updated.event.args).toEqual({ tokenId, tdHash: sha256(bytesToHex(next)), taskHash, version: 2n })
    expect(updated.events.map(({ eventName }) => eventName)).toEqual(['TaskUpdated', 'TaskDocumentPublished'])
    expect(await sdk.getTaskDocument(as.stranger, { task, tokenId })).toEqual(next)
  })
})

describe('the token', () => {
  test('transferTask, by the owner or an approved address', async () => {
    const { task, as, address } = market
    const tokenId = await market.mint()
    const approval = await sdk.approveTaskAndWait(as.owner, { task, tokenId, operator: address.stranger })
    expect(approval.event.args).toEqual({ owner: address.owner, approved: address.stranger, tokenId })
    expect(await sdk.getTaskApproved(as.stranger, { task, tokenId })).toBe(address.stranger)
    const move = { from: address.owner, to: address.funder }
    const { event } = await sdk.transferTaskAndWait(as.stranger, { task, tokenId, ...move })
    expect(event.args).toEqual({ ...move, tokenId })
    expect(await sdk.getTaskOwner(as.stranger, { task, tokenId })).toBe(address.funder)
    expect(await sdk.getTaskBalance(as.stranger, { task, owner: address.funder })).toBe(1n)
  })

  test('safeTransferTask, by an operator for all', async () => {
    const { task, as, address } = market
    const tokenId = await market.mint()
    const grant = { operator: address.judge, approved: true }
    const { event } = await sdk.setTaskApprovalForAllAndWait(as.owner, { task, ...grant })
    expect(event.args).toEqual({ owner: address.owner, ...grant })
    const asked = { task, owner: address.owner, operator: address.judge }
    expect(await sdk.isTaskApprovedForAll(as.stranger, asked)).toBe(true)
    const move = { from: address.owner, to: address.fulfiller }
    const moved = await sdk.safeTransferTaskAndWait(as.judge, { task, tokenId, ...move, data: '0x01' })
    expect(moved.event.args).toEqual({ ...move, tokenId })
  })

  test('the collection says its name, symbol, interfaces and card', async () => {
    const { task, as } = market
    const tokenId = await market.mint()
    expect(await sdk.getTaskCollectionName(as.stranger, { task })).toBe('Tasks')
    expect(await sdk.getTaskCollectionSymbol(as.stranger, { task })).toBe('TASK')
    for (const interfaceId of [sdk.interfaceIds.ITaskToken, sdk.interfaceIds.ITaskTender] as const) {
      expect(await sdk.supportsInterface(as.stranger, { contract: task, interfaceId })).toBe(true)
    }
    const { ITaskVerifier, IOnchainTaskDocument } = sdk.interfaceIds
    expect(await sdk.supportsInterface(as.stranger, { contract: task, interfaceId: IOnchainTaskDocument })).toBe(true)
    expect(await sdk.supportsInterface(as.stranger, { contract: task, interfaceId: ITaskVerifier })).toBe(false)
    expect(await sdk.getTaskCard(as.stranger, { task, tokenId })).toMatch(/^data:application\/json/)
  })
})

test('every event of these writes is listed by its own action', async () => {
  await expectListings(market.as.stranger, market.task, [
    'TaskUpdated',
    'TaskURIUpdated',
    'TaskUpdateAuthorityChanged',
    'AcceptanceAuthorityChanged',
    'TaskFrozen',
    'TaskDocumentPublished',
    'Transfer',
    'Approval',
    'ApprovalForAll',
  ])
})
