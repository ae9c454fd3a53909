import { EvidenceList } from '@org/types'
import { describe, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Door, type Shape } from '../src/cost/door.ts'
import { DOORS } from '../src/cost/doors/index.ts'
import { serve } from '../src/cost/doors/serve.ts'
import { growthOf } from '../src/cost/growth.ts'
import { openDoor } from '../src/cost/measure.ts'
import { protobufShapes, runOf } from '../src/cost/shapes.ts'

/** Makes a `Door` for a test. The function `read` reads each input of this `Door`. */
const doorOf = (read: (input: Uint8Array) => unknown): Door => ({
  name: 'a door of this test',
  where: 'fuzz/test/cost.test.ts',
  limit: 256 * 1024,
  costs: DEFAULT_COSTS,
  open: () => ({ read }),
  shapes: { zeros: runOf([0]) },
})

describe('growth of the processor time', () => {
  test('behavior: a door that reads the rest of its input again every 16 bytes is reported', async () => {
    const quadratic = doorOf((input) => {
      let sum = 0
      for (let from = 0; from < input.length; from += 16)
        for (let at = from; at < input.length; at++) sum += input[at] as number
      return sum
    })
    expect(Object.keys(await growthOf(quadratic))).toEqual(['zeros'])
  })

  test('behavior: a decoder of evidence without a limit of items is reported', async () => {
    const name = 'repetitions of 1.2.1.2'
    const shape = protobufShapes({ singles: [[1, 2, 1, 2]] })[name]
    const door = {
      ...doorOf((input) => EvidenceList.decode(input)),
      limit: 32 * 1024,
      shapes: { [name]: shape as Shape },
    }
    expect(Object.keys(await growthOf(door))).toEqual([name])
  })

  test('behavior: a door that reads each byte a hundred times is not reported', async () => {
    const linear = doorOf((input) => {
      let sum = 0
      for (let i = 0; i < 100; i++) for (const byte of input) sum += byte
      return sum
    })
    expect(await growthOf(linear)).toEqual({})
  })

  test.each(DOORS.map((door) => [door.name, door] as const))(
    'behavior: the time of %s grows in proportion to the input',
    async (_name, door) => {
      expect(await growthOf(door)).toEqual({})
    },
  )
})

test('behavior: the memory for an input that is refused at its end is measured', async () => {
  const input = new Uint8Array(1024 * 1024)
  const bench = await openDoor(
    doorOf((bytes) => {
      const items = Array.from(bytes, (byte) => ({ byte }))
      throw new Error(`refused after ${items.length} items`)
    }),
  )
  expect((await bench.memory(input)).held).toBeGreaterThan(8 * input.length)
})

test('behavior: the longest turn is longer if all work is in one turn of the event loop than in many', async () => {
  const piece = (): void => {
    let sum = 0
    for (let i = 0; i < 1_000_000; i++) sum = (Math.imul(sum, 31) + i) | 0
    if (sum === 1) throw new Error('never')
  }
  const turnOf = async (pause: () => Promise<void> | undefined): Promise<number> => {
    const bench = await openDoor(
      doorOf(async () => {
        for (let i = 0; i < 32; i++) {
          piece()
          await pause()
        }
      }),
    )
    // The smallest of five values is used, because compilation and garbage collection make some turns longer.
    let least = Number.POSITIVE_INFINITY
    for (let i = 0; i < 5; i++) least = Math.min(least, await bench.longestTurn(new Uint8Array(1)))
    return least
  }
  const inTurns = await turnOf(() => new Promise((resolve) => setImmediate(resolve)))
  expect(await turnOf(() => undefined)).toBeGreaterThan(4 * inTurns)
})

test.each([
  ['tx_search', 'a.b=1', '"total_count":"60"'],
  ['tx_search', 'a.b=1 AND ', 'offset 10'],
  ['block_search', 'a.b=1', '"total_count":"20"'],
  ['block_search', 'a.b=1 AND ', 'offset 10'],
])('behavior: the doors of the RPC answer %s with the query %j as a node does', async (method, query, expected) => {
  const opened = await serve('\n}')
  const target = `/${method}?query="${encodeURIComponent(query)}"&per_page=1`
  const answer = await opened.read(
    Buffer.from(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
  )
  expect(answer).toContain(expected)
  await opened.close?.()
})
