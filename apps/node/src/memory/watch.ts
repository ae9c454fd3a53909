import { type Clock, type Logger, type Metrics, repeat } from '@org/runtime'
import type { Measure } from './measures.ts'
import { createMemoryPolicy, type MemoryReading, type MemorySpace } from './policy.ts'
import type { MemoryReader } from './readings.ts'

export interface MemoryWatchModules {
  readonly reader: MemoryReader
  /** The actions against a shortage of memory, in the order in which the node takes them. */
  readonly measures: readonly Measure[]
  readonly clock: Pick<Clock, 'after' | 'monotonic'>
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface MemoryWatch {
  readonly start: () => void
  readonly stop: () => void
  /** Checks the memory at once. To be called after a large allocation. */
  readonly check: () => void
}

/** The time between two checks. A check takes V8 about a microsecond. */
const CHECK_INTERVAL_MS = 100

/** The code of the log messages about a shortage of memory. */
export const SHORT_OF_MEMORY = 'NODE_MEMORY'

const KEYS: Readonly<Record<MemorySpace, string>> = {
  heap: 'to give the heap more memory, set the environment variable HALLEY_HEAP_MB',
  process: 'to give the node more memory, set max_memory_bytes in the configuration',
}

/** Checks how much memory the process uses, and applies measures before V8 or the system ends the process. */
export function createMemoryWatch(modules: MemoryWatchModules): MemoryWatch {
  const { reader, measures, clock, logger, metrics } = modules
  const policy = createMemoryPolicy()
  const shortage = metrics.gauge({ name: 'memory_short', help: '1 if the node is short of memory, otherwise 0.' })
  const taken = metrics.counter({
    name: 'memory_measures_total',
    help: 'Actions that the node took because it was short of memory.',
    labels: ['measure'],
  })
  const freedBytes = metrics.counter({
    name: 'memory_freed_bytes_total',
    help: 'Bytes that the node freed because it was short of memory.',
  })
  const ended = new AbortController()
  /** The names of the actions that were logged since the present shortage of memory began. */
  const reported = new Set<string>()

  function shed(needed: number, space: MemorySpace, reading: MemoryReading): void {
    shortage.set(1)
    logger.warn('The node is short of memory', { code: SHORT_OF_MEMORY, space, needed, ...reading, hint: KEYS[space] })
    let remaining = needed
    for (const { name, relieve } of measures) {
      const freed = relieve(remaining)
      taken.add(1, { measure: name })
      freedBytes.add(freed)
      if (freed > 0 || !reported.has(name))
        logger.warn('Took an action against the shortage of memory', { code: SHORT_OF_MEMORY, measure: name, freed })
      reported.add(name)
      remaining -= freed
      if (remaining <= 0) return
    }
  }

  function recover(reading: MemoryReading): void {
    shortage.set(0)
    reported.clear()
    for (const measure of measures) measure.recover?.()
    logger.info('The node has enough memory again', { ...reading })
  }

  function judge(isCollected: boolean): void {
    const reading = reader.read()
    const decision = policy.judge(reading, clock.monotonic(), isCollected)
    if (decision.kind === 'shed') shed(decision.bytes, decision.space, reading)
    else if (decision.kind === 'recover') recover(reading)
    else if (decision.kind === 'collect' && !isCollected) {
      reader.collect()
      judge(true)
    }
  }

  return {
    start: () => repeat(clock, { everyMs: CHECK_INTERVAL_MS, run: () => judge(false), signal: ended.signal }),
    stop: () => ended.abort(),
    check: () => judge(false),
  }
}
