import type { Submission } from '@oikos/indexer/rest'
import { describe, expect, it } from 'vitest'
import { earningsOf } from './agent-earnings.tsx'

const submission: Submission = {
  ...{
    chainId: 1,
    contract: '0x01',
    tokenId: '1',
    submissionId: '1',
    fulfiller: '0x02',
    resultHash: '0x03',
    resultUri: '',
  },
  ...{
    taskVersion: '1',
    submittedAtSec: '1',
    deadlineSec: '2',
    machineSettled: false,
    status: 'pending',
    decidedBy: null,
  },
  ...{ silence: 'pays', reward: null, credited: null, decidedAt: null },
  place: { block: 1, timeSec: 1, tx: '0x04', logIndex: 0 },
}

describe('earnings', () => {
  it('are added up by tender: what was refused or waits earned nothing', () => {
    const rows = earningsOf([
      { ...submission, status: 'accepted', reward: '250' },
      { ...submission, submissionId: '2', status: 'rejected', reward: null },
      { ...submission, submissionId: '3', status: 'accepted', reward: '250' },
      { ...submission, tokenId: '9', status: 'pending', reward: null },
    ])
    expect(
      rows.map(({ tokenId, delivered, accepted, waiting, earned }) => [tokenId, delivered, accepted, waiting, earned]),
    ).toEqual([
      ['1', 3, 2, 0, 500n],
      ['9', 1, 0, 1, 0n],
    ])
  })
})
