import { utf8ToBytes } from '@org/types/bytes'
import type { ClassicLevel } from 'classic-level'
import type { Batch } from './port.ts'

type ChainedBatch = ReturnType<ClassicLevel<Uint8Array, Uint8Array>['batch']>

/**
 * Internal methods of a chained batch of the library `classic-level`. They do not check their arguments. If a key is a
 * text, they encode it as UTF-8.
 */
interface InnerBatch {
  readonly _put: (key: Uint8Array | string, value: Uint8Array) => void
  readonly _del: (key: Uint8Array) => void
}

/**
 * Returns a batch that passes its operations to a chained batch of the library `classic-level`. The public methods of
 * the library check and copy each operation. This takes as long as all other work for the operation. So the batch calls
 * internal methods, which neither check nor copy. Only the first operation goes to a public method. Without this call,
 * the library would not write the batch. The library can also write a list of operations, but a list takes the main
 * thread twice as long as this batch.
 */
export function quickBatch(chained: ChainedBatch): Batch {
  const inner = chained as unknown as InnerBatch
  let isFirst = true
  return {
    put: (given, value) => {
      const key = typeof given === 'string' && !given.isWellFormed() ? utf8ToBytes(given) : given
      if (!isFirst) inner._put(key, value)
      else if (typeof key === 'string') chained.put<string, Uint8Array>(key, value, { keyEncoding: 'utf8' })
      else chained.put(key, value)
      isFirst = false
    },
    del: (key) => {
      if (isFirst) chained.del(key)
      else inner._del(key)
      isFirst = false
    },
  }
}
