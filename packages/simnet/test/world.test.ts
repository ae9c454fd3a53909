import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDisk, createSimFiles, createSimStore, FAST_DISK } from '../src/disk/index.ts'
import { createLife, createRandomSource, createScheduler, createTrace } from '../src/world/index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (given: Uint8Array | undefined): string => new TextDecoder().decode(given)

function world(seed: number) {
  const scheduler = createScheduler()
  const life = createLife({ genesis: 0n, clockFault: { skewMs: 0, drift: 0 } }, scheduler)
  const trace = createTrace({ now: scheduler.now, keep: 0 })
  const disk = createDisk(FAST_DISK, { random: createRandomSource(seed), trace, node: 'n', onOp: () => undefined })
  const runSecond = (): Promise<void> => scheduler.run(() => false, scheduler.now() + 1000)
  return { scheduler, life, disk, runSecond }
}

describe('virtual time', () => {
  test('default: events that are due at the same time happen in the order of their requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 5 }), { maxLength: 60 }), async (delays) => {
        const scheduler = createScheduler()
        const seen: number[] = []
        for (const [i, ms] of delays.entries()) scheduler.after(ms, () => seen.push(i))
        await scheduler.run(() => false)
        const wanted = delays.map((ms, i) => ({ ms, i })).sort((a, b) => a.ms - b.ms || a.i - b.i)
        expect(seen).toEqual(wanted.map(({ i }) => i))
      }),
      { numRuns: 30 },
    )
  })

  test('behavior: a frozen node does its work later, a dead one never', async () => {
    const { scheduler, life } = world(1)
    const seen: string[] = []
    life.later(1, () => seen.push('a'))
    life.later(2, () => seen.push('b'))
    life.freeze()
    await scheduler.run(() => false, 10)
    expect(seen).toEqual([])
    life.thaw()
    await scheduler.run(() => false, 20)
    expect(seen).toEqual(['a', 'b'])
    life.later(1, () => seen.push('c'))
    life.end()
    await scheduler.run(() => false, 30)
    expect(seen).toEqual(['a', 'b'])
  })
})

describe('answers in real time', () => {
  const always = { name: 'n0: query', isWanted: () => true }

  test('default: virtual time stands still until all have answered, and answers come in the order of the requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }), async (order) => {
        const scheduler = createScheduler()
        const seen: string[] = []
        const answers = order.map(() => Promise.withResolvers<void>())
        scheduler.after(1, () => {
          for (const [i, { promise }] of answers.entries()) {
            void scheduler.hold(promise, always).then(() => seen.push(`${i} at ${scheduler.now()}`))
          }
        })
        scheduler.after(1, () => seen.push('next'))
        const over = scheduler.run(() => false, 5)
        // The answers come in random order, and some of them come immediately.
        const mixed = answers.map((answer, i) => ({ answer, turns: order[i] ?? 0 }))
        for (const { answer, turns } of mixed) {
          void (async () => {
            for (let i = 0; i < turns; i++) await new Promise(setImmediate)
            answer.resolve()
          })()
        }
        await over
        expect(seen).toEqual([...order.map((_, i) => `${i} at 1`), 'next'])
      }),
      { numRuns: 20 },
    )
  })

  test('error: reports a missing answer after the limit, unless the node is dead', async () => {
    const scheduler = createScheduler(20)
    const never = new Promise<void>(() => undefined)
    let alive = true
    void scheduler.hold(never, { name: 'n0: info', isWanted: () => alive })
    const silent = { code: 'SIM_NO_ANSWER', data: { question: 'n0: info' } }
    await expect(scheduler.run(() => false, 5)).rejects.toMatchObject(silent)
    await expect(scheduler.run(() => false, 5)).rejects.toMatchObject(silent)
    expect(scheduler.now()).toBe(0)
    alive = false
    await scheduler.run(() => false, 5)
    expect(scheduler.now()).toBe(5)
  })

  test('behavior: several waits at once end independently', async () => {
    const scheduler = createScheduler()
    const seen: string[] = []
    for (let at = 1; at <= 9; at++) scheduler.after(at, () => seen.push(String(at)))
    const run = async (name: string, isDone: () => boolean, limit: number): Promise<void> => {
      await scheduler.run(isDone, limit).catch((error: Error) => seen.push(error.message))
      seen.push(`${name} at ${scheduler.now()}`)
    }
    await Promise.all([
      run('a', () => false, 3.5),
      run('b', () => seen.includes('2'), 9),
      run('c', () => false, 3.5),
      run('d', () => seen.includes('5') && fail('no'), 9),
    ])
    expect(seen).toEqual(['1', '2', 'b at 2', '3', 'a at 3.5', 'c at 3.5', '4', '5', 'no', 'd at 5'])
  })
})

function fail(message: string): never {
  throw new Error(message)
}

describe('a disk without power', () => {
  test('behavior: synced bytes of a file stay, and of the rest a beginning, zeros, or all but a lost block', async () => {
    const whole = `123${'twelve'.repeat(300)}`
    const seen = new Set<string>()
    for (let seed = 1; seed <= 80; seed++) {
      const { life, disk, runSecond } = world(seed)
      const files = createSimFiles(disk)
      const file = files.of(life).open('/d/log', 'append')
      file.write([bytes('123')])
      void file.sync()
      void files.of(life).syncDirectory('/d')
      await runSecond()
      for (let i = 0; i < 3; i++) file.write([bytes('twelve'.repeat(100))])
      life.end()
      disk.crash('power')
      const left = text(files.read('/d/log'))
      expect(left.startsWith('123') && left.length <= whole.length).toBe(true)
      expect([...left].every((char, at) => char === whole[at] || char === '\0')).toBe(true)
      seen.add(left.replaceAll(/\0+/g, ' … ').replaceAll(/[a-z]+/g, '*'))
    }
    expect([...seen].sort()).toEqual(['123', '123 … ', '123 … *', '123*', '123* … ', '123* … *'].sort())
  })

  test('behavior: a rename that was not synced may be gone, and never leaves half a file', async () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 40; seed++) {
      const { life, disk, runSecond } = world(seed)
      const files = createSimFiles(disk)
      files.place('/d/state', bytes('old'))
      const port = files.of(life)
      const file = port.open('/d/state.tmp', 'create')
      file.write([bytes('new')])
      void file.sync()
      await runSecond()
      void port.rename('/d/state.tmp', '/d/state')
      await runSecond()
      life.end()
      disk.crash('power')
      seen.add(text(files.read('/d/state')))
    }
    expect([...seen].sort()).toEqual(['new', 'old'])
  })

  test('behavior: a database loses complete batches from its end, and no synced batch', async () => {
    const seen = new Set<string>()
    for (let seed = 1; seed <= 40; seed++) {
      const { life, disk, runSecond } = world(seed)
      const store = createSimStore('db', disk)
      const db = store.open(life)
      const write = async (value: string, sync: boolean): Promise<void> => {
        void db.write(
          ['a', 'b'].map((key) => ({ type: 'put', key: bytes(key), value: bytes(value) }) as const),
          { sync },
        )
        await runSecond()
      }
      await write('1', true)
      await write('2', false)
      await write('3', false)
      life.end()
      disk.crash('power')
      const again = store.open(createLife({ genesis: 0n, clockFault: { skewMs: 0, drift: 0 } }, createScheduler()))
      expect(text(again.get(bytes('a')))).toBe(text(again.get(bytes('b'))))
      seen.add(text(again.get(bytes('a'))))
    }
    expect([...seen].sort()).toEqual(['1', '2', '3'])
  })

  test('error: a full disk, a read-only disk and a failed sync are reported', async () => {
    const { life, disk, runSecond } = world(1)
    const files = createSimFiles(disk).of(life)
    const file = files.open('/d/log', 'append')
    disk.faults.full = true
    expect(() => file.write([bytes('x')])).toThrow('ENOSPC')
    disk.faults.full = false
    disk.faults.failSyncs = 1
    const failed = file.sync().catch((error: Error) => error.message)
    await runSecond()
    expect(await failed).toContain('EIO')
  })

  test('error: a full or read-only disk refuses each batch of a database, forced to disk or not', async () => {
    for (const which of ['full', 'readOnly'] as const) {
      for (const sync of [true, false]) {
        const { life, disk, runSecond } = world(1)
        const db = createSimStore('db', disk).open(life)
        disk.faults[which] = true
        const failed = db
          .write([{ type: 'put', key: bytes('a'), value: bytes('1') }], { sync })
          .catch((error: Error) => error.message)
        await runSecond()
        expect(await failed).toContain(which)
        expect(db.get(bytes('a'))).toBeUndefined()
      }
    }
  })
})
