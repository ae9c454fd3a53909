import { messageOf } from '@org/runtime/errors'
import { binaryOf } from './binary.ts'
import { batchOf, commonRequestOf, type RpcRequest, requestOf } from './request.ts'
import { scanWhole } from './scan.ts'

/** The requests of a body: one, or a batch. */
export type Body =
  | { readonly kind: 'batch'; readonly requests: readonly RpcRequest[] }
  | { readonly kind: 'single'; readonly request: RpcRequest }
  | { readonly kind: 'broken'; readonly message: string }
  /** A batch with too many requests. They are not read. */
  | { readonly kind: 'too-many' }

/** Reads a body. A batch of more than `maxBatch` requests is `too-many`. */
export function parseBody(body: Uint8Array, maxBatch = Number.POSITIVE_INFINITY): Body {
  const text = binaryOf(body)
  const common = commonRequestOf(text)
  if (common !== undefined) return { kind: 'single', request: common }
  try {
    const raw = scanWhole(text)
    const requests = batchOf(raw, maxBatch)
    if (requests === 'too-many') return { kind: 'too-many' }
    return requests === undefined ? { kind: 'single', request: requestOf(raw) } : { kind: 'batch', requests }
  } catch (error) {
    return { kind: 'broken', message: messageOf(error) }
  }
}
