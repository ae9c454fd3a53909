import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Machine, RoundState } from '../../../src/consensus/machine/index.ts'
import { parseItf } from './itf.ts'
import { type Judgement, judge } from './judge.ts'
import { RULES } from './rules.ts'
import { type ModelVote, type Move, readTrace, type Trace } from './trace.ts'

const FOLDER = new URL('traces/', import.meta.url)
const traces = new Map(
  readdirSync(FOLDER).map((file) => {
    const text = gunzipSync(readFileSync(new URL(file, FOLDER))).toString()
    return [file.replace('.json.gz', ''), readTrace(text)]
  }),
)

function traceOf(name: string): Trace {
  const trace = traces.get(name)
  if (trace === undefined) throw new Error(`no trace ${name}`)
  return trace
}

/** Wraps a machine so that `change` changes its state after each step. This imitates a fault of the machine. */
function spoil(change: (state: RoundState, before: RoundState) => void): (machine: Machine) => Machine {
  return (machine) => ({
    ...machine,
    step: (input) => {
      const before = { ...machine.state }
      const effects = machine.step(input)
      change(machine.state, before)
      return effects
    },
  })
}

function faults(wrap: (machine: Machine) => Machine): string[] {
  return [...traces].filter(([, trace]) => judge(trace, wrap).unexplained.length > 0).map(([name]) => name)
}

describe('traces of the Quint model of Tendermint', () => {
  const judgements = new Map<string, Judgement>()

  it.each([...traces])(
    'default: %s: decisions, locks, steps and votes are equal, or a rule says why not',
    (name, trace) => {
      const judgement = judge(trace)
      judgements.set(name, judgement)
      expect(judgement.unexplained).toEqual([])
      expect(judgement.points).toBeGreaterThan(3)
    },
  )

  it('behavior: each rule explains as many differences as were counted when it was written', () => {
    const all = [...judgements.values()]
    const sum = (of: (judgement: Judgement) => number) => all.reduce((total, judgement) => total + of(judgement), 0)
    expect({
      traces: all.length,
      steps: sum(({ steps }) => steps),
      points: sum(({ points }) => points),
      facts: sum(({ facts }) => facts),
      decisions: sum(({ decisions }) => decisions),
    }).toEqual({ traces: 28, steps: 2150, points: 1536, facts: 12_077, decisions: 62 })
    const counts = RULES.map(({ name }) => [name, sum(({ explained }) => explained.get(name) ?? 0)])
    expect(Object.fromEntries(counts)).toEqual({
      'a decision waits for its block in a step of its own': 7,
      'a later polka unlocks': 1,
      'a quorum lacks the vote of a node that came late': 3,
      'a round is skipped by two thirds': 12,
      'after the timeout a proposal is prevoted without its polka': 2,
      'its other prevote leaves no polka': 4,
      'its other prevote makes a polka': 5,
      'precommits of two thirds end the prevotes': 15,
      'the locked block is prevoted': 7,
      'who was unlocked prevotes another block': 1,
    })
  })

  it('error: a machine that loses its lock with the round is noticed', () => {
    const found = faults(
      spoil((state, before) => {
        if (state.round > before.round) state.locked = undefined
      }),
    )
    expect(found).toContain('line32-locked')
  })

  it('error: a machine that never releases its lock is noticed', () => {
    const found = faults(
      spoil((state, before) => {
        if (state.height === before.height) state.locked ??= before.locked
      }),
    )
    expect(found).not.toEqual([])
  })

  it('error: a machine that forgets the block that was valid is noticed', () => {
    const found = faults(
      spoil((state) => {
        state.valid = undefined
      }),
    )
    expect(found).toContain('line28')
  })

  it('error: a trace in which a validator receives another prevote is noticed', () => {
    // Each prevote of the other validators is needed for the polka. If the trace delivers a prevote for another value,
    // the machine has no polka. So the machine must differ from the model in a way that no rule explains.
    const trace = traceOf('line28')
    const isOther = (vote: ModelVote, move: Move) =>
      vote.voteType.tag === 'Prevote' && vote.srcAddress !== move.validator
    const targets = trace.moves.filter((move) => move.votes.some((vote) => isOther(vote, move)))
    expect(targets.length).toBeGreaterThan(3)
    for (const target of targets) {
      const votes = target.votes.map((vote) => ({ ...vote, valueId: { tag: 'Val', value: 'green' } }))
      const moves = trace.moves.map((move) => (move === target ? { ...move, votes } : move))
      expect(judge({ ...trace, moves }).unexplained).not.toEqual([])
    }
  })

  it('error: a trace in which a validator of the model is locked on another block is noticed', () => {
    const trace = traceOf('line32-locked')
    const relock = (move: Move): Move => {
      const { node } = move
      if (node.es.cs.lockedRound < 0) return move
      const cs = { ...node.es.cs, lockedValue: { tag: 'Val', value: 'green' } }
      return { ...move, node: { ...node, es: { ...node.es, cs } } }
    }
    const { unexplained } = judge({ ...trace, moves: trace.moves.map(relock) })
    expect(unexplained.every((text) => text.includes('locked: green'))).toBe(true)
    expect(unexplained).not.toEqual([])
  })
})

describe('values of the format', () => {
  it('default: reads bigints, tuples, sets, maps, records and variants', () => {
    const state = {
      '#meta': { index: 0 },
      count: { '#bigint': '-1' },
      pair: { '#tup': [1, 'a'] },
      names: { '#set': ['a', 'b'] },
      powers: { '#map': [['a', { '#bigint': '10' }]] },
      vote: { tag: 'Val', value: 'red' },
    }
    expect(parseItf(JSON.stringify({ vars: ['count'], states: [state] })).states).toEqual([
      {
        count: -1,
        pair: [1, 'a'],
        names: ['a', 'b'],
        powers: new Map([['a', 10]]),
        vote: { tag: 'Val', value: 'red' },
      },
    ])
  })

  it('error: refuses numbers that do not fit, and invalid values', () => {
    const parse = (value: unknown) => () => parseItf(JSON.stringify({ vars: ['x'], states: [{ x: value }] }))
    expect(parse({ '#bigint': '9007199254740993' })).toThrow(RangeError)
    expect(parse({ '#unserializable': 'a' })).toThrow(TypeError)
    expect(parse(null)).toThrow(TypeError)
  })
})
