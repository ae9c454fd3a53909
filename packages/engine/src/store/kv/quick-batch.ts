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
 * Returns a batch that passes its operations to a chained batch of the library `classic-level`. The first operation
 * goes to a public method of the library, because the library does not write a batch whose public methods were never
 * called. All other operations go to internal methods. The public methods check and copy each operation, which takes as
 * long as the rest of the work. The internal methods neither check nor copy it. The library can also write a list of
 * operations, but then the main thread would need twice the time.
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
