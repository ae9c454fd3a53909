import type { Order, Update } from '../../worker/protocol.ts'

/** The worker in which the nodes run. */
export interface NetworkWorker {
  readonly send: (order: Order) => void
  readonly end: () => void
}

/** Starts a worker with the bundle of the nodes. With `bug`, the worker has the bundle in which this bug is planted. */
export function startWorker(bug: string | undefined, onUpdate: (update: Update) => void): NetworkWorker {
  const file = bug === undefined ? 'network.js' : `network-${bug}.js`
  const worker = new Worker(new URL(file, document.baseURI), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Update>) => onUpdate(data)
  return { send: (order) => worker.postMessage(order), end: () => worker.terminate() }
}
