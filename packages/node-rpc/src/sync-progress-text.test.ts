import { expect, test } from 'vitest'
import { syncProgressText } from './sync-progress-text.ts'

test('default: the line has the height, the height of the peers, and their number', () => {
  const at = { height: 7, maxPeerHeight: 9, peers: 2 }
  expect(syncProgressText(at)).toBe('block sync: at height 7 of 9, from 2 peers')
  expect(syncProgressText({ ...at, peers: 1, maxPeerHeight: 6 })).toBe('block sync: at height 7 of 7, from 1 peer')
  expect(syncProgressText({ ...at, peers: 0 })).toBe('block sync: at height 7, no peer has reported its height yet')
  expect(syncProgressText(undefined)).toBe(undefined)
})
