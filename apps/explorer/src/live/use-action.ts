import type { RpcMethods } from '@org/rpc/client'
import { useState } from 'preact/hooks'
import { type Exchange, recordingClient } from './node.ts'
import type { Answer } from './use-answer.ts'

export interface Action<T> extends Answer<T> {
  readonly run: (call: (client: RpcMethods) => Promise<T>) => void
}

/** Returns the function `run`, which runs an action of the user. Also returns the answer to the last action. */
export function useAction<T>(): Action<T> {
  const [answer, setAnswer] = useState<Answer<T>>({
    value: undefined,
    error: undefined,
    exchanges: [],
    isLoading: false,
  })
  async function run(call: (client: RpcMethods) => Promise<T>): Promise<void> {
    const exchanges: Exchange[] = []
    setAnswer({ value: undefined, error: undefined, exchanges, isLoading: true })
    try {
      const value = await call(recordingClient((exchange) => exchanges.push(exchange)))
      setAnswer({ value, error: undefined, exchanges, isLoading: false })
    } catch (error) {
      setAnswer({ value: undefined, error, exchanges, isLoading: false })
    }
  }
  return { ...answer, run: (call) => void run(call) }
}
