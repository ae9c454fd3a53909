import { expect, test } from 'vitest'
import { createWire } from '../src/peers/wire.ts'
import { createRandomSource, createScheduler } from '../src/world/index.ts'

const OPTIONS = { latencyMs: [5, 5], bandwidth: 1e9 } as const

/** Sends a message every ten milliseconds, on two channels in turn. Returns the arrival times in milliseconds. */
async function arrivals(sizes: readonly number[], lossOf: (place: number) => number) {
  const scheduler = createScheduler()
  const seen: { readonly place: number; readonly at: number }[] = []
  let lost = 0
  let now = 0
  const wire = createWire(OPTIONS, {
    scheduler,
    random: createRandomSource(1),
    isBlocked: () => false,
    delay: () => 0,
    loss: () => lossOf(now),
    onLoss: () => void lost++,
    deliver: ({ bytes }) => void seen.push({ place: bytes[0] as number, at: Math.round(scheduler.now()) }),
  })
  for (const [place, size] of sizes.entries()) {
    scheduler.after(10 * place, () => {
      now = place
      wire.offer({ channel: place % 2, bytes: new Uint8Array(size).fill(place) }, 100)
    })
  }
  await scheduler.run(() => false)
  return { seen, lost }
}

test('default: a message arrives once, after the latency', async () => {
  const { seen, lost } = await arrivals([10, 10, 10], () => 0)
  expect(seen).toEqual([0, 1, 2].map((place) => ({ place, at: 10 * place + 5 })))
  expect(lost).toBe(0)
})

test('behavior: a lost segment is sent again after growing waits, and later data waits behind it', async () => {
  const { seen, lost } = await arrivals([10, 10, 10, 10], (place) => (place === 1 ? 0.999 : 0))
  // The first message was sent before the lost segment, so it does not wait until that segment is sent again.
  expect(seen[0]).toEqual({ place: 0, at: 5 })
  const waited = 200 * (2 ** lost - 1)
  expect(lost).toBeGreaterThan(1)
  expect(seen.map(({ place }) => place).sort((a, b) => a - b)).toEqual([0, 1, 2, 3])
  // The messages on the other channel are delayed too, because both channels use the same stream.
  for (const { place, at } of seen.slice(1)) expect([place, at]).toEqual([place, 10 + 5 + waited])
})

test('behavior: messages of one moment on one channel share a segment, up to its size', async () => {
  const scheduler = createScheduler()
  const batches: number[] = []
  let last = -1
  const wire = createWire(
    { latencyMs: [1, 100], bandwidth: 1e9 },
    {
      scheduler,
      random: createRandomSource(2),
      isBlocked: () => false,
      delay: () => 0,
      loss: () => 0,
      onLoss: () => undefined,
      deliver: () => {
        if (scheduler.happened() === last) batches[batches.length - 1] = (batches.at(-1) as number) + 1
        else batches.push(1)
        last = scheduler.happened()
      },
    },
  )
  for (let i = 0; i < 10; i++) wire.offer({ channel: 1, bytes: new Uint8Array(400) }, 100)
  await scheduler.run(() => false)
  expect(batches).toEqual([3, 3, 3, 1])
})
