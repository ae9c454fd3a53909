import type { RpcMethods } from '@org/rpc/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Exchange, recordingClient } from './node.ts'

/** The value that a screen loaded, with the calls that it made for the value. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly exchanges: readonly Exchange[]
  /** Whether the value for the present key is not loaded yet. */
  readonly isLoading: boolean
}

/** Loads a value by calls to the node. */
export type Load<T> = (client: RpcMethods) => Promise<T>

interface Running {
  readonly key: string
  readonly stop: AbortController
}

const EMPTY = { value: undefined, error: undefined, exchanges: [], isLoading: true } as const

/**
 * Loads a value, and loads it again when `key` or `refresh` changes. A new key aborts the calls of
 * the key before. A refresh waits for the calls in progress, so that a slow node never has two calls for one value.
 */
export function useAnswer<T>(key: string, load: Load<T>, refresh: number = 0): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>(EMPTY)
  const running = useRef<Running | undefined>(undefined)
  const loaded = useRef<string | undefined>(undefined)
  // `load` is not in the list of dependencies, so the key must change with every value that `load` uses.
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
