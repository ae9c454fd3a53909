import { describe, expect, test } from 'vitest'
import { DEFAULT_COSTS, type Door } from '../src/cost/door.ts'
import { DOORS } from '../src/cost/doors/index.ts'
import { growthOf } from '../src/cost/growth.ts'
import { runOf } from '../src/cost/shapes.ts'

/** A door that reads its input as `take` does. */
const doorOf = (take: (input: Uint8Array) => unknown): Door => ({
  name: 'a door of this test',
  where: 'fuzz/test/cost.test.ts',
  limit: 256 * 1024,
  costs: DEFAULT_COSTS,
  open: () => ({ take }),
  shapes: { zeros: runOf([0]) },
})

describe('growth of the processor time', () => {
  test('behavior: a door that reads the rest again for every 16 bytes is found', async () => {
    const quadratic = doorOf((input) => {
      let sum = 0
      for (let from = 0; from < input.length; from += 16)
        for (let at = from; at < input.length; at++) sum += input[at] as number
      return sum
    })
    expect(Object.keys(await growthOf(quadratic))).toEqual(['zeros'])
  })

  test('behavior: a door that reads each byte a hundred times is not found', async () => {
    const linear = doorOf((input) => {
      let sum = 0
      for (let i = 0; i < 100; i++) for (const byte of input) sum += byte
      return sum
    })
    expect(await growthOf(linear)).toEqual({})
  })

  test.each(DOORS.map((door) => [door.name, door] as const))(
    'behavior: %s takes time in proportion to the input',
    async (_name, door) => {
      expect(await growthOf(door)).toEqual({})
    },
  )
})
