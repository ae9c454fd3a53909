import { CodedError } from '@org/runtime/errors'
import { expect, test } from 'vitest'
import { ACCEPT, ignore, type Peer, reject } from '../reactor/index.ts'
import { defineProtocol } from './define-protocol.ts'

type Message =
  | { readonly case: 'greet'; readonly value: number }
  | { readonly case: 'leave'; readonly value: undefined }

const peer = { id: 'ann' } as Peer
const [GREET, LEAVE, BROKEN, UNKNOWN] = [1, 2, 3, 4]

/** A protocol with two channels. Each channel carries one kind of message. */
function greetings(onReject?: boolean) {
  const log: string[] = []
  const protocol = defineProtocol<Message, { readonly id: string }>({
    name: 'greetings',
    labels: [undefined, 'greet', 'leave'],
    channels: [
      { id: 0x70, priority: 1, capacity: 1, maxBytes: 10, carries: ['greet'] },
      { id: 0x71, priority: 1, capacity: 1, maxBytes: 10, carries: ['leave'] },
    ],
    refuse: ({ id }, bytes) => (bytes.length > 2 ? ignore('GREETINGS_LONG', `a long message of ${id}`) : undefined),
    decode: ([kind, value = 0]) => {
      if (kind === BROKEN) throw new CodedError('GREETINGS_BROKEN', 'it is broken')
      if (kind === UNKNOWN) return undefined
      return kind === GREET ? { case: 'greet', value } : { case: 'leave', value: undefined }
    },
    join: ({ id }) => ({ id }),
    joined: ({ id }) => void log.push(`${id} joined ${protocol.peers.has(id)}`),
    left: ({ id }) => void log.push(`${id} left ${protocol.peers.has(id)}`),
    handlers: {
      greet: async ({ id }, value) => {
        log.push(`${id} greets ${value}`)
        if (value === 9) throw new Error('nine')
        return value === 8 ? reject('GREETINGS_EIGHT', 'eight', 7) : ACCEPT
      },
      leave: () => ACCEPT,
    },
    ...(onReject === true ? { onReject: (_from, verdict) => ({ ...verdict, points: 50 }) } : {}),
  })
  const receive = (channel: number, ...bytes: number[]) => protocol.receive(peer, channel, Uint8Array.from(bytes))
  return { protocol, log, receive }
}

test('default: the handler of its kind receives a message, with the value that is kept for its peer', async () => {
  const { protocol, log, receive } = greetings()
  protocol.addPeer(peer)
  expect(await receive(0x70, GREET, 5)).toEqual(ACCEPT)
  protocol.removePeer(peer, undefined)
  expect(log).toEqual(['ann joined true', 'ann greets 5', 'ann left false'])
  expect(protocol.sizes?.()).toEqual({ peers: 0 })
})

test('error: each faulty message gets a verdict with the code of its fault', async () => {
  const { protocol, log, receive } = greetings()
  expect(await receive(0x70, GREET)).toMatchObject({ type: 'ignore', code: 'MESSAGE_PEER_GONE' })
  protocol.addPeer(peer)
  expect(await receive(0x70, LEAVE)).toMatchObject({ type: 'ignore', code: 'MESSAGE_OTHER_CHANNEL' })
  expect(await receive(0x70, UNKNOWN)).toMatchObject({ type: 'reject', code: 'MESSAGE_UNKNOWN_KIND' })
  expect(await receive(0x70, BROKEN)).toMatchObject({
    type: 'reject',
    code: 'GREETINGS_BROKEN',
    reason: 'it is broken',
  })
  expect(await receive(0x70, GREET, 1, 1)).toMatchObject({ type: 'ignore', code: 'GREETINGS_LONG' })
  expect(await receive(0x70, GREET, 9)).toMatchObject({ type: 'reject', code: 'MESSAGE_UNREADABLE', reason: 'nine' })
  expect(log).toEqual(['ann joined true', 'ann greets 9'])
})

test('option: onReject decides about each rejected message, also if an error rejected it', async () => {
  const { protocol, receive } = greetings(true)
  protocol.addPeer(peer)
  expect(await receive(0x70, GREET, 8)).toEqual({
    type: 'reject',
    code: 'GREETINGS_EIGHT',
    reason: 'eight',
    points: 50,
  })
  expect(await receive(0x70, BROKEN)).toMatchObject({ code: 'GREETINGS_BROKEN', points: 50 })
})
