import { describe, expect, it } from 'vitest'
import { createOutbox } from './outbox.ts'

function fixture() {
  const syncs: { resolve: () => void; reject: (error: Error) => void }[] = []
  const soon: (() => void)[] = []
  const shown: string[] = []
  const errors: unknown[] = []
  const outbox = createOutbox({
    makeDurable: () => new Promise((resolve, reject) => syncs.push({ resolve, reject })),
    soon: (run) => void soon.push(run),
    onDurable: () => shown.push('durable'),
    onError: (error) => errors.push(error),
  })
  const turn = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
  return { outbox, syncs, soon, shown, errors, turn, publish: (name: string) => outbox.publish(() => shown.push(name)) }
}

describe('createOutbox', () => {
  it('default: shows an item at once if no write is pending', () => {
    const { outbox, shown, publish } = fixture()
    publish('a')
    expect(shown).toEqual(['a'])
    expect(outbox.isDurable()).toBe(true)
  })

  it('behavior: after markDirty() all items wait, in order, for one sync', async () => {
    const { outbox, syncs, soon, shown, publish, turn } = fixture()
    outbox.markDirty()
    publish('a')
    outbox.markDirty()
    publish('b')
    expect([shown, syncs.length, soon.length]).toEqual([[], 0, 1])
    soon[0]?.()
    syncs[0]?.resolve()
    await turn()
    expect(shown).toEqual(['a', 'b', 'durable'])
    publish('c')
    expect(shown).toEqual(['a', 'b', 'durable', 'c'])
  })

  it('behavior: items that arrive during a sync wait for the next sync', async () => {
    const { outbox, syncs, soon, shown, publish, turn } = fixture()
    outbox.markDirty()
    publish('a')
    soon.shift()?.()
    outbox.markDirty()
    publish('b')
    soon.shift()?.()
    expect(syncs.length).toBe(1)
    syncs[0]?.resolve()
    await turn()
    expect([shown, syncs.length]).toEqual([['a'], 2])
    // No data was written between `b` and `c`. But `b` still waits for a sync, so `c` must wait until `b` is published.
    publish('c')
    syncs[1]?.resolve()
    await turn()
    expect(shown).toEqual(['a', 'b', 'c', 'durable'])
  })

  it('behavior: a caller that waits for earlier writes does not wait for later ones', async () => {
    const { outbox, syncs, turn } = fixture()
    let ended = 0
    // In this loop, the data of a height are written before the sync of the previous height has ended. This happens on
    // a chain with short block intervals.
    for (let height = 0; height < 5; height++) {
      outbox.markDirty()
      void outbox.makeDurable().then(() => ended++)
      syncs[height - 1]?.resolve()
      await turn()
      expect(ended).toBe(height)
    }
  })

  it('behavior: a stored block makes the items before it durable, and later items wait for the last steps of the block', async () => {
    const { outbox, syncs, shown, publish, turn } = fixture()
    outbox.markDirty()
    publish('vote')
    outbox.send(() => shown.push('message'))
    const written = outbox.makeDurable()
    const rest = Promise.withResolvers<void>()
    outbox.publishBlock(() => shown.push('block'))
    outbox.holdEventsUntil(rest.promise)
    expect(shown).toEqual(['vote', 'block'])
    publish('next height')
    outbox.markDirty()
    publish('next vote')
    await turn()
    expect(shown).toEqual(['vote', 'block'])
    rest.resolve()
    await turn()
    expect(shown).toEqual(['vote', 'block', 'next height'])
    expect(outbox.isDurable()).toBe(false)
    syncs[0]?.resolve()
    await written
    expect(shown.slice(3)).toEqual(['message'])
    const all = outbox.makeDurable()
    syncs[1]?.resolve()
    await all
    expect(shown.slice(4)).toEqual(['next vote', 'durable'])
    outbox.send(() => shown.push('at once'))
    expect(shown.at(-1)).toBe('at once')
  })

  it('behavior: an event that waits for a signature also waits for the last steps of the previous block', async () => {
    const { outbox, syncs, shown, publish, turn } = fixture()
    const rest = Promise.withResolvers<void>()
    outbox.publishBlock(() => shown.push('block'))
    outbox.holdEventsUntil(rest.promise)
    outbox.markDirty()
    publish('vote')
    const written = outbox.makeDurable()
    syncs[0]?.resolve()
    await written
    expect(shown).toEqual(['block', 'durable'])
    outbox.send(() => shown.push('message'))
    rest.resolve()
    await turn()
    expect(shown).toEqual(['block', 'durable', 'message', 'vote'])
  })

  it('error: shows no further item after the last steps of a block failed', async () => {
    const { outbox, shown, errors, publish, turn } = fixture()
    outbox.publishBlock(() => shown.push('block'))
    outbox.holdEventsUntil(Promise.reject(new Error('disk')))
    publish('a')
    await turn()
    expect(shown).toEqual(['block'])
    expect(errors.length).toBe(1)
    outbox.publishBlock(() => shown.push('next'))
    expect(shown).toEqual(['block'])
  })

  it('error: shows no item after a failure', async () => {
    const { outbox, syncs, shown, errors, publish } = fixture()
    outbox.markDirty()
    publish('a')
    const written = outbox.makeDurable()
    syncs[0]?.reject(new Error('disk'))
    await expect(written).rejects.toThrow('disk')
    await expect(outbox.makeDurable()).rejects.toThrow('disk')
    publish('b')
    expect(shown).toEqual([])
    expect(errors.length).toBe(1)
    expect(syncs.length).toBe(1)
  })
})
