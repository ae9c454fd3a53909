import type { Clock, Histogram, Metrics } from '@org/runtime'
import { isPromise } from '../application/index.ts'
import { METHOD_NAMES } from '../messages/index.ts'
import type { AbciClient } from './client.ts'

/** Creates the reference's histogram of the duration of calls, in seconds. */
export function methodTiming(metrics: Metrics): Histogram {
  return metrics.histogram({
    name: 'abci_connection_method_timing_seconds',
    help: 'Timing for each ABCI method.',
    labels: ['method', 'type'],
    buckets: [0.0001, 0.0004, 0.002, 0.009, 0.02, 0.1, 0.65, 2, 6, 25],
  })
}

type Call = (request: never) => Promise<unknown>

/**
 * Returns a client whose calls are timed. As in the reference, the label of `checkTx` is "async", and the label of all
 * other methods is "sync".
 */
export function timedClient<C extends AbciClient>(client: C, timing: Histogram, clock: Clock): C {
  const timed: Record<string, Call> = {}
  for (const name of [...METHOD_NAMES, 'echo', 'flush'] as const) {
    const method = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const labels = { method, type: name === 'checkTx' ? 'async' : 'sync' }
    const call = client[name] as Call
    timed[name] = async (request) => {
      const start = clock.monotonic()
      try {
        return await call(request)
      } finally {
        timing.observe((clock.monotonic() - start) / 1000, labels)
      }
    }
  }
  return { ...client, ...timed, ...timedNow(client, timing, clock) }
}

function timedNow({ checkTxNow }: AbciClient, timing: Histogram, clock: Clock): Pick<AbciClient, 'checkTxNow'> {
  if (checkTxNow === undefined) return {}
  return {
    checkTxNow: (request) => {
      const start = clock.monotonic()
      const end = (): void => timing.observe((clock.monotonic() - start) / 1000, { method: 'check_tx', type: 'async' })
      let answer: ReturnType<typeof checkTxNow> | undefined
      try {
        answer = checkTxNow(request)
        return isPromise(answer) ? answer.finally(end) : answer
      } finally {
        if (answer === undefined || !isPromise(answer)) end()
      }
    },
  }
}
