import { recordingLines } from '@org/golden'
import { type EventData, eventDataToJson } from '@org/types'
import type { Json } from '@org/types/schema'
import { formatTime } from '@org/types/time'
import { describe, expect, it } from 'vitest'
import { roundStateSimpleToJson, roundStateToJson } from '../../src/consensus/driver/index.ts'
import { DEFAULT_MACHINE_OPTIONS, type MachineOptions } from '../../src/consensus/machine/index.ts'
import { openRecordedHome, type RecordedRun, runRecordedHome } from './recorded-home.ts'

/**
 * Returns the options with which the machine replays a recorded home. The parameter contains four timeouts of the
 * recorded node, in milliseconds: propose, prevote, precommit and commit.
 */
function options([propose, prevote, precommit, commit]: readonly [number, number, number, number]): MachineOptions {
  const ms = (value: number): bigint => BigInt(value) * 1_000_000n
  return {
    ...DEFAULT_MACHINE_OPTIONS,
    timeoutPropose: ms(propose),
    timeoutProposeDelta: ms(100),
    timeoutPrevote: ms(prevote),
    timeoutPrecommit: ms(precommit),
    timeoutCommit: ms(commit),
    createEmptyBlocks: false,
  }
}

const SINGLE = options([400, 200, 200, 200])
const FOUR = options([600, 300, 300, 200])
const E2E = { ...options([1000, 200, 200, 400]), createEmptyBlocks: true }

async function run(path: string, given: MachineOptions): Promise<RecordedRun> {
  await using closing = new AsyncDisposableStack()
  const home = await openRecordedHome(path)
  closing.defer(home.close)
  return await runRecordedHome(home, given)
}

interface Exchange {
  readonly request: { readonly path: string }
  readonly response: { readonly body: string }
}

function answered(route: string): { readonly [key: string]: Json } {
  const exchanges = recordingLines<Exchange>('kvstore-single/answers.jsonl')
  const { response } = exchanges.find(({ request }) => request.path === `/${route}`) as Exchange
  return JSON.parse(response.body).result.round_state
}

function expectSameText(got: Json, wanted: Json): void {
  expect(JSON.stringify(got)).toBe(JSON.stringify(wanted))
}

interface EventFrame {
  readonly result?: { readonly query?: string; readonly data?: { readonly type: string } }
}

const ROUND_EVENTS = /^tendermint\/event\/(RoundState|NewRound|CompleteProposal|Vote)$/

/**
 * Returns the recorded events about rounds, proposals and votes, in the order of their arrival. The keys of the
 * returned map are the queries of the subscriptions.
 */
function recordedEvents(scenario: string): ReadonlyMap<string, readonly string[]> {
  const byQuery = new Map<string, string[]>()
  for (const { frame } of recordingLines<{ frame: string }>(`${scenario}/events.jsonl`)) {
    const { query, data } = (JSON.parse(frame) as EventFrame).result ?? {}
    if (query === undefined || !ROUND_EVENTS.test(data?.type ?? '')) continue
    byQuery.set(query, [...(byQuery.get(query) ?? []), JSON.stringify(data)])
  }
  return byQuery
}

/**
 * Expects that the recorded events are among the published events. The recorder may have subscribed after the first
 * steps, and it stopped before the last steps.
 */
function expectRecorded(events: readonly EventData[], scenario: string): void {
  const recorded = recordedEvents(scenario)
  expect(recorded.size).toBeGreaterThanOrEqual(7)
  for (const [query, frames] of recorded) {
    const type = /^tm\.event='(\w+)'$/.exec(query)?.[1]
    // Some recorded nodes fetched blocks at their start. When such a node changed to consensus, it published the step
    // NewHeight once. The machine of this test does not publish this step. So the first recorded event is not compared
    // if it contains this step.
    const wanted = type === 'NewRoundStep' && frames[0]?.includes('RoundStepNewHeight') ? frames.slice(1) : frames
    const published = events
      .filter((event) => event.type === type)
      .map((event) => JSON.stringify(eventDataToJson(event)))
    const from = published.indexOf(wanted[0] as string)
    expect(published.slice(from, from + wanted.length), query).toEqual(wanted)
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe("a recorded node's WAL", () => {
  // There are three recorded chains. The first begins with one validator; others join and leave, and five heights are
  // decided in their second round. The second has four validators, one of which is absent for nine blocks. The third
  // has vote extensions from height 1000 on. The homes of two of its nodes are recorded, and one of these homes is
  // pruned.
  it.each([
    ['kvstore-single/home.tar.gz', SINGLE, range(1, 75), []],
    ['kvstore-four/home-node0.tar.gz', FOUR, range(1, 36), []],
    ['kvstore-four/home-node1.tar.gz', FOUR, range(1, 36), []],
    ['kvstore-four/home-node2.tar.gz', FOUR, range(1, 36), []],
    ['kvstore-four/home-node3.tar.gz', FOUR, [...range(1, 11), ...range(21, 36)], range(12, 20)],
    ['e2e-voteext/home-node0.tar.gz', E2E, range(1000, 1041), []],
    ['e2e-voteext/home-node1.tar.gz', E2E, undefined, []],
  ] as const)(
    'default: %s: the machine sends, signs, enters and decides the same',
    async (path, given, heights, away) => {
      const { recorded, sent, marks, entered, decided, skipped, events } = await run(path, given)
      expect(recorded.length).toBeGreaterThan(30)
      expect(sent).toEqual(recorded)
      expect(entered).toEqual(marks)
      if (heights !== undefined) expect(decided).toEqual(heights)
      expect(skipped).toEqual(away)
      // The recorder subscribed to the first node only, so only the events of this node can be compared.
      if (/home(-node0)?\.tar/.test(path)) expectRecorded(events, path.split('/')[0] as string)
    },
  )

  it('default: the round state has the JSON that the reference answered with', async () => {
    const { machine } = await run('kvstore-single/home.tar.gz', SINGLE)
    const { state } = machine
    // The recorded node was restarted at this height, so its times differ from the times of the machine.
    const times = { start_time: formatTime(state.startTime) }
    expectSameText(roundStateSimpleToJson(state), { ...answered('consensus_state'), ...times })
    expectSameText(roundStateToJson(state), {
      ...answered('dump_consensus_state'),
      ...times,
      commit_time: formatTime(state.commitTime as bigint),
    })
  })
})
