import { createVirtualClock } from '@org/runtime'
import { describe, expect, test } from 'vitest'
import { reconnect } from './reconnect.ts'

const never = new AbortController().signal
const noJitter = { below: () => 0, bytes: (length: number) => new Uint8Array(length) }

/** Returns the time of each attempt, in seconds. */
async function attempts(maxMs: number, succeedsAt = Number.POSITIVE_INFINITY): Promise<readonly number[]> {
  const clock = createVirtualClock()
  const at: number[] = []
  let over = false
  const done = reconnect(
    async () => {
      at.push(clock.monotonic() / 1000)
      return at.length >= succeedsAt ? 'done' : 'retry'
    },
    { maxMs, jitterMs: 1, signal: never },
    { clock, random: noJitter },
  ).then((result) => {
    over = true
    return result
  })
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.next()
  }
  expect(await done).toBe(succeedsAt !== Number.POSITIVE_INFINITY)
  return at
}

describe('reconnect', () => {
  test('default: the waits are those of the reference: 20 times five seconds, then 3, 9 … 3^10 seconds, then none', async () => {
    const at = await attempts(0)
    expect(at).toHaveLength(30)
    expect(at.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => 5 * i))
    const waits = at.slice(20).map((time, i) => time - (at[19 + i] as number))
    // After the 20th attempt, two waits follow each other without an attempt between them: the last wait of the first
    // phase (5 seconds), and the first wait of the second phase (3 seconds).
    expect(waits).toEqual([8, ...Array.from({ length: 9 }, (_, i) => 3 ** (i + 2))])
  })

  test('behavior: no attempt follows the first success', async () => {
    expect(await attempts(0, 4)).toEqual([0, 5, 10, 15])
  })

  test('behavior: no wait is longer than persistent_peers_max_dial_period', async () => {
    const at = await attempts(1_000_000)
    const steps = await attempts(0)
    const waits = at.slice(1).map((time, i) => time - (at[i] as number))
    expect(Math.max(...waits)).toBe(1000)
    // The list `steps` has the times of the reference's attempts. This node makes an attempt at each of these times,
    // and further attempts between them. The last attempts of this node and of the reference are at the same time.
    expect(at.at(-1)).toBe(steps.at(-1))
    expect(at).toEqual(expect.arrayContaining([...steps]))
  })

  test('behavior: a short persistent_peers_max_dial_period limits the waits from the first attempt on', async () => {
    expect(await attempts(2000, 6)).toEqual([0, 2, 4, 5, 7, 9])
  })
})
