import { corrupt, createRandomSource, type SimNetwork, type SimNode } from '@org/simnet/network'
import type { Action, Lie } from './action.ts'
import { type Conditions, linkName } from './conditions.ts'

export interface ActionRunnerModules {
  readonly network: SimNetwork
  readonly seed: number
  /** Called when a lying node breaks a rule of the protocol. */
  readonly onLie: (node: number, lie: string) => void
}

export interface ActionRunner {
  readonly act: (action: Action) => void
  readonly conditions: () => Conditions
}

/** The functions that perform actions: one function for each kind of action. */
type Handlers = { readonly [K in Action['kind']]: (action: Extract<Action, { readonly kind: K }>) => void }

/** Performs actions on a network. */
export function createActionRunner({ network, seed, onLie }: ActionRunnerModules): ActionRunner {
  const { nodes, hub, monitor, scheduler } = network
  const cut = new Set<string>()
  const lies = new Map<number, readonly Lie[]>()
  const slow = new Map<number, number>()
  const nodeAt = (index: number): SimNode => nodes[index] as SimNode

  function setLink([one, other]: readonly [number, number], isCut: boolean): void {
    const [first, second] = [nodeAt(one).name, nodeAt(other).name]
    const change = isCut ? hub.block : hub.unblock
    change(first, second)
    change(second, first)
    if (isCut) cut.add(linkName([one, other]))
    else cut.delete(linkName([one, other]))
  }

  /**
   * Delays all messages from and to a node. On the link between two slow nodes, only the delay that was set last
   * counts.
   */
  function delay(index: number, ms: number): void {
    if (ms === 0) slow.delete(index)
    else slow.set(index, ms)
    const { name } = nodeAt(index)
    for (const other of nodes) {
      if (other.name === name) continue
      hub.delay(name, other.name, ms)
      hub.delay(other.name, name, ms)
    }
  }

  function split(group: readonly number[]): void {
    for (let one = 0; one < nodes.length; one++)
      for (let other = one + 1; other < nodes.length; other++)
        if (group.includes(one) !== group.includes(other)) setLink([one, other], true)
  }

  function crash(index: number): void {
    const node = nodeAt(index)
    if (node.status() === 'down') return
    node.crash('power')
    monitor.crashed(node)
  }

  function start(index: number): void {
    const node = nodeAt(index)
    // A node that has stopped because of an error still has its process. The process must end before the node can start
    // again.
    if (node.status() === 'halted') crash(index)
    if (node.status() === 'down') void node.start()
  }

  function lie(index: number, given: readonly Lie[]): void {
    const node = nodeAt(index)
    lies.set(index, given)
    monitor.distrust(node.name, given)
    const random = createRandomSource(seed).fork(`lies of ${node.name}`)
    const { chainId } = network.genesis
    hub.intercept(
      node.name,
      corrupt(node, given, { chainId, random, now: scheduler.now, onDeed: (what) => onLie(index, what) }),
    )
  }

  const handlers: Handlers = {
    cut: ({ link }) => setLink(link, true),
    mend: ({ link }) => setLink(link, false),
    split: ({ group }) => split(group),
    join: () => {
      cut.clear()
      hub.unblockAll()
    },
    crash: ({ node }) => crash(node),
    start: ({ node }) => start(node),
    freeze: ({ node }) => nodeAt(node).life()?.freeze(),
    thaw: ({ node }) => nodeAt(node).life()?.thaw(),
    lie: ({ node, lies: given }) => lie(node, given),
    obey: ({ node }) => {
      lies.delete(node)
      hub.intercept(nodeAt(node).name, undefined)
    },
    slow: ({ node, ms }) => delay(node, ms),
    send: ({ node, name }) => network.submit(nodeAt(node), `tx:${name}`),
  }

  return {
    act: (action) => handlers[action.kind](action as never),
    conditions: () => ({ cut: [...cut], lies, slow }),
  }
}
