import type { WorkerCommand, WorkerUpdate } from '../../worker/protocol.ts'

/** The worker in which the nodes run. */
export interface NetworkWorker {
  readonly send: (order: WorkerCommand) => void
  readonly end: () => void
}

/** Starts a worker with the bundle of the nodes. With `bug`, this bug is planted in the nodes of the worker. */
export function startWorker(bug: string | undefined, onUpdate: (update: WorkerUpdate) => void): NetworkWorker {
  const address = new URL('network.js', document.baseURI)
  if (bug !== undefined) address.searchParams.set('bug', bug)
  const worker = new Worker(address, { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<WorkerUpdate>) => onUpdate(data)
  return { send: (order) => worker.postMessage(order), end: () => worker.terminate() }
}
