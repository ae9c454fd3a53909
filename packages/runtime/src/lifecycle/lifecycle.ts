import { joinSignals } from '../abort/index.ts'
import type { Clock } from '../clock/index.ts'
import { CodedError } from '../errors/index.ts'
import type { Service } from './service.ts'
import { createTasks } from './tasks.ts'

/**
 * The status of a component. `failed` lasts until `stop`, because a failed component must still release its resources.
 */
export type ServiceStatus = 'created' | 'starting' | 'running' | 'stopping' | 'stopped' | 'failed'

/** The codes of {@link LifecycleError}. */
export const LIFECYCLE_ERRORS = { notNew: 'SERVICE_NOT_NEW', stopping: 'SERVICE_STOPPING' } as const

/**
 * The error with which `start` rejects if the component was started or stopped before. When a component stops, its
 * signal aborts. The reason of this abort is also a `LifecycleError`.
 */
export class LifecycleError extends CodedError<(typeof LIFECYCLE_ERRORS)[keyof typeof LIFECYCLE_ERRORS]> {}

/**
 * The name of a component, and the functions of the component that its lifecycle calls. Each function is optional, and
 * is called at most once.
 */
export interface LifecycleSteps {
  /** The name of the component, for its errors. */
  readonly name: string
  /**
   * Starts the component. `signal` aborts when `stop` begins, when the component fails, or when the signal of the
   * caller aborts during the start. Work that continues after the start may use `signal` too.
   */
  readonly start?: (signal: AbortSignal) => void | Promise<void>
  /**
   * The first part of `stop`. The function `start` and the tasks of the component may be waiting. This function must
   * end these waits.
   */
  readonly stop?: () => void | Promise<void>
  /** The second part of `stop`, after `start` and all tasks have ended. Completes the work that they began. */
  readonly finish?: () => void | Promise<void>
  /** The last part of `stop`. Releases the resources that the tasks used. */
  readonly close?: () => void | Promise<void>
  /** Called with the error when a running component fails. If the start fails, only its caller gets the error. */
  readonly failed?: (error: unknown) => void
  /** The longest time for which `stop` waits for `start`, the tasks and `finish`. Default: no limit. */
  readonly stopTimeout?: { readonly clock: Clock; readonly ms: number }
}

/** The status of a component, its running tasks, and the signal that ends them. */
export interface Lifecycle extends Service, AsyncDisposable {
  /** Starts the component. If `signal` aborts during the start, the start ends. Later, `signal` has no effect. */
  readonly start: (signal?: AbortSignal) => Promise<void>
  readonly status: () => ServiceStatus
  /** True from the beginning of `start` until `stop` begins or the component fails. */
  readonly isActive: () => boolean
  /** Aborts when `stop` begins, or when the component fails. Its reason is an error with a code, or the failure. */
  readonly signal: AbortSignal
  /**
   * Runs a task, and returns at once. `stop` waits until the task has ended. If the task rejects before the signal
   * aborts, the component fails. A task must not wait for `stop` of its own component.
   */
  readonly run: (task: (signal: AbortSignal) => Promise<void>) => void
  /** Makes the component fail because of an error, unless it has ended before. */
  readonly fail: (error: unknown) => void
}

/**
 * Creates the lifecycle of a component. `start` rejects with `SERVICE_NOT_NEW` if `start` or `stop` was called before.
 * `stop` may be called at any time, also during `start`; all calls return the same promise.
 */
export function createLifecycle(steps: LifecycleSteps): Lifecycle {
  const { name } = steps
  const controller = new AbortController()
  const { signal } = controller
  const tasks = createTasks()
  let status: ServiceStatus = 'created'
  let stopped: Promise<void> | undefined

  const is = (other: ServiceStatus): boolean => status === other

  async function finish(): Promise<void> {
    await tasks.idle()
    await steps.finish?.()
  }

  /** Ends the component because of an error. Returns false if the component has ended before. */
  function endWith(error: unknown): boolean {
    if (signal.aborted) return false
    status = 'failed'
    controller.abort(error)
    return true
  }

  function fail(error: unknown): void {
    if (endWith(error)) steps.failed?.(error)
  }

  async function start(given?: AbortSignal): Promise<void> {
    if (!is('created')) {
      const message = `${name} cannot be started, because its status is "${status}"; create a new one`
      throw new LifecycleError(LIFECYCLE_ERRORS.notNew, message, { data: { name, status } })
    }
    status = 'starting'
    // A listener of `given` may stop the component. The signals `given` and `signal` are then both aborted, and the
    // start must reject with the reason of `given`. So `given` is the first argument of `joinSignals`.
    const attempt = given === undefined ? undefined : joinSignals(given, signal)
    const starting = (async () => steps.start?.(attempt?.signal ?? signal))()
    tasks.add(starting, endWith)
    try {
      await starting
    } finally {
      attempt?.unlink()
      // The work that `steps.start` began may continue after the start. During the start, the signal of the caller
      // could abort this work. From now on, only the end of the component aborts this work.
      if (attempt !== undefined) signal.addEventListener('abort', () => attempt.abort(signal.reason), { once: true })
    }
    if (is('starting')) status = 'running'
  }

  async function end(): Promise<void> {
    status = 'stopping'
    controller.abort(new LifecycleError(LIFECYCLE_ERRORS.stopping, `${name} is stopping`, { data: { name } }))
    try {
      await steps.stop?.()
    } finally {
      try {
        await (steps.stopTimeout === undefined ? finish() : within(steps.stopTimeout, finish()))
      } finally {
        await steps.close?.()
        status = 'stopped'
      }
    }
  }

  function stop(): Promise<void> {
    stopped ??= end()
    return stopped
  }

  return {
    status: () => status,
    isActive: () => is('starting') || is('running'),
    signal,
    run: (task) => tasks.add((async () => task(signal))(), fail),
    fail,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** Waits until the promise settles or the time limit is reached. */
async function within(
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
  ended: Promise<void>,
): Promise<void> {
  const settled = new AbortController()
  try {
    await Promise.race([ended, clock.sleep(ms, settled.signal).catch(() => undefined)])
  } finally {
    settled.abort()
  }
}
