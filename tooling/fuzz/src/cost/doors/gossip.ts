import { createSystemClock, noopLogger, noopMetrics } from '@org/runtime'
import { ResponseCheckTx } from '@org/types/abci'
import {
  createMempoolGossip,
  DEFAULT_MEMPOOL_GOSSIP_OPTIONS,
  MEMPOOL_CHANNEL,
} from '../../../../../packages/engine/src/mempool/gossip/index.ts'
import { createFloodMempool, DEFAULT_MEMPOOL_OPTIONS } from '../../../../../packages/engine/src/mempool/index.ts'
import { scriptedPeer } from '../../../../../packages/engine/test/support/scripted-peer.ts'
import type { Door } from '../door.ts'
import { inFields, runOf } from '../shapes.ts'

/** Makes a mempool, its reactor and one peer. The application accepts every transaction. */
function openMempool() {
  const modules = { clock: createSystemClock(), logger: noopLogger, metrics: noopMetrics }
  const app = {
    checkTx: async () => ResponseCheckTx.create({}),
    flush: async () => undefined,
    onError: () => undefined,
  }
  const mempool = createFloodMempool(DEFAULT_MEMPOOL_OPTIONS, { ...modules, height: 1, app })
  const { reactor } = createMempoolGossip(DEFAULT_MEMPOOL_GOSSIP_OPTIONS, {
    ...modules,
    mempool,
    heights: { heightOf: () => 1, onHeight: () => () => undefined },
    isUnconditional: () => false,
    isConsensusBusy: () => false,
  })
  const peer = scriptedPeer('a'.repeat(40), { send: async () => true })
  reactor.addPeer(peer)
  return { mempool, reactor, peer }
}

export const transactions: Door = {
  name: 'transactions of a peer',
  where: 'engine/src/mempool/gossip/tx-receiver.ts',
  limit: 1024 * 1024,
  costs: { nsPerByte: 1000, heldPerByte: 60, turnMs: 100 },
  open: () => ({
    read: async (input) => {
      const { mempool, reactor, peer } = openMempool()
      const verdict = await reactor.receive(peer, MEMPOOL_CHANNEL, input)
      reactor.removePeer(peer, undefined)
      return [mempool, verdict]
    },
  }),
  shapes: {
    'transactions of one byte': (size) => inFields([1], runOf([0x0a, 1, 7])(size)),
    'different transactions of four bytes': (size) => {
      const bytes = runOf([0x0a, 4, 0, 0, 0, 0])(size)
      const view = new DataView(bytes.buffer)
      for (let at = 0; at + 6 <= bytes.length; at += 6) view.setUint32(at + 2, at)
      return inFields([1], bytes)
    },
    'empty transactions': (size) => inFields([1], runOf([0x0a, 0])(size)),
    'a long transaction': (size) => inFields([1, 1], runOf([7])(size)),
  },
}
