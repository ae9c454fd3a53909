import type { RpcMethods } from '@org/rpc/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { chainReplacements } from './chain.ts'
import { type Exchange, recordingClient } from './node.ts'

/** The value that a screen loaded, or the error if the load failed. `exchanges` are the calls that the load made. */
export interface Answer<T> {
  readonly value: T | undefined
  readonly error: unknown
  readonly exchanges: readonly Exchange[]
  /** True until the value that the screen now needs is loaded. */
  readonly isLoading: boolean
}

export interface NamedAnswer<T> extends Answer<T> {
  /**
   * True if the load for the present `name` of {@link useAnswer} has not ended yet. Then `value` and `error` belong to
   * an earlier name, or are `undefined` at the first load.
   */
  readonly isOther: boolean
}

/** Loads a value from the node, with calls of `client`. */
export type Load<T> = (client: RpcMethods) => Promise<T>

interface Running {
  readonly key: string
  readonly stop: AbortController
}

/**
 * The result of the last load. `name` identifies the loaded value. `key` consists of this name and of a number: how
 * often the node had replaced blocks before the load. A node replaces blocks when a devnet goes back to an earlier
 * block. Blocks are also replaced when another chain runs at the address of the node.
 */
interface Loaded<T> extends Omit<Answer<T>, 'isLoading'> {
  readonly key: string | undefined
  readonly name: string | undefined
}

const EMPTY = { value: undefined, error: undefined, exchanges: [], key: undefined, name: undefined } as const

/**
 * Loads the value that `name` identifies. Loads it again when `name` or `refresh` changes, or when the node replaced
 * blocks. If `name` changes, the unfinished calls for the old name are aborted. If only `refresh` changes while calls
 * are unfinished, no new calls begin, so that a slow node never has two loads of one value.
 */
export function useAnswer<T>(name: string, load: Load<T>, refresh: number = 0): NamedAnswer<T> {
  const key = `${chainReplacements.value} ${name}`
  const [last, setLast] = useState<Loaded<T>>(EMPTY)
  const running = useRef<Running | undefined>(undefined)
  // The effect does not run again if only `load` changes. Therefore `name` must change with every value that `load`
  // uses.
  useEffect(() => {
    if (running.current?.key === key) return
    running.current?.stop.abort()
    const mine: Running = { key, stop: new AbortController() }
    running.current = mine
    const exchanges: Exchange[] = []
    const finish = (result: Pick<Answer<T>, 'value' | 'error'>): void => {
      if (mine.stop.signal.aborted) return
      running.current = undefined
      setLast({ ...result, exchanges, key, name })
    }
    load(recordingClient((exchange) => exchanges.push(exchange), mine.stop.signal)).then(
      (value) => finish({ value, error: undefined }),
      (error: unknown) => finish({ value: undefined, error }),
    )
  }, [key, refresh])
  useEffect(() => () => running.current?.stop.abort(), [])
  const { value, error, exchanges } = last
  return { value, error, exchanges, isLoading: last.key !== key, isOther: last.name !== name }
}
