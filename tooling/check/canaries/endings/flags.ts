/** A component with a flag for its end. */
export function poll(run: () => void): { readonly stop: () => void } {
  let stopped = false // planted
  const again = (): void => {
    if (!stopped) run()
  }
  again()
  return {
    stop: () => {
      stopped = true
    },
  }
}

/** A component with a state that is its end. */
export function send(): () => string {
  let state: 'idle' | 'sending' | 'stopped' = 'idle' // planted
  const next = (): string => {
    state = state === 'idle' ? 'sending' : 'stopped'
    return state
  }
  return next
}

/** A component that keeps the promise of its end. */
export function close(end: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined // planted
  return () => {
    closing ??= end()
    return closing
  }
}

export class Queue {
  #hasEnded = false // planted

  end(): boolean {
    const before = this.#hasEnded
    this.#hasEnded = true
    return before
  }
}

export interface Entry {
  isClosed: boolean // planted
}

/** A type of functions that add a listener without a way to remove it. */
export type OnChange = (listener: () => void) => void // planted

export interface Source {
  onEnd(listener: () => void): void // planted
}

export function onStart(listener: () => void): void { // planted
  listener()
}

/** A component that keeps the flag for its end in an object. */
export function watch(): () => boolean {
  const state = { stopped: false } // planted
  return () => {
    state.stopped = true
    return state.stopped
  }
}

/** A signal that Node.js may keep in memory. */
export function either(one: AbortSignal, other: AbortSignal): AbortSignal {
  return AbortSignal.any([one, other]) // planted
}
