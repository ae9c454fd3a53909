import type { Behaviour } from '@org/simnet/network'

/** The ways in which a validator of the page can lie. */
export const LIES = [
  'equivocate',
  'withhold',
  'doublePropose',
  'invalidBlock',
  'amnesia',
  'wrongPol',
] as const satisfies readonly Behaviour[]
export type Lie = (typeof LIES)[number]

/** Something that a user does to the network. Nodes are numbered from 0. */
export type Action =
  /** Messages between two nodes wait until the link is mended. */
  | { readonly kind: 'cut' | 'mend'; readonly link: readonly [number, number] }
  /** Cuts all links between the nodes in `group` and the other nodes. The action `join` mends all links. */
  | { readonly kind: 'split'; readonly group: readonly number[] }
  | { readonly kind: 'join' }
  /** A crash is like a power failure: the node loses all data that it has not synced to disk. */
  | { readonly kind: 'crash' | 'start' | 'freeze' | 'thaw' | 'obey'; readonly node: number }
  | { readonly kind: 'lie'; readonly node: number; readonly lies: readonly Lie[] }
  /** Delays each message from and to the node by `ms` milliseconds. */
  | { readonly kind: 'slow'; readonly node: number; readonly ms: number }
  | { readonly kind: 'send'; readonly node: number; readonly name: string }

/** An action and its virtual time. */
export interface TimedAction {
  /** The virtual time in whole microseconds. */
  readonly at: number
  readonly action: Action
}

export const MAX_ACTIONS = 400
const MAX_DELAY_MS = 60_000
const NAME = /^[\w-]{1,40}$/

function argumentsOf(action: Action): readonly (string | number)[] {
  switch (action.kind) {
    case 'cut':
    case 'mend':
      return action.link
    case 'split':
      return action.group
    case 'join':
      return []
    case 'lie':
      return [action.node, ...action.lies]
    case 'slow':
      return [action.node, action.ms]
    case 'send':
      return [action.node, action.name]
    default:
      return [action.node]
  }
}

/** Writes actions as a text for an address, such as `1200000.cut.0.1~2500000.crash.2`. */
export function writeActions(actions: readonly TimedAction[]): string {
  return actions.map(({ at, action }) => [at, action.kind, ...argumentsOf(action)].join('.')).join('~')
}

/**
 * Reads actions of a network of `nodes` nodes. Returns `undefined` if one of the actions is not possible in this
 * network.
 */
export function readActions(text: string, nodes: number): readonly TimedAction[] | undefined {
  if (text === '') return []
  const parts = text.split('~')
  if (parts.length > MAX_ACTIONS) return undefined
  const actions: TimedAction[] = []
  for (const part of parts) {
    const [at = '', kind = '', ...given] = part.split('.')
    const action = /^\d{1,15}$/.test(at) ? readAction(kind, given, nodes) : undefined
    if (action === undefined || Number(at) < (actions.at(-1)?.at ?? 0)) return undefined
    actions.push({ at: Number(at), action })
  }
  return actions
}

function readAction(kind: string, given: readonly string[], nodes: number): Action | undefined {
  const numbers = given.map((each) => (/^\d{1,6}$/.test(each) ? Number(each) : Number.NaN))
  const isNode = (node: number | undefined): node is number => node !== undefined && node < nodes
  const [first, second] = numbers
  switch (kind) {
    case 'cut':
    case 'mend':
      return isNode(first) && isNode(second) && first !== second && given.length === 2
        ? { kind, link: [first, second] }
        : undefined
    case 'split':
      return numbers.length > 0 && numbers.every(isNode) ? { kind, group: numbers } : undefined
    case 'join':
      return given.length === 0 ? { kind } : undefined
    case 'crash':
    case 'start':
    case 'freeze':
    case 'thaw':
    case 'obey':
      return isNode(first) && given.length === 1 ? { kind, node: first } : undefined
    case 'lie': {
      const lies = LIES.filter((lie) => given.includes(lie))
      return isNode(first) && lies.length > 0 && lies.length === given.length - 1
        ? { kind, node: first, lies }
        : undefined
    }
    case 'slow':
      return isNode(first) && second !== undefined && second <= MAX_DELAY_MS && given.length === 2
        ? { kind, node: first, ms: second }
        : undefined
    case 'send': {
      const [, name = ''] = given
      return isNode(first) && NAME.test(name) && given.length === 2 ? { kind, node: first, name } : undefined
    }
    default:
      return undefined
  }
}
