/** Permitted: the end of the component is a signal. */
export function poll(run: () => void): { readonly stop: () => void } {
  const ended = new AbortController()
  if (!ended.signal.aborted) run()
  return { stop: () => ended.abort() }
}

/** Permitted: numbers, lists and texts are not flags. */
export function count(calls: readonly string[]): string {
  let running = 0
  let open: string[] = []
  for (const call of calls) {
    running++
    open = [...open, call]
  }
  return `${running} ${open.length}`
}

/** Permitted: the states of a task, of which none is the end of a component. */
export function next(): string {
  let state: 'waiting' | 'running' | 'done' = 'waiting'
  state = state === 'waiting' ? 'running' : 'done'
  return state
}

/** Permitted: the caller cannot change the flag. */
export interface View {
  readonly isClosed: boolean
}

/** Permitted: a signal removes the listener. */
export type OnChange = (listener: () => void, signal?: AbortSignal) => void

/** Permitted: a signal removes the listener. */
export interface Source {
  onEnd(listener: () => void, signal: AbortSignal): void
}

/** Permitted: the type of the parameter comes from another place. */
export const onChange: OnChange = (listener) => listener()
