import type { RpcMethods } from '@org/rpc/client'
import { useEffect, useState } from 'preact/hooks'
import { type Exchange, recordingClient } from './node.ts'

/** The result of calls, with the calls. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly exchanges: readonly Exchange[]
  readonly isLoading: boolean
}

/** Calls that a screen needs. */
export type Load<T> = (client: RpcMethods, signal: AbortSignal) => Promise<T>

/** Loads a value, and loads it again when `key` changes. Until then the value of the key before is shown. */
export function useAnswer<T>(key: string, load: Load<T>): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({
    value: undefined,
    error: undefined,
    exchanges: [],
    isLoading: true,
  })
  // The key names all that `load` uses.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const stop = new AbortController()
    const exchanges: Exchange[] = []
    setAnswer((before) => ({ ...before, isLoading: true }))
    load(recordingClient(exchanges), stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setAnswer({ value, error: undefined, exchanges, isLoading: false })
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setAnswer({ value: undefined, error, exchanges, isLoading: false })
      },
    )
    return () => stop.abort()
  }, [key])
  return answer
}
