import { expect, test } from 'vitest'
import { readActions, writeActions } from './action.ts'
import { roundUpToMicroseconds } from './microseconds.ts'
import type { NetworkEvent } from './network-event.ts'
import { readRun, writeRun } from './run-address.ts'
import { createSession } from './session.ts'
import { DEFAULT_SETUP } from './setup.ts'

const heightsOf = (networkEvents: readonly NetworkEvent[]): readonly number[] =>
  networkEvents.flatMap((each) => (each.what === 'block' ? [each.height] : []))

test('four validators decide blocks, and break no rule', async () => {
  const session = createSession(DEFAULT_SETUP)
  expect(await session.advance(5000)).toBe(true)
  const networkEvents = session.takeNetworkEvents()
  expect(heightsOf(networkEvents).slice(0, 3)).toEqual([1, 2, 3])
  expect(networkEvents.filter(({ what }) => what === 'violation')).toEqual([])
  expect(session.views().map(({ status }) => status)).toEqual(['running', 'running', 'running', 'running'])
  const { sent, endedIds } = session.takeTraffic()
  expect(sent.length).toBeGreaterThan(100)
  expect(sent.every(({ leftAt, arrivesAt }) => arrivesAt > leftAt)).toBe(true)
  expect(endedIds.length).toBeGreaterThan(100)
  expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(['other', 'proposal', 'part', 'prevote', 'precommit']))
})

test('a run is the same again if the actions of its user are written and read as text', async () => {
  const played = createSession({ ...DEFAULT_SETUP, seed: 7 })
  // The user mixes single steps with periods that end in the middle of a millisecond.
  await played.advance(1234.5678)
  await played.step('message')
  await played.act({ kind: 'cut', link: [0, 2] })
  await played.step('event')
  await played.act({ kind: 'send', node: 1, name: 'hello' })
  await played.advance(2100)
  await played.act({ kind: 'crash', node: 3 })
  await played.advance(3000, () => played.now() > 2500)
  await played.act({ kind: 'lie', node: 1, lies: ['equivocate', 'withhold'] })
  await played.act({ kind: 'start', node: 3 })
  await played.advance(5000)
  await played.act({ kind: 'join' })
  await played.advance(9000)

  const text = writeActions(played.actions())
  const read = readActions(text, 4)
  expect(read).toEqual(played.actions())
  const again = createSession({ ...DEFAULT_SETUP, seed: 7 }, read)
  await again.advance(9000)
  expect(again.digest()).toBe(played.digest())
  expect(again.takeNetworkEvents()).toEqual(played.takeNetworkEvents())
  const without = createSession({ ...DEFAULT_SETUP, seed: 7 })
  await without.advance(9000)
  expect(without.digest()).not.toBe(played.digest())
})

test.each([
  ['a single step', 12],
  ['many steps', 157],
])('a moment that is shared after %s can be opened from its address', async (_name, steps) => {
  const setup = { ...DEFAULT_SETUP, seed: 9 }
  const played = createSession(setup)
  await played.advance(1050.2)
  for (let step = 0; step < steps; step++) await played.step(step % 2 === 0 ? 'event' : 'message')
  await played.act({ kind: 'crash', node: 2 })
  await played.step('event')
  await played.settle()
  const shared = readRun(writeRun({ setup, actions: played.actions(), until: played.now(), bug: undefined }))
  const opened = createSession(setup, shared?.actions)
  await opened.advance(shared?.until as number)
  expect(opened.digest()).toBe(played.digest())
  expect(opened.views()).toEqual(played.views())
})

test('a whole microsecond is not rounded up to the next one', () => {
  for (let at = 1; at < 20_000; at++) expect(roundUpToMicroseconds(at / 1000)).toBe(at)
  expect(roundUpToMicroseconds(1.0001)).toBe(1001)
})

test('the beginning can be opened from its address', async () => {
  const session = createSession(DEFAULT_SETUP)
  await session.settle()
  expect(session.digest()).toBe(createSession(DEFAULT_SETUP).digest())
  await session.step('event')
  await session.settle()
  const run = { setup: DEFAULT_SETUP, actions: [], until: session.now(), bug: undefined }
  expect(readRun(writeRun(run))?.until).toBeGreaterThan(0)
})

test('an action of a user removes the actions that were planned for later', async () => {
  const session = createSession(DEFAULT_SETUP, [
    { at: 1_000_000, action: { kind: 'crash', node: 0 } },
    { at: 2_000_000, action: { kind: 'start', node: 0 } },
  ])
  await session.advance(1500)
  await session.act({ kind: 'freeze', node: 1 })
  await session.advance(2500)
  expect(session.actions().map(({ action }) => action.kind)).toEqual(['crash', 'freeze'])
  expect(session.views().map(({ status, isFrozen }) => `${status} ${isFrozen}`)).toEqual([
    'down false',
    'running true',
    'running false',
    'running false',
  ])
})

test.each([
  'x',
  '1.cut.0',
  '1.cut.0.4',
  '1.cut.0.0',
  '1.crash.-1',
  '1.lie.0.flood',
  '1.lie.0',
  '1.slow.0.99999999',
  '1.send.0.<b>',
  '2.join~1.join',
  '1.join.1',
])('a text that is not a valid list of actions is refused: %s', (text) => {
  expect(readActions(text, 4)).toBeUndefined()
})

test('more actions than a run may have are refused', () => {
  expect(readActions(Array(400).fill('1.join').join('~'), 4)).toHaveLength(400)
  expect(readActions(Array(401).fill('1.join').join('~'), 4)).toBeUndefined()
})
