import { SignedMsgType, Vote, ZERO_BLOCK_ID } from '@org/types'
import { describe, expect, it } from 'vitest'
import type { ConsensusMessage } from '../machine/index.ts'
import { createInbox } from './inbox.ts'

const NEVER = new AbortController().signal
const vote = (round: number): ConsensusMessage => ({ kind: 'vote', vote: Vote.create({ round }) })
const CLAIM = { peerId: 'p', height: 1, round: 0, voteType: SignedMsgType.prevote, blockId: ZERO_BLOCK_ID } as const
const peer = (round: number, size = 1) => ({ kind: 'peer', peerId: 'p', message: vote(round), size }) as const

describe('createInbox', () => {
  it('default: own messages go first, then timeouts, transactions, and peers in order', async () => {
    const inbox = createInbox({ capacity: 10, maxBytes: 1000, signal: NEVER })
    await inbox.peer(peer(1))
    await inbox.peer(peer(2))
    inbox.txsAvailable()
    inbox.timeout({ duration: 0n, height: 1, round: 0, step: 1 })
    inbox.enqueueOwn(vote(8))
    inbox.enqueueOwn(vote(9))
    const kinds: unknown[] = []
    for (let item = inbox.next(); item !== undefined; item = inbox.next()) kinds.push(item.kind)
    expect(kinds).toEqual(['own', 'own', 'timeout', 'txsAvailable', 'peer', 'peer'])
  })

  it('behavior: one input of a peer is taken after 16 local inputs of any kind, and the rest keeps its order', async () => {
    const inbox = createInbox({ capacity: 10, maxBytes: 1000, signal: NEVER })
    const kinds: (string | undefined)[] = []
    const take = (count: number): void => {
      for (let i = 0; i < count; i++) kinds.push(inbox.next()?.kind)
    }
    // Local inputs that are taken while no input of a peer waits do not count towards the limit of 16 in a row.
    for (let i = 0; i < 20; i++) inbox.enqueueOwn(vote(i))
    take(20)
    for (let i = 0; i < 40; i++) inbox.enqueueOwn(vote(i))
    inbox.timeout({ duration: 0n, height: 1, round: 0, step: 1 })
    inbox.txsAvailable()
    await inbox.peer(peer(1))
    await inbox.peer({ kind: 'peerMaj23', claim: CLAIM })
    await inbox.peer(peer(2))
    await inbox.peer(peer(3))
    take(47)
    const row = (count: number): string[] => Array.from({ length: count }, () => 'own')
    expect(kinds).toEqual([
      ...row(20),
      ...row(16),
      'peer',
      ...row(16),
      'peerMaj23',
      ...row(8),
      'timeout',
      'txsAvailable',
      'peer',
      'peer',
      undefined,
    ])
  })

  it('behavior: a peer is served although every local input leads to another local input', async () => {
    const inbox = createInbox({ capacity: 10, maxBytes: 1000, signal: NEVER })
    await inbox.peer(peer(1))
    inbox.txsAvailable()
    let taken = 0
    for (let item = inbox.next(); item?.kind !== 'peer' && taken < 1000; item = inbox.next()) {
      taken++
      if (item?.kind === 'own') inbox.timeout({ duration: 0n, height: taken, round: 0, step: 1 })
      else if (item?.kind === 'timeout') inbox.txsAvailable()
      else inbox.enqueueOwn(vote(taken))
    }
    expect(taken).toBe(16)
    expect(inbox.size()).toBe(0)
  })

  it('behavior: local inputs are taken after the last waiting peer was dropped', async () => {
    const inbox = createInbox({ capacity: 10, maxBytes: 1000, signal: NEVER })
    await inbox.peer(peer(1))
    for (let i = 0; i < 17; i++) inbox.enqueueOwn(vote(i))
    for (let i = 0; i < 16; i++) inbox.next()
    inbox.drop('p')
    expect(inbox.next()?.kind).toBe('own')
    expect(inbox.next()).toBe(undefined)
  })

  it('behavior: a full inbox makes peers wait and drops nothing', async () => {
    const inbox = createInbox({ capacity: 2, maxBytes: 1000, signal: NEVER })
    const put: number[] = []
    const puts = [0, 1, 2, 3, 4].map((i) => inbox.peer(peer(i)).then(() => put.push(i)))
    await Promise.resolve()
    await Promise.resolve()
    expect(inbox.size()).toBe(2)
    const seen: number[] = []
    for (let i = 0; i < 5; i++) {
      const item = inbox.next()
      if (item?.kind === 'peer' && item.message.kind === 'vote') seen.push(item.message.vote.round)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(puts)
    expect(seen).toEqual([0, 1, 2, 3, 4])
    expect(put).toEqual([0, 1, 2, 3, 4])
  })

  it('behavior: the waiting input of a peer that disconnected is dropped, and its inputs in the queue stay', async () => {
    const inbox = createInbox({ capacity: 2, maxBytes: 1000, signal: NEVER })
    const of = (peerId: string, round: number) => ({ ...peer(round), peerId })
    await inbox.peer(of('gone', 1))
    await inbox.peer(of('here', 2))
    const waits = [inbox.peer(of('gone', 3)), inbox.peer(of('here', 4)), inbox.peer(of('gone', 5))]
    inbox.dropWaiting('gone')
    await Promise.all([waits[0], waits[2]])
    expect(inbox.size()).toBe(2)
    const rounds: number[] = []
    for (let item = inbox.next(); item !== undefined; item = inbox.next()) {
      if (item.kind === 'peer' && item.message.kind === 'vote') rounds.push(item.message.vote.round)
      await Promise.resolve()
      await Promise.resolve()
    }
    await waits[1]
    expect(rounds).toEqual([1, 2, 4])
  })

  it('behavior: an inbox that holds many bytes makes peers wait and drops nothing', async () => {
    const inbox = createInbox({ capacity: 100, maxBytes: 1000, signal: NEVER })
    const puts = [0, 1, 2, 3, 4].map((i) => inbox.peer(peer(i, 400)))
    await new Promise((resolve) => setImmediate(resolve))
    expect([inbox.size(), inbox.byteSize()]).toEqual([3, 1200])
    for (let i = 0; i < 5; i++) {
      inbox.next()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(puts)
    expect([inbox.size(), inbox.byteSize()]).toEqual([0, 0])
  })

  it('behavior: the messages of a peer that left are dropped, the rest keeps its order, and other peers have room', async () => {
    const from = (peerId: string, round: number) => ({ ...peer(round), peerId })
    const inbox = createInbox({ capacity: 4, maxBytes: 1000, signal: NEVER })
    const puts = [from('liar', 0), from('a', 1), from('liar', 2), from('liar', 3), from('a', 4), from('b', 5)].map(
      inbox.peer,
    )
    await new Promise((resolve) => setImmediate(resolve))
    expect(inbox.size()).toBe(4)
    inbox.drop('liar')
    await Promise.all(puts)
    expect([inbox.size(), inbox.byteSize()]).toEqual([3, 3])
    const rounds = [inbox.next(), inbox.next(), inbox.next()].map((item) =>
      item?.kind === 'peer' && item.message.kind === 'vote' ? item.message.vote.round : undefined,
    )
    expect(rounds).toEqual([1, 4, 5])
    inbox.drop('nobody')
    expect(inbox.next()).toBe(undefined)
  })

  it('behavior: a waiting call ends with the next item, or when the inbox closes', async () => {
    const closing = new AbortController()
    const inbox = createInbox({ capacity: 1, maxBytes: 1000, signal: closing.signal })
    const item = inbox.whenNotEmpty()
    inbox.enqueueOwn(vote(0))
    await item
    inbox.next()
    const end = inbox.whenNotEmpty()
    await inbox.peer(peer(0))
    const blocked = inbox.peer(peer(1))
    closing.abort()
    await Promise.all([end, blocked])
    expect(inbox.size()).toBe(1)
  })
})
