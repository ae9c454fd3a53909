import { recordingLines } from '@org/golden'
import { type EventType, eventDataFromJson, eventDataToJson } from '@org/types'
import { type Json, SchemaError, stringifyJson } from '@org/types/schema'
import { describe, expect, test } from 'vitest'

interface Result {
  readonly data?: Json
  readonly events: Readonly<Record<string, readonly string[]>>
}

describe.each(['kvstore-single', 'kvstore-four', 'e2e-voteext'])('%s', (scenario) => {
  test('default: the data of every event message is read and written again to the same text', () => {
    const seen = new Set<string>()
    for (const { frame } of recordingLines<{ frame: string }>(`${scenario}/events.jsonl`)) {
      const { result } = JSON.parse(frame) as { result?: Result }
      // In JSON, the reference replaces each byte that is not UTF-8 by `\ufffd`. The original byte is lost. So the test
      // cannot make the same text again from an event with `\ufffd`, and skips it.
      if (result?.data === undefined || frame.includes('\\ufffd')) continue
      const type = result.events['tm.event']?.[0] as EventType
      const json = eventDataToJson(eventDataFromJson(type, result.data))
      expect(frame).toContain(`"data":${stringifyJson(json)}`)
      seen.add(type)
    }
    expect(seen.size).toBeGreaterThanOrEqual(12)
  })
})

test('error: data of another type and data without a required member are refused', () => {
  const state = { type: 'tendermint/event/RoundState', value: { height: '1', round: 0, step: 'RoundStepPropose' } }
  expect(eventDataFromJson('Lock', state)).toEqual({ type: 'Lock', height: 1, round: 0, step: 'RoundStepPropose' })
  expect(() => eventDataFromJson('Vote', state)).toThrow(SchemaError)
  expect(() => eventDataFromJson('NewRound', { ...state, type: 'tendermint/event/NewRound' })).toThrow(SchemaError)
  expect(() => eventDataFromJson('Tx', null)).toThrow(SchemaError)
})
