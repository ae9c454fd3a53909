import type { Step } from './define-steps.ts'

type Action = () => Promise<void> | void

/**
 * The functions that perform the steps, by the names of the steps. A step without an action is done as soon as the
 * steps that it waits for are done.
 */
export type StepActions<Name extends string> = { readonly [N in Name]?: Action | undefined }

/** The steps of one height, in progress. */
export interface StepRun<Name extends string> {
  /**
   * Resolves when the step is done. Rejects if the step fails, or if it waits for a step that fails. The promise
   * rejects only when no step of this height is running any more.
   */
  readonly when: (step: Name) => Promise<void>
}

export interface StepRunOptions<Name extends string> {
  readonly actions: StepActions<Name>
  /**
   * The `StepRun` objects of the two previous heights, the newer height first. If the object of a height is absent, all
   * steps of that height count as done.
   */
  readonly earlier: readonly (StepRun<Name> | undefined)[]
  /**
   * Called after the action of each step, for example by a test that imitates a crash. The step is done when the
   * returned promise resolves.
   */
  readonly onStep?: ((step: Name) => Promise<void> | void) | undefined
}

/** A step of a list, and the steps that wait for it. */
interface Planned<Name extends string> {
  readonly step: Step<Name>
  /** The steps that wait for this step. Each number is the index of a step in the list. */
  readonly next: readonly number[]
}

interface Progress<Name extends string> {
  readonly planned: Planned<Name>
  /**
   * The action of the step. The reference to it is dropped when the step begins, because the action keeps a block in
   * memory.
   */
  action: Action | undefined
  /** The number of steps that must still be done before this step begins. */
  missing: number
  status: 'waiting' | 'running' | 'done' | 'failed'
  error?: unknown
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Creates a function that performs the steps of one height. Each step begins as soon as the steps that it waits for are
 * done. Steps that become ready together begin in the order of the list. If a step fails, the steps that wait for it
 * are not performed; all other steps are performed.
 */
export function createStepRunner<Name extends string>(
  steps: readonly Step<Name>[],
): (options: StepRunOptions<Name>) => StepRun<Name> {
  // `plan` is computed once and used for all heights, because a replay performs the steps of many thousand heights.
  const plan = steps.map((step): Planned<Name> => ({ step, next: indexesAfter(step, steps) }))
  const indexOf = new Map(steps.map(({ name }, index) => [name, index]))
  return ({ actions, earlier, onStep }) => {
    // No function that this call creates may refer to `earlier`. Otherwise this run would keep the earlier runs in
    // memory, and with them the blocks of all earlier heights.
    const entries = plan.map((planned) => entryOf(planned, actions[planned.step.name]))
    const { advance, done, failed, when } = perform(entries, indexOf, onStep)
    watchEarlier(entries, earlier, { done, failed })
    advance()
    return { when }
  }
}

/** Returns the indexes of the steps that wait for the step `name`. */
function indexesAfter<Name extends string>({ name }: Step<Name>, steps: readonly Step<Name>[]): readonly number[] {
  return steps.flatMap(({ waitsFor }, index) => (waitsFor.some((wait) => wait === name) ? [index] : []))
}

function entryOf<Name extends string>(planned: Planned<Name>, action: Action | undefined): Progress<Name> {
  return { planned, action, missing: planned.step.waitsFor.length, status: 'waiting' }
}

interface Performing<Name extends string> extends StepRun<Name>, EarlierResult<Name> {
  readonly advance: () => void
}

function perform<Name extends string>(
  entries: readonly Progress<Name>[],
  indexOf: ReadonlyMap<Name, number>,
  onStep: StepRunOptions<Name>['onStep'],
): Performing<Name> {
  const waiting = new Map<Name, Waiting[]>()
  let running = 0

  const entryAt = (index: number): Progress<Name> => entries[index] as Progress<Name>
  const entryNamed = (name: Name): Progress<Name> => entryAt(indexOf.get(name) as number)

  function report(): void {
    for (const [name, list] of waiting) {
      const { status, error } = entryNamed(name)
      if (status !== 'done' && (status !== 'failed' || running > 0)) continue
      waiting.delete(name)
      for (const { resolve, reject } of list) {
        if (status === 'done') resolve()
        else reject(error)
      }
    }
  }

  function fail(entry: Progress<Name>, error: unknown): void {
    if (entry.status === 'failed') return
    entry.status = 'failed'
    entry.error = error
    entry.action = undefined
    for (const index of entry.planned.next) fail(entryAt(index), error)
  }

  function end(entry: Progress<Name>): void {
    entry.status = 'done'
    for (const index of entry.planned.next) entryAt(index).missing--
  }

  async function performOne(entry: Progress<Name>, action: Action): Promise<void> {
    running++
    try {
      const work = action()
      if (work !== undefined) await work
      if (onStep !== undefined) await onStep(entry.planned.step.name)
      end(entry)
    } catch (error) {
      fail(entry, error)
    }
    running--
    advance()
  }

  /** Begins all steps that are ready. A step makes only later steps ready, so one pass is enough. */
  function advance(): void {
    for (const entry of entries) {
      if (entry.status !== 'waiting' || entry.missing > 0) continue
      const { action } = entry
      entry.action = undefined
      entry.status = 'running'
      if (action === undefined) end(entry)
      else void performOne(entry, action)
    }
    report()
  }

  return {
    advance,
    done: (entry) => {
      entry.missing--
      advance()
    },
    failed: (entry, error) => {
      fail(entry, error)
      report()
    },
    when: (name) => {
      if (entryNamed(name).status === 'done') return Promise.resolve()
      return new Promise<void>((resolve, reject) => {
        waiting.set(name, [...(waiting.get(name) ?? []), { resolve, reject }])
        report()
      })
    },
  }
}

interface EarlierResult<Name extends string> {
  readonly done: (entry: Progress<Name>) => void
  readonly failed: (entry: Progress<Name>, error: unknown) => void
}

function watchEarlier<Name extends string>(
  entries: readonly Progress<Name>[],
  earlier: StepRunOptions<Name>['earlier'],
  { done, failed }: EarlierResult<Name>,
): void {
  for (const entry of entries) {
    for (const wait of entry.planned.step.waitsFor) {
      if (typeof wait === 'string') continue
      const run = earlier[wait.heightsBefore - 1]
      if (run === undefined) entry.missing--
      else {
        run.when(wait.step).then(
          () => done(entry),
          (error: unknown) => failed(entry, error),
        )
      }
    }
  }
}
