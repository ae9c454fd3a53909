import { createEventBus } from '../../../../../packages/engine/src/entries/events.ts'
import { createIndexer, createMemoryStore } from '../../../../../packages/engine/src/entries/storage.ts'
import { event, indexBlock } from '../../../../../packages/engine/test/indexer/index-block.ts'
import { createEventsPort } from '../../../../../packages/node-rpc/src/events.ts'
import type { EventHistory, Events, Search } from '../../../../../packages/rpc/src/ports/index.ts'
import { publishAll } from '../../../../../packages/rpc/test/made-blocks.ts'
import { createMemoryEvents } from '../../../../../packages/rpc/test/memory-events.ts'
import { startRpc } from '../../../../../packages/rpc/test/start-rpc.ts'
import type { Opened } from '../door.ts'
import { send } from './send.ts'

const BLOCKS = 20

/** Returns an index like that of a node. It is in memory, and contains 20 generated blocks. */
async function createIndex(): Promise<Search & { readonly written: () => Promise<void> }> {
  const index = createIndexer({}, { db: createMemoryStore() })
  const events = [event('a', { b: '1' })]
  for (let height = 1; height <= BLOCKS; height++) {
    const txs = ['x', 'y', 'z'].map((name) => ({ tx: `${name}${height}`, events }))
    await indexBlock(index, height, { txs, events })
  }
  return index
}

/**
 * Returns the events of a node, with its event bus, its queries and its subscriptions. The past events are those of
 * 20 generated blocks.
 */
function createEvents(index: { readonly written: () => Promise<void> }): Events {
  const made = createMemoryEvents()
  publishAll(
    made,
    Array.from({ length: BLOCKS }, () => 3),
  )
  const history = made.history as EventHistory
  return createEventsPort({
    bus: createEventBus(),
    txWaiters: { wait: made.awaitTx } as never,
    history,
    index,
    chainId: history.chainId(),
  })
}

/**
 * Starts an RPC server with the searches, subscriptions and past events of a node. Returns a reader that sends the
 * input to the server, and waits until the answer contains `end`.
 */
export async function serve(end: string): Promise<Opened> {
  const index = await createIndex()
  const running = await startRpc({}, { search: index, events: createEvents(index) })
  return { read: (input) => send(running.port, input, end), close: () => running[Symbol.asyncDispose]() }
}
