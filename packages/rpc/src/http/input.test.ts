import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '@org/runtime'
import { expect, test } from 'vitest'
import { Input } from './input.ts'

async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await nextTurn()
  ;(runInNewContext('gc') as () => void)()
}

/** Appends two pieces, so that the input joins them in a buffer of its own. Returns a reference to this buffer. */
function joined(input: Input): WeakRef<ArrayBufferLike> {
  input.append(Buffer.alloc(100_000))
  input.append(Buffer.alloc(100_000))
  return new WeakRef(input.bytes.buffer)
}

test.each([
  ['used', (input: Input) => void input.shift(200_000)],
  ['cleared', (input: Input) => input.clear()],
])('behavior: an input whose bytes were %s keeps no buffer in memory', async (_how, empty) => {
  const input = new Input()
  const buffer = joined(input)
  empty(input)
  await collectGarbage()
  expect(buffer.deref()).toBeUndefined()
  expect(input.bytes.length).toBe(0)
})
