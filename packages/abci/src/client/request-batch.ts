import type { Socket } from 'node:net'
import { Request } from '@org/types/abci'
import { createFrameWriter } from '../framing/index.ts'

export type RequestValue = NonNullable<Request['value']>

/**
 * Collects the requests of one turn of the event loop, and sends them in one write that ends with a Flush request. A Go
 * server does not send its answers before it receives a Flush request.
 */
export interface RequestBatch {
  /** Adds a request. Throws if the request cannot be encoded. */
  readonly add: (value: RequestValue) => void
}

export interface RequestBatchModules {
  /** Returns the socket to write to; `undefined` after the end of the connection. */
  readonly socket: () => Socket | undefined
  /** Called when the batch itself adds a Flush request. The client must then expect an answer to this request. */
  readonly onFlush: () => void
}

const FLUSH: Request = { value: { case: 'flush', value: {} } }

export function createRequestBatch({ socket, onFlush }: RequestBatchModules): RequestBatch {
  const writer = createFrameWriter(Request)
  let isScheduled = false
  let endsWithFlush = false

  function write(): void {
    isScheduled = false
    const to = socket()
    if (to === undefined) return
    if (!endsWithFlush) {
      writer.add(FLUSH)
      onFlush()
      endsWithFlush = true
    }
    const slabs = writer.drain()
    if (slabs.length > 1) to.cork()
    for (const slab of slabs) to.write(slab)
    if (slabs.length > 1) to.uncork()
  }

  return {
    add: (value) => {
      writer.add({ value })
      endsWithFlush = value.case === 'flush'
      if (isScheduled) return
      isScheduled = true
      setImmediate(write)
    },
  }
}
