import { type ByzantineVoteSet, createByzantineVotes } from './byzantine-votes.ts'
import { type LocalState, LocalTable } from './local-table.ts'
import { type MacroStep, macroStepsOf } from './macro-step.ts'
import { eventKey } from './message.ts'
import { createMessageNumbers } from './message-numbers.ts'
import { poolOf } from './message-pool.ts'
import { createModel, type Model } from './model.ts'
import { singleMovesOf } from './moves.ts'
import { createSymmetry } from './symmetry.ts'
import { Visited } from './visited.ts'

/** The options of {@link explore}: the correct and the faulty validators, and the limits of the search. */
export interface ExploreOptions {
  /** Default: 4 validators of equal power. */
  readonly powers?: readonly number[]
  /**
   * The number of rounds that are explored. A validator in a later round still receives the votes of these rounds.
   * Default: 2.
   */
  readonly rounds?: number
  /** The indices of faulty validators, which may send anything to anyone. */
  readonly byzantine?: readonly number[]
  /**
   * The maximum number of different votes of faulty validators that one run of the search may deliver to correct
   * validators. A vote that several correct validators receive counts once. Default: no limit.
   */
  readonly byzantineVotes?: number
  /** The blocks of a faulty proposer. The application refuses blocks that begin with `bad`. Default: `x` and `y`. */
  readonly byzantineBlocks?: readonly string[]
  /**
   * Delivers every message separately, and treats no two validators as equal. Tests compare this with the faster
   * search.
   */
  readonly full?: boolean
  /**
   * Called with each state. States that differ only in the names of equal validators count as one state. With
   * `byzantineVotes`, a state counts again if it is reached with other votes of faulty validators.
   */
  readonly onState?: (at: readonly LocalState[]) => void
  /** The search ends after this number of states. If it ends early, `complete` of the result is false. */
  readonly maxStates?: number
}

/** A violated rule, and the steps that lead to its violation. */
export interface Violation {
  readonly rule: string
  /** The steps of each validator, in order. */
  readonly trace: readonly string[]
}

/**
 * The result of {@link explore}: the number of visited states and transitions, the decided values, and the violated
 * rule, if there is one.
 */
export interface Exploration {
  readonly states: number
  readonly transitions: number
  /** The sum of the numbers of different states that the search reached for each correct validator. */
  readonly localStates: number
  /** True if all states were visited. */
  readonly complete: boolean
  readonly decided: ReadonlySet<string>
  readonly violation: Violation | undefined
}

interface Frame {
  readonly at: readonly LocalState[]
  readonly neededVotes: ByzantineVoteSet
  readonly moves: readonly { readonly validator: number; readonly move: MacroStep }[]
  next: number
}

/**
 * Visits every state that the validators of one height can reach together, with any order of messages and timeouts.
 */
export function explore(options: ExploreOptions = {}): Exploration {
  const {
    powers = [10, 10, 10, 10],
    rounds = 2,
    byzantine = [],
    byzantineVotes = Infinity,
    maxStates = Infinity,
  } = options
  const { byzantineBlocks = ['x', 'y'], full = false, onState } = options
  const model = createModel(powers, rounds)
  const correct = powers.map((_, i) => i).filter((i) => !byzantine.includes(i))
  const votesOfByzantine = createByzantineVotes(byzantine, byzantineVotes)
  const tables = new Map(correct.map((index) => [index, new LocalTable(model, { index, rounds })]))
  const tableOf = (index: number): LocalTable => tables.get(index) as LocalTable
  const alike = full ? [] : likeOnes(model, correct)
  const symmetry = createSymmetry(tables, alike)
  const seen = new Visited(correct.length)
  const decided = new Set<string>()
  let transitions = 0
  let violation: Violation | undefined

  const known = new Map<string, readonly MacroStep[]>()
  const messageNumber = createMessageNumbers()

  /**
   * Returns the sequences of moves of a validator. They depend on its state and on the messages that it may receive.
   */
  function macros(at: readonly LocalState[], i: number, needed: ByzantineVoteSet): readonly MacroStep[] {
    const own = at[i] as LocalState
    const received = full ? at.map(({ sent }) => sent) : at.map((other, j) => messageNumber({ own, i }, { other, j }))
    const key = `${i} ${own.id} ${received.join(' ')} ${needed}`
    let list = known.get(key)
    if (list === undefined) {
      const pool = poolOf(at, { model, rounds, byzantine, byzantineBlocks, votesOfByzantine, needed })
      const table = tableOf(correct[i] as number)
      list = (full ? singleMovesOf : macroStepsOf)(table, own, { pool, rounds })
      known.set(key, list)
    }
    return list
  }

  function open(at: readonly LocalState[], needed: ByzantineVoteSet): Frame {
    const moves = at.flatMap((_, i) => macros(at, i, needed).map((move) => ({ validator: i, move })))
    return { at, neededVotes: needed, moves, next: 0 }
  }

  const initial = correct.map((index) => tableOf(index).initial)
  seen.add(symmetry.canonical(initial), 0)
  onState?.(initial)
  const stack: Frame[] = [open(initial, 0)]
  while (stack.length > 0 && violation === undefined && seen.size < maxStates) {
    const frame = stack.at(-1) as Frame
    const chosen = frame.moves[frame.next++]
    if (chosen === undefined) {
      stack.pop()
      continue
    }
    transitions++
    const at = frame.at.with(chosen.validator, chosen.move.to)
    const needed = frame.neededVotes | chosen.move.neededVotes
    if (!seen.add(symmetry.canonical(at), needed)) continue
    onState?.(at)
    if (chosen.move.to.decided !== undefined) decided.add(chosen.move.to.decided)
    const rule = brokenRule(at)
    if (rule !== undefined) violation = { rule, trace: traceOf(stack, correct) }
    stack.push(open(at, needed))
  }
  const localStates = [...tables.values()].reduce((sum, table) => sum + table.states.length, 0)
  const complete = violation === undefined && stack.length === 0
  return { states: seen.size, transitions, localStates, complete, decided, violation }
}

/** Returns the correct validators that differ only in their names: they have equal power, and none of them proposes. */
function likeOnes({ proposers, powers }: Model, correct: readonly number[]): number[] {
  const others = correct.filter((index) => !proposers.includes(index))
  return others.filter((index) => powers[index] === powers[others[0] as number])
}

function brokenRule(at: readonly LocalState[]): string | undefined {
  for (const { faults } of at) if (faults[0] !== undefined) return faults[0]
  const decisions = new Set(at.flatMap((state) => state.decided ?? []))
  return decisions.size > 1 ? `two decisions: ${[...decisions].join(', ')}` : undefined
}

function traceOf(stack: readonly Frame[], correct: readonly number[]): string[] {
  return stack.map(({ moves, next }) => {
    const chosen = moves[next - 1]
    if (chosen === undefined) return ''
    return `v${correct[chosen.validator]}: ${chosen.move.events.map(eventKey).join(' ')} → ${chosen.move.to.control}`
  })
}
