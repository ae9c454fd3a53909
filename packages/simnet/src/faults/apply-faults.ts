import { bytesToHex } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import type { CrashKind } from '../disk/index.ts'
import type { SimNode } from '../node/index.ts'
import { checkFaults } from './check-faults.ts'
import type { Fault, FaultKind } from './fault.ts'
import type { EffectHook, FaultTarget } from './target.ts'

export interface FaultRun {
  /** Ends all faults, and starts the nodes that are down. */
  readonly heal: () => void
  /** The number of crashes, halts and restarts. */
  readonly restarts: () => number
}

/** A node that stopped by itself is restarted after this time. */
const RESTART_MS = 1500

interface Trap {
  readonly node: SimNode
  left: number
  readonly when: 'before' | 'after'
  readonly crash: CrashKind
  readonly downMs: number
  readonly loss: number | undefined
}

/**
 * Applies the faults of a plan, and restarts nodes that crashed or stopped. Throws a `WorldError` if a fault is
 * impossible in this network.
 */
export function applyFaults(network: FaultTarget, plan: readonly Fault[]): FaultRun {
  const { nodes, scheduler, hub, monitor, trace } = network
  const traps = new Set<Trap>()
  const undo = new Set<() => void>()
  const settings = new Map<object, Map<PropertyKey, unknown[]>>()
  let restarts = 0

  const nodeAt = (index: number): SimNode => nodes[index] as SimNode

  function crash(node: SimNode, how: Pick<Trap, 'crash' | 'downMs' | 'loss'>): void {
    if (node.status() === 'down') return
    node.crash(how.crash, how.loss)
    monitor.crashed(node)
    scheduler.after(how.downMs, () => start(node))
  }

  function start(node: SimNode): void {
    if (node.status() !== 'down') return
    restarts++
    void node.start()
  }

  /** Calls `begin` now and `end` after `ms`. */
  function during(ms: number, begin: () => void, end: () => void): void {
    begin()
    const over = (): void => {
      if (!undo.delete(over)) return
      end()
    }
    undo.add(over)
    scheduler.after(ms, over)
  }

  /**
   * Allows the node to stop because of a fault. It stays allowed for a while after the fault, since slow writes may
   * end late.
   */
  function mayHalt(node: SimNode, ms: number): void {
    monitor.expectHalt(node.name, 1)
    scheduler.after(ms + 10_000, () => monitor.expectHalt(node.name, -1))
  }

  const hook: EffectHook = (node, _effect, when) => {
    for (const trap of traps) {
      if (trap.node !== node || trap.when !== when || --trap.left > 0) continue
      traps.delete(trap)
      crash(node, trap)
      return
    }
  }

  function partition(group: readonly number[], oneWay: boolean, change: (from: string, to: string) => void): void {
    for (const [i, one] of nodes.entries()) {
      for (const [j, other] of nodes.entries()) {
        if (!group.includes(i) || group.includes(j)) continue
        change(one.name, other.name)
        if (!oneWay) change(other.name, one.name)
      }
    }
  }

  /** Sets a property of a node for a while. If several are set at once, the last one that is not over counts. */
  function set<T extends object, K extends keyof T>(on: T, key: K, given: { value: T[K]; forMs: number }): void {
    const known = settings.get(on) ?? new Map<PropertyKey, unknown[]>()
    settings.set(on, known)
    // The first value is the one without a fault.
    const values = (known.get(key) ?? [{ value: on[key] }]) as { readonly value: T[K] }[]
    known.set(key, values)
    const mine = { value: given.value }
    const take = (): void => {
      on[key] = (values.at(-1) as { readonly value: T[K] }).value
    }
    during(
      given.forMs,
      () => {
        values.push(mine)
        take()
      },
      () => {
        values.splice(values.indexOf(mine), 1)
        take()
      },
    )
  }

  function badDisk(which: 'full' | 'readOnly', { node: index, forMs }: { node: number; forMs: number }): void {
    const node = nodeAt(index)
    mayHalt(node, forMs)
    set(node.disk.faults, which, { value: true, forMs })
  }

  const handlers: { readonly [K in FaultKind]: (fault: Extract<Fault, { kind: K }>) => void } = {
    crash: (fault) => crash(nodeAt(fault.node), { ...fault, loss: undefined }),
    crashAtEffect: ({ loss, ...fault }) =>
      void traps.add({ ...fault, node: nodeAt(fault.node), left: fault.effects, loss }),
    leave: ({ node }) => nodeAt(node).leave(),
    signerAway: ({ node, forMs }) => {
      const { signer } = nodeAt(node)
      if (signer !== undefined) set(signer.faults, 'away', { value: true, forMs })
    },
    freeze: ({ node, forMs }) => {
      const life = nodeAt(node).life()
      during(
        forMs,
        () => life?.freeze(),
        () => life?.thaw(),
      )
    },
    skew: ({ node, skewMs, forMs }) => set(nodeAt(node).clockFault, 'skewMs', { value: skewMs, forMs }),
    drift: (fault) => {
      // A clock keeps its drift for a whole life of a node.
      const node = nodeAt(fault.node)
      const change = (drift: number): void => {
        node.clockFault.drift = drift
        crash(node, { crash: 'kill', downMs: 100, loss: undefined })
      }
      during(
        fault.forMs,
        () => change(fault.drift),
        () => change(0),
      )
    },
    partition: ({ group, oneWay, forMs }) =>
      during(
        forMs,
        () => partition(group, oneWay, hub.block),
        () => partition(group, oneWay, hub.unblock),
      ),
    cut: ({ nodes: [one, other] }) => hub.cut(nodeAt(one).name, nodeAt(other).name),
    loss: ({ node, rate, forMs }) => set(hub.flaws(nodeAt(node).name), 'loss', { value: rate, forMs }),
    repeat: ({ node, rate, forMs }) => set(hub.flaws(nodeAt(node).name), 'repeats', { value: rate, forMs }),
    narrow: ({ node, room, forMs }) => set(hub.flaws(nodeAt(node).name), 'room', { value: room, forMs }),
    hangUp: ({ node, forMs }) => set(hub.flaws(nodeAt(node).name), 'hangsUp', { value: true, forMs }),
    flap: ({ node, everyMs, forMs }) => {
      let over = false
      const flap = (): void => {
        if (over) return
        hub.cutAll(nodeAt(node).name)
        scheduler.after(everyMs, flap)
      }
      during(forMs, flap, () => {
        over = true
      })
    },
    slowDisk: ({ node, slowness, forMs }) => set(nodeAt(node).disk.faults, 'slowness', { value: slowness, forMs }),
    slowPart: ({ node, name, slowness, forMs }) =>
      set(nodeAt(node).disk.faults.slownessOf, name, { value: slowness, forMs }),
    failSync: ({ node: index }) => {
      const node = nodeAt(index)
      mayHalt(node, 0)
      node.disk.faults.failSyncs++
    },
    fullDisk: (fault) => badDisk('full', fault),
    readOnlyDisk: (fault) => badDisk('readOnly', fault),
    appCrash: ({ node: index, method }) => {
      const node = nodeAt(index)
      mayHalt(node, 0)
      node.appFaults.failNext = method
    },
    appDelay: ({ node, delayMs, forMs }) => set(nodeAt(node).appFaults, 'delayMs', { value: [0, delayMs], forMs }),
    validator: ({ node, power, at }) => {
      const key = bytesToHex(publicKeyOf(nodeAt(node).options.key).bytes)
      const to = nodes.find(({ status }) => status() === 'running')
      if (to !== undefined) network.submit(to, `val:${key}!${power}:at${Math.round(at)}`)
    },
  }

  checkFaults(plan, { kinds: Object.keys(handlers) as FaultKind[], nodes: nodes.length })

  function happen(fault: Fault): void {
    trace.note('fault', JSON.stringify(fault))
    handlers[fault.kind](fault as never)
  }

  /** A node that stops by itself is restarted by its operator. */
  function watch(): void {
    scheduler.after(RESTART_MS, () => {
      for (const node of nodes) {
        if (node.status() !== 'halted') continue
        node.crash('kill')
        monitor.crashed(node)
        start(node)
      }
      watch()
    })
  }

  network.watchEffects(hook)
  for (const fault of plan) scheduler.after(fault.at, () => happen(fault))
  watch()
  return {
    heal: () => {
      traps.clear()
      for (const over of [...undo]) over()
      hub.unblockAll()
      for (const node of nodes) {
        node.disk.faults.failSyncs = 0
        node.appFaults.failNext = undefined
        if (node.status() === 'halted') node.crash('kill')
        start(node)
      }
      trace.note('healed')
    },
    restarts: () => restarts,
  }
}
