import { RequestCheckTx, ResponseCheckTx } from '@org/types/abci'
import type { MempoolApp } from '../../src/mempool/mempool.ts'

/** An application connection for tests: it answers when the test says so, in the order of the requests. */
export interface ScriptedApp extends MempoolApp {
  readonly requests: RequestCheckTx[]
  /** Answers the oldest `count` open requests. Default: all open requests. */
  readonly answer: (count?: number) => Promise<void>
  readonly fail: (error: Error) => void
  /** Makes each answer. Default: a function that accepts every transaction. */
  rule: (request: RequestCheckTx) => Partial<ResponseCheckTx>
  /** Whether it answers at once instead of waiting for `answer`. */
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
