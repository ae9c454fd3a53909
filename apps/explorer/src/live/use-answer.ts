import type { RpcMethods } from '@org/rpc/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Exchange, recordingClient } from './node.ts'

/** The result of calls, with the calls. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly exchanges: readonly Exchange[]
  /** Whether `value` is missing, or still belongs to the previous key. */
  readonly isLoading: boolean
}

/** Calls that a screen needs. */
export type Load<T> = (client: RpcMethods) => Promise<T>

interface Running {
  readonly key: string
  readonly stop: AbortController
}

const EMPTY = { value: undefined, error: undefined, exchanges: [], isLoading: true } as const

/**
 * Loads a value, and loads it again when `key` or `refresh` changes. A new key ends the calls of the key before; a
 * refresh waits for them: a slow node gets no second call before it has answered the first.
 */
export function useAnswer<T>(key: string, load: Load<T>, refresh: number = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(EMPTY)
  const running = useRef<Running | undefined>(undefined)
  const loaded = useRef<string | undefined>(undefined)
  // The key must change with every value that `load` uses.
  useEffect(() => {
    if (running.current?.key === key) return
    running.current?.stop.abort()
    const mine: Running = { key, stop: new AbortController() }
    running.current = mine
    const exchanges: Exchange[] = []
    if (loaded.current !== key) setAnswer((before) => ({ ...before, isLoading: true }))
    const finish = (result: Pick<Answer<T>, 'value' | 'error'>): void => {
      if (mine.stop.signal.aborted) return
      running.current = undefined
      loaded.current = key
      setAnswer({ ...result, exchanges, isLoading: false })
    }
    load(recordingClient((exchange) => exchanges.push(exchange), mine.stop.signal)).then(
      (value) => finish({ value, error: undefined }),
      (error: unknown) => finish({ value: undefined, error }),
    )
  }, [key, refresh])
  useEffect(() => () => running.current?.stop.abort(), [])
  return answer
}
