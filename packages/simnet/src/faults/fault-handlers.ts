import type { Timer } from '@org/runtime'
import { bytesToHex } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import type { SimNode } from '../node/index.ts'
import type { Crashes } from './crashes.ts'
import type { Fault, FaultKind } from './fault.ts'
import { reportOldDoubleSign } from './old-double-sign.ts'
import type { FaultTarget } from './target.ts'
import type { TimedSettings } from './timed-settings.ts'

/** The function that makes a fault happen, by the kind of the fault. */
export type FaultHandlers = { readonly [K in FaultKind]: (fault: Extract<Fault, { kind: K }>) => void }

/** Creates the handlers. The function is long because it contains the table of all kinds, with a few lines each. */
export function createFaultHandlers(
  network: FaultTarget,
  { crash, planCrash }: Pick<Crashes, 'crash' | 'planCrash'>,
  { during, set }: TimedSettings,
): FaultHandlers {
  const { nodes, scheduler, hub, monitor } = network

  const nodeAt = (index: number): SimNode => nodes[index] as SimNode

  /**
   * Allows the node to stop because of a fault. The node may also stop in the 10 s after the fault: a disk operation
   * fails only when it ends, and a slow operation may end late.
   */
  function mayHalt(node: SimNode, ms: number): void {
    monitor.expectHalt(node.name, 1)
    scheduler.after(ms + 10_000, () => monitor.expectHalt(node.name, -1))
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

  function badDisk(which: 'full' | 'readOnly', { node: index, forMs }: { node: number; forMs: number }): void {
    const node = nodeAt(index)
    mayHalt(node, forMs)
    set(node.disk.faults, which, { value: true, forMs })
  }

  return {
    crash: (fault) => crash(nodeAt(fault.node), { ...fault, loss: undefined }),
    crashAtEffect: ({ loss, ...fault }) => planCrash({ ...fault, node: nodeAt(fault.node), left: fault.effects, loss }),
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
      // The drift of a clock cannot change during a life of the node, so the node crashes and starts again.
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
    loss: ({ node, rate, forMs }) => set(hub.linkFaults(nodeAt(node).name), 'loss', { value: rate, forMs }),
    repeat: ({ node, rate, forMs }) => set(hub.linkFaults(nodeAt(node).name), 'repeats', { value: rate, forMs }),
    narrow: ({ node, room, forMs }) => set(hub.linkFaults(nodeAt(node).name), 'room', { value: room, forMs }),
    hangUp: ({ node, forMs }) => set(hub.linkFaults(nodeAt(node).name), 'closesIncoming', { value: true, forMs }),
    flap: ({ node, everyMs, forMs }) => {
      let next: Timer | undefined
      const flap = (): void => {
        hub.cutAll(nodeAt(node).name)
        next = scheduler.after(everyMs, flap)
      }
      during(forMs, flap, () => next?.cancel())
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
    oldDoubleSign: ({ node, joiner, below, early = false }) =>
      reportOldDoubleSign({ validator: nodeAt(node), joiner: nodeAt(joiner), below, early }, network),
  }
}
