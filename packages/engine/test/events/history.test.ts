import { noopLogger } from '@org/runtime'
import { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { describe, expect, it } from 'vitest'
import { createEventHistory, type HistoryModules, resumableMatcher } from '../../src/events/history/index.ts'
import { createEventBus, EVENT_ERRORS, type EventItem } from '../../src/events/index.ts'
import { parseQuery } from '../../src/events/query/index.ts'
import { publishBlock } from '../../src/execution/publish.ts'
import { validatorsFromUpdates } from '../../src/execution/validator-updates.ts'
import { createBlockStore, createStateStore } from '../../src/store/index.ts'
import { dumpOf, storeOf } from '../store/dumps.ts'

async function recorded(discardAbciResponses = false) {
  const blockStore = createBlockStore({}, { db: await storeOf(dumpOf('kvstore-single/db-dump.jsonl', 'blockstore')) })
  const stateDb = await storeOf(dumpOf('kvstore-single/db-dump.jsonl', 'state'))
  const stateStore = createStateStore({ discardAbciResponses }, { db: stateDb })
  const bus = createEventBus()
  const history = createEventHistory(
    { initialHeight: 1, startHeight: blockStore.height() },
    { bus, blockStore, stateStore },
  )
  return { blockStore, stateStore, bus, history }
}

const ALL = parseQuery('tm.event EXISTS')
const types = ["tm.event='NewBlock'", "tm.event='Tx'", "tm.event='ValidatorSetUpdates'", 'tx.height > 3']

describe('event history', () => {
  it.each(types)('default: the stored events equal the published ones: %s', async (text) => {
    const { blockStore, stateStore, history } = await recorded()
    const bus = createEventBus()
    const items: EventItem[] = []
    bus.subscribe({ subscriber: 'a', query: parseQuery(text), onItem: (item) => items.push(item) })
    const past = []
    const matches = resumableMatcher(parseQuery(text))
    for (let height = history.firstAfter(0); height <= history.lastHeight(); height++) {
      const block = blockStore.loadBlock(height) as NonNullable<ReturnType<typeof blockStore.loadBlock>>
      const { blockId } = blockStore.loadBlockMeta(height) as NonNullable<ReturnType<typeof blockStore.loadBlockMeta>>
      const response = stateStore.loadFinalizeBlockResponse(height)
      const validatorUpdates = validatorsFromUpdates(response.validatorUpdates)
      publishBlock({ block, blockId, response, validatorUpdates }, { events: bus, logger: noopLogger })
      past.push(...history.read(height).filter(matches))
    }
    expect(items.length).toBeGreaterThan(0)
    expect(past.map(({ data, events }) => ({ data, events }))).toEqual(
      items.map(({ data, events }) => ({ data, events })),
    )
  })

  it('behavior: the last height is that of the last published block', async () => {
    const { blockStore, stateStore, history, bus } = await recorded(true)
    const { lastHeight } = history
    const top = lastHeight()
    expect(top).toBe(blockStore.height())
    const block = blockStore.loadBlock(top) as NonNullable<ReturnType<typeof blockStore.loadBlock>>
    const later = { ...block, header: { ...block.header, height: top + 1 } }
    const { blockId } = blockStore.loadBlockMeta(top) as NonNullable<ReturnType<typeof blockStore.loadBlockMeta>>
    const response = stateStore.loadLastFinalizeBlockResponse(top)
    bus.publish({ type: 'NewBlock', block: later, blockId, resultFinalizeBlock: response })
    expect(lastHeight()).toBe(top + 1)
    // The last block can be read although responses are discarded.
    expect(history.read(top + 1)[0]?.data).toMatchObject({ type: 'NewBlock' })
    expect(history.blockHash(top + 1)).toEqual(blockId.hash)
    expect(history.blockHash(top)).toEqual(blockId.hash)
    expect(history.blockHash(0)).toBeUndefined()
    expect(() => history.read(top)).toThrow(expect.objectContaining({ code: EVENT_ERRORS.discarded }))
  })

  it('limit: the events of blocks with many short transactions are cached up to their memory', () => {
    const BLOCKS = 40
    const txs = Array.from({ length: 5000 }, () => new Uint8Array([1, 2]))
    const txResults = txs.map(() => ExecTxResult.create({}))
    let loaded = 0
    const blockStore = {
      base: () => 1,
      loadBlock: (height: number) => {
        loaded++
        return { header: { height }, data: { txs }, evidence: { evidence: [] } }
      },
      loadBlockMeta: () => ({ blockId: { hash: new Uint8Array(32) }, blockSize: 4 * txs.length }),
    } as unknown as HistoryModules['blockStore']
    const response = { ...ResponseFinalizeBlock.create(), txResults }
    const stateStore = { loadFinalizeBlockResponse: () => response }
    const history = createEventHistory(
      { initialHeight: 1, startHeight: BLOCKS },
      { bus: createEventBus(), blockStore, stateStore },
    )
    for (let height = 1; height <= BLOCKS; height++) history.read(height)
    expect(loaded).toBe(BLOCKS)
    for (let height = BLOCKS; height > 0; height--) history.read(height)
    const kept = 2 * BLOCKS - loaded
    expect(kept).toBeGreaterThan(0)
    // The events of one block take more than 5 MB of memory.
    expect(kept).toBeLessThanOrEqual(6)
  })

  it('behavior: the events of the last block are made once, even if they are larger than the cache', async () => {
    const { blockStore, stateStore, bus } = await recorded()
    const top = blockStore.height()
    const block = blockStore.loadBlock(top) as NonNullable<ReturnType<typeof blockStore.loadBlock>>
    const { blockId } = blockStore.loadBlockMeta(top) as NonNullable<ReturnType<typeof blockStore.loadBlockMeta>>
    const response = stateStore.loadLastFinalizeBlockResponse(top)
    bus.publish({ type: 'NewBlock', block, blockId, resultFinalizeBlock: response })
    const history = createEventHistory(
      { initialHeight: 1, startHeight: top, cacheBytes: 1 },
      { bus, blockStore, stateStore },
    )
    expect(history.read(top)).toBe(history.read(top))
    expect(history.read(top - 1)).not.toBe(history.read(top - 1))
  })

  it('error: pruned heights are refused with a code', async () => {
    const { blockStore, stateStore, bus } = await recorded()
    const base = 5
    const pruned = { ...blockStore, base: () => base }
    const history = createEventHistory({ initialHeight: 1, startHeight: 9 }, { bus, blockStore: pruned, stateStore })
    expect(() => history.firstAfter(3)).toThrow(expect.objectContaining({ code: EVENT_ERRORS.pruned }))
    expect(() => history.read(4)).toThrow(expect.objectContaining({ code: EVENT_ERRORS.pruned }))
    expect(history.firstAfter(4)).toBe(5)
  })

  it('behavior: a chain that begins later has nothing pruned before its first height', async () => {
    const { blockStore, stateStore, bus } = await recorded()
    const begun = { ...blockStore, base: () => 7 }
    const history = createEventHistory({ initialHeight: 7, startHeight: 9 }, { bus, blockStore: begun, stateStore })
    expect(history.firstAfter(0)).toBe(7)
  })

  it.each(['tm.event EXISTS', "tm.event='Vote'", "tm.event CONTAINS 'New'", "tm.event='NewRoundStep'"])(
    'error: events of rounds cannot be resumed: %s',
    (text) => {
      const expected = expect.objectContaining({ code: EVENT_ERRORS.notResumable })
      expect(() => resumableMatcher(parseQuery(text))).toThrow(expected)
      expect(() => resumableMatcher(ALL)).toThrow(expected)
    },
  )
})
