import { RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import type { MempoolApp } from '../../src/mempool/mempool.ts'

/**
 * An application connection for tests. It answers the requests in their order, but only when the test calls `answer`.
 */
export interface ScriptedApp extends MempoolApp {
  readonly requests: RequestCheckTx[]
  /** Answers the oldest `count` open requests. Default: all open requests. */
  readonly answer: (count?: number) => Promise<void>
  readonly fail: (error: Error) => void
  /** Returns the answer to a request. Default: accepts every transaction. */
  rule: (request: RequestCheckTx) => Partial<ResponseCheckTx>
  /** True if the application answers each request immediately, without a call of `answer`. */
  immediate: boolean
}

export function createScriptedApp(): ScriptedApp {
  const open: { readonly run: () => void }[] = []
  let listener: ((error: Error) => void) | undefined
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await Promise.resolve()
  }
  const app: ScriptedApp = {
    requests: [],
    rule: () => ({}),
    immediate: true,
    checkTx: (request) => {
      const full = RequestCheckTx.create(request)
      app.requests.push(full)
      const answer = (): ResponseCheckTx => ResponseCheckTx.create(app.rule(full))
      if (app.immediate) return Promise.resolve(answer())
      return new Promise((resolve) => open.push({ run: () => resolve(answer()) }))
    },
    flush: () => {
      if (open.length === 0) return Promise.resolve()
      return new Promise((resolve) => open.push({ run: () => resolve(undefined) }))
    },
    onError: (given) => {
      listener = given
    },
    answer: async (count = Number.POSITIVE_INFINITY) => {
      for (let i = 0; i < count && open.length > 0; i++) open.shift()?.run()
      await settle()
    },
    fail: (error) => listener?.(error),
  }
  return app
}
