import { nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import { createReadTurns, PACKETS_PER_CLOCK_READING, READ_TURN_MS, type ReadTurn } from './read-turns.ts'

/**
 * Creates the object that gives connections their turns, with a clock that advances by `ms` milliseconds for each
 * packet. Also returns the function `take`, which acts as a connection and reads `count` packets. For each packet,
 * `take` adds the name of the connection to the list `read`.
 */
function open(ms: number) {
  let now = 0
  const turns = createReadTurns({ monotonic: () => now })
  const read: string[] = []
  async function take(turn: ReadTurn, name: string, count: number): Promise<void> {
    await turn.begin()
    for (let packet = 0; packet < count; packet++) {
      now += ms
      read.push(name)
      if (!turn.isOver()) continue
      turn.end()
      await turn.begin()
    }
    turn.end()
  }
  return { turns, read, take }
}

test('default: packets are read at once while the time of a turn is not used up', async () => {
  const { turns, read, take } = open(0)
  const turn = turns.join()
  void take(turn, 'a', 1000)
  await Promise.resolve()
  expect(read).toHaveLength(1000)
})

test('behavior: one turn of the event loop reads packets of all connections for a bounded time', async () => {
  const { turns, read, take } = open(0.01)
  const work = ['a', 'b', 'c'].map((name) => take(turns.join(), name, 1000))
  let before = 0
  for (let turn = 0; turn < 10; turn++) {
    await nextTurn()
    const count = read.length - before
    before = read.length
    // At most two turns of the event loop pass before `nextTurn` resolves. In each turn, all connections together read
    // for the time `READ_TURN_MS`. Each of the three connections may also read `PACKETS_PER_CLOCK_READING` packets
    // before it reads the clock.
    expect(count).toBeLessThanOrEqual(2 * (READ_TURN_MS / 0.01 + 3 * PACKETS_PER_CLOCK_READING))
    expect(count).toBeGreaterThan(0)
  }
  await Promise.all(work)
  expect(read).toHaveLength(3000)
})

test('behavior: the connection that has used the least time is the next, so a flood does not delay a few packets', async () => {
  const { turns, read, take } = open(0.01)
  const flood = ['a', 'b', 'c', 'd'].map((name) => take(turns.join(), name, 5000))
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  const before = read.length
  const honest = turns.join()
  for (let message = 0; message < 5; message++) {
    await take(honest, 'honest', 1)
    await nextTurn()
  }
  // Before each message of the honest connection, the other connections read for at most two turns.
  expect(read.length - before).toBeLessThanOrEqual(5 * 3 * (READ_TURN_MS / 0.01 + 4 * PACKETS_PER_CLOCK_READING))
  await Promise.all(flood)
  const counts = ['a', 'b', 'c', 'd'].map((name) => read.filter((one) => one === name).length)
  expect(counts).toEqual([5000, 5000, 5000, 5000])
})

test('behavior: a connection that reads nothing for a long time gets no extra time later', async () => {
  const { turns, read, take } = open(0.01)
  const idle = turns.join()
  const busy = turns.join()
  await take(busy, 'busy', 5000)
  const [first, second] = [take(busy, 'busy', 2000), take(idle, 'idle', 2000)]
  read.length = 0
  for (let turn = 0; turn < 8; turn++) await nextTurn()
  const share = read.filter((name) => name === 'busy').length / read.length
  expect(share).toBeGreaterThan(0.3)
  await Promise.all([first, second])
})
