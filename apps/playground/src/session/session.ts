import { createNetwork } from '@org/simnet/network'
import { type Action, MAX_ACTIONS, type TimedAction } from './action.ts'
import { createActionRunner } from './action-runner.ts'
import type { Conditions } from './conditions.ts'
import { createInFlightMessages, type Traffic } from './in-flight-messages.ts'
import { PER_MS, roundUpToMicroseconds } from './microseconds.ts'
import type { NetworkEvent } from './network-event.ts'
import { createObserver, type Report } from './observe.ts'
import { networkOptions, type Setup } from './setup.ts'
import { createMembers, type NodeView, viewOf } from './view.ts'
import type { WireKind } from './wire-kind.ts'

/**
 * A network whose time passes only in a call of `advance`, `step` or `act`. Only one of these calls may run at a
 * time.
 */
export interface Session {
  /** Returns the virtual time in milliseconds. */
  readonly now: () => number
  /**
   * Lets time pass until `to`, and performs the planned actions in this time. Calls `isEnough` before each event, and
   * stops early if `isEnough` returns true. Resolves with true if the time `to` was reached.
   */
  readonly advance: (to: number, isEnough?: () => boolean) => Promise<boolean>
  /**
   * Lets time pass until the next event, if `unit` is `event`, or until a node reads its next message, if `unit` is
   * `message`. Performs the planned actions in this time.
   */
  readonly step: (unit: 'event' | 'message') => Promise<void>
  /**
   * Runs the rest of the present microsecond. The URL of a run contains a moment in whole microseconds. So after this
   * call, the URL of the run can open the same moment.
   */
  readonly settle: () => Promise<void>
  /** Performs an action now, and removes all planned actions. Resolves with false if the run has too many actions. */
  readonly act: (action: Action) => Promise<boolean>
  /** Returns the performed actions, followed by the planned actions. */
  readonly actions: () => readonly TimedAction[]
  readonly views: () => readonly NodeView[]
  readonly conditions: () => Conditions
  /** Returns the events since the last call. */
  readonly takeNetworkEvents: () => readonly NetworkEvent[]
  readonly takeTraffic: () => Traffic
  readonly counts: () => Readonly<Record<WireKind, number>>
  /** Returns the hash of all events of the run. */
  readonly digest: () => string
}

/** The maximum virtual time of one call of `step`, in milliseconds, if no event or message comes. */
const MAX_STEP_MS = 120_000

/**
 * Creates a network with planned actions, and starts it. The function is long, because all methods of the session use
 * the same scheduler and the same planned actions.
 */
export function createSession(setup: Setup, planned: readonly TimedAction[] = []): Session {
  const inFlight = createInFlightMessages(() => network.scheduler.now())
  const network = createNetwork({ ...networkOptions(setup), watchWire: inFlight.watch })
  const { scheduler, trace, nodes } = network
  const members = createMembers(nodes)
  let networkEvents: NetworkEvent[] = []
  const report: Report = (networkEvent) =>
    void networkEvents.push({ at: scheduler.now(), ...networkEvent } as NetworkEvent)
  const observe = createObserver(network, members, report)
  const lastLies = new Map<string, number>()
  const done: TimedAction[] = []
  let plan = [...planned]

  /**
   * Reports a lie. A liar sends the same lie to each peer, so only the first lie of a kind at each height is reported.
   */
  function onLie(node: number, lie: string): void {
    const height = nodes[node]?.engine()?.consensus.roundState().height ?? 0
    if (lastLies.get(`${node} ${lie}`) === height) return
    lastLies.set(`${node} ${lie}`, height)
    report({ what: 'lie', node, lie })
  }

  const actor = createActionRunner({ network, seed: setup.seed, onLie })

  function perform(timed: TimedAction): void {
    done.push(timed)
    report({ what: 'action', action: timed.action })
    actor.act(timed.action)
    observe()
  }

  /** Runs all events up to a time, without the planned actions. */
  async function run(to: number, isEnough: () => boolean): Promise<boolean> {
    let isInterrupted = false
    await scheduler.run(() => {
      observe()
      isInterrupted = isEnough()
      return isInterrupted
    }, to)
    return !isInterrupted
  }

  /** Runs all events up to a time, with the planned actions. */
  async function advance(to: number, isEnough = (): boolean => false): Promise<boolean> {
    for (let next = plan[0]; next !== undefined && next.at <= to * PER_MS; next = plan[0]) {
      // Events at the time of the action run before the action.
      if (!(await run(next.at / PER_MS, isEnough))) return false
      plan.shift()
      perform(next)
    }
    return to < scheduler.now() || run(to, isEnough)
  }

  async function settle(): Promise<void> {
    // In the URL of a run, the time 0 is the moment before the first event. A run at this moment stays there, so that
    // its URL can open the same moment.
    if (scheduler.happened() === 0) return
    await advance(Math.max(1, roundUpToMicroseconds(scheduler.now())) / PER_MS)
  }

  async function act(action: Action): Promise<boolean> {
    if (done.length >= MAX_ACTIONS) return false
    plan = []
    const at = roundUpToMicroseconds(scheduler.now())
    await run(at / PER_MS, () => false)
    perform({ at, action })
    return true
  }

  async function step(unit: 'event' | 'message'): Promise<void> {
    const count = unit === 'event' ? scheduler.happened : inFlight.taken
    const before = count()
    await advance(scheduler.now() + MAX_STEP_MS, () => count() > before)
    observe()
  }

  network.start()
  observe()
  return {
    now: scheduler.now,
    advance,
    step,
    settle,
    act,
    actions: () => [...done, ...plan],
    views: () => nodes.map((node, index) => viewOf(node, index, members)),
    conditions: actor.conditions,
    takeNetworkEvents: () => {
      const taken = networkEvents
      networkEvents = []
      return taken
    },
    takeTraffic: inFlight.drain,
    counts: inFlight.counts,
    digest: trace.digest,
  }
}
