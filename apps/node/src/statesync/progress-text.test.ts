import type { RestoreProgress } from '@org/engine'
import { expect, test } from 'vitest'
import { createProgressLine } from './progress-line.ts'
import { progressText } from './progress-text.ts'

const SNAPSHOT = { height: 12, format: 1, chunks: 3, hash: new Uint8Array(1), metadata: new Uint8Array(0) }
const at = (change: Partial<RestoreProgress>): RestoreProgress => ({
  ...{ phase: 'restoring', snapshot: SNAPSHOT, applied: 1, received: 2, senders: 2, peers: 4 },
  ...change,
})

test('default: each phase names the snapshot, its chunks and the peers', () => {
  expect(progressText(at({ phase: 'discovering', snapshot: undefined }))).toBe('state sync: looking for a snapshot')
  const none = { snapshot: undefined } as const
  expect(progressText(at({ ...none, phase: 'trusting' }))).toBe(
    'state sync: verifying the trusted header with the RPC servers',
  )
  expect(progressText(at({ ...none, phase: 'discovering' }), 2)).toBe(
    'state sync: looking for a snapshot, with 2 peers',
  )
  expect(progressText(at({ ...none, phase: 'restored' }))).toBe('state sync: complete, the node starts')
  expect(progressText(at({ phase: 'proving' }))).toBe(
    'state sync: proving the snapshot of height 12, which 4 peers offer',
  )
  expect(progressText(at({ phase: 'proving', peers: 1 }))).toContain('which 1 peer offers')
  expect(progressText(at({}))).toBe('state sync: restoring the snapshot of height 12: 1 of 3 chunks, from 2 peers')
  expect(progressText(at({ phase: 'verifying' }))).toBe(
    'state sync: verifying the snapshot of height 12 (3 chunks from 2 peers)',
  )
})

test('behavior: the line of a terminal is never longer than the terminal is wide, and is removed at the end', () => {
  const shown: string[] = []
  let columns = 100
  const line = createProgressLine(
    (text) => shown.push(text),
    () => columns,
  )
  line.at(at({}))
  columns = 30
  line.at(at({}))
  line.end()
  const whole = 'state sync: restoring the snapshot of height 12: 1 of 3 chunks, from 2 peers'
  expect(shown).toEqual([whole, whole.slice(0, 29), ''])
})
