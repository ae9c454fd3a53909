import { recordingLines } from '@org/golden'
import { noopLogger } from '@org/runtime'
import { eventDataToJson } from '@org/types'
import { type Json, stringifyJson } from '@org/types/schema'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEventBus, type EventBus, type EventItem } from '../../src/events/index.ts'
import { parseQuery } from '../../src/events/query/index.ts'
import { publishBlock } from '../../src/execution/publish.ts'
import { validatorsFromUpdates } from '../../src/execution/validator-updates.ts'
import { type BlockStore, createBlockStore, createStateStore, type StateStore } from '../../src/store/index.ts'
import { dumpOf, storeOf } from '../store/dumps.ts'

interface Frame {
  readonly id: number
  readonly query: string
  readonly type: string
  readonly text: string
}

const BLOCK_EVENTS =
  /"type":"tendermint\/event\/(?:NewBlock|NewBlockHeader|NewBlockEvents|NewEvidence|Tx|ValidatorSetUpdates)"/

/**
 * Returns the recorded event frames about blocks, in the order in which they were recorded. The keys of the returned
 * map are the queries of the subscriptions.
 */
function recordedFrames(scenario: string): ReadonlyMap<string, readonly Frame[]> {
  const byQuery = new Map<string, Frame[]>()
  for (const { frame: text } of recordingLines<{ frame: string }>(`${scenario}/events.jsonl`)) {
    const { id, result } = JSON.parse(text) as { id: number; result?: { query?: string; data?: { type: string } } }
    const query = result?.query
    if (query === undefined || !BLOCK_EVENTS.test(text)) continue
    const frames = byQuery.get(query) ?? []
    frames.push({ id, query, type: result?.data?.type as string, text })
    byQuery.set(query, frames)
  }
  return byQuery
}

/**
 * Makes the recorded and the published frames comparable. Sorts the keys of `events`, because the reference writes them
 * in any order. Replaces an empty list of validator updates by null. In a recorded frame, this list is `[]` if the
 * application runs in its own process. In a published frame, this list is null, because the test reads it from the
 * store, and the store returns an empty list as null.
 */
function normal(text: string): string {
  const at = text.lastIndexOf(',"events":{')
  const events = JSON.parse(text.slice(at + ',"events":'.length, -2)) as Record<string, string[]>
  const sorted = JSON.stringify(Object.entries(events).sort(([a], [b]) => (a < b ? -1 : 1)))
  return text.slice(0, at).replace('"validator_updates":[],"app_hash"', '"validator_updates":null,"app_hash"') + sorted
}

function frameOf({ id, query }: Frame, { data, events }: EventItem): string {
  return stringifyJson({ jsonrpc: '2.0', id, result: { query, data: eventDataToJson(data), events: events as Json } })
}

/** Publishes the events of a stored block, as a node does when it commits the block. */
function publishStored(bus: EventBus, height: number, stores: { blocks: BlockStore; states: StateStore }): void {
  const block = stores.blocks.loadBlock(height)
  if (block === undefined) throw new Error(`no block ${height}`)
  const { blockId } = stores.blocks.loadBlockMeta(height) as NonNullable<ReturnType<BlockStore['loadBlockMeta']>>
  const response = stores.states.loadFinalizeBlockResponse(height)
  const validatorUpdates = validatorsFromUpdates(response.validatorUpdates)
  publishBlock({ block, blockId, response, validatorUpdates }, { events: bus, logger: noopLogger })
}

describe.each([
  ['kvstore-single', 'db-dump.jsonl'],
  ['kvstore-four', 'db-dump-node0.jsonl'],
  ['e2e-voteext', 'db-dump-node0.jsonl'],
])('events of %s', (scenario, dump) => {
  const recorded = recordedFrames(scenario)
  const published = new Map<string, EventItem[]>()

  beforeAll(async () => {
    const blocks = createBlockStore({}, { db: await storeOf(dumpOf(`${scenario}/${dump}`, 'blockstore')) })
    const states = createStateStore({}, { db: await storeOf(dumpOf(`${scenario}/${dump}`, 'state')) })
    const bus = createEventBus()
    for (const query of recorded.keys()) {
      const items: EventItem[] = []
      published.set(query, items)
      bus.subscribe({ subscriber: 'test', query: parseQuery(query), onItem: (item) => items.push(item) })
    }
    for (let height = blocks.base(); height <= blocks.height(); height++) publishStored(bus, height, { blocks, states })
  })

  it.each([...recorded.keys()])('default: %s', (query) => {
    const frames = recorded.get(query) as readonly Frame[]
    const items = published.get(query) as readonly EventItem[]
    // The recorder was closed before the last blocks, so more events are published than recorded.
    expect(items.length).toBeGreaterThanOrEqual(frames.length)
    for (const [i, frame] of frames.entries()) {
      expect(normal(frameOf(frame, items[i] as EventItem))).toBe(normal(frame.text))
    }
  })
})
