import { expect, test } from 'vitest'
import { createSignerHandshakes } from './handshakes.ts'

test('behavior: a further handshake closes the oldest one of the host with the most', () => {
  const closed: string[] = []
  const handshakes = createSignerHandshakes(3)
  const begin = (remoteAddress: string) => {
    const stream = { remoteAddress, close: () => void closed.push(remoteAddress) }
    handshakes.begin(stream)
    return stream
  }
  begin('10.0.0.1:1')
  const first = begin('10.0.0.2:1')
  begin('[::1]:2')
  expect(closed).toEqual([])
  begin('10.0.0.2:2')
  expect(closed).toEqual(['10.0.0.2:1'])
  handshakes.end(first)
  begin('10.0.0.2:3')
  begin('10.0.0.3:1')
  expect(closed).toEqual(['10.0.0.2:1', '10.0.0.2:2', '10.0.0.1:1'])
  handshakes.closeAll()
  expect(closed.slice(3)).toEqual(['[::1]:2', '10.0.0.2:3', '10.0.0.3:1'])
})
