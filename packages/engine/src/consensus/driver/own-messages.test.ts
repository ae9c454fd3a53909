import { type BlockId, Proposal, SignedMsgType, Vote, ZERO_BLOCK_ID } from '@org/types'
import { describe, expect, it } from 'vitest'
import type { ConsensusMessage } from '../machine/index.ts'
import { readOwnMessages } from './own-messages.ts'
import { messageRecord } from './wal-records.ts'

const blockId = (byte: number): BlockId => ({
  hash: new Uint8Array(32).fill(byte),
  partSetHeader: { total: 1, hash: new Uint8Array(32).fill(byte + 1) },
})
const signature = new Uint8Array(64).fill(7)
const at = { height: 5, round: 1 }

const recordOf = (...messages: readonly ConsensusMessage[]) =>
  readOwnMessages(messages.map((message) => ({ time: 0n, msg: messageRecord('', message) })))

const vote = (of: BlockId): Vote => Vote.create({ ...at, type: SignedMsgType.precommit, blockId: of, signature })
const proposal = (of: BlockId): Proposal => Proposal.create({ ...at, type: 32, polRound: -1, blockId: of, signature })

describe('readOwnMessages', () => {
  it('default: a request to sign a recorded message again gets the recorded message, also with another time', () => {
    const record = recordOf(
      { kind: 'vote', vote: vote(blockId(1)) },
      { kind: 'proposal', proposal: proposal(blockId(1)) },
    )
    const again = { ...vote(blockId(1)), timestamp: 9n, signature: new Uint8Array(0) }
    expect(record.answer({ type: 'signVote', vote: again, withExtension: true }, at)).toEqual({
      type: 'signVote',
      value: vote(blockId(1)),
    })
    expect(record.answer({ type: 'signProposal', proposal: proposal(blockId(1)) }, at)).toEqual({
      type: 'signProposal',
      value: proposal(blockId(1)),
    })
    expect(record.answer({ type: 'signVote', vote: { ...again, round: 2 }, withExtension: true }, at)).toBeUndefined()
  })

  it('behavior: a request to sign other content than the recorded message gets no signature', () => {
    const record = recordOf(
      { kind: 'vote', vote: vote(blockId(1)) },
      { kind: 'proposal', proposal: proposal(blockId(1)) },
    )
    for (const other of [blockId(5), ZERO_BLOCK_ID]) {
      expect(record.answer({ type: 'signVote', vote: vote(other), withExtension: false }, at)).toEqual({
        type: 'signVote',
        value: undefined,
      })
    }
    expect(record.answer({ type: 'signProposal', proposal: proposal(blockId(5)) }, at)).toEqual({
      type: 'signProposal',
      value: undefined,
    })
  })

  it('behavior: reports the rounds of precommits for blocks, not of precommits for nil', () => {
    const later = { ...vote(ZERO_BLOCK_ID), round: 2 }
    const record = recordOf({ kind: 'vote', vote: vote(blockId(1)) }, { kind: 'vote', vote: later })
    expect([...record.precommitted]).toEqual([[1, blockId(1)]])
  })
})
