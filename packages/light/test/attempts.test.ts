import { expect, test } from 'vitest'
import { createAttempts } from '../src/client/attempts.ts'
import { heightOf, type LightBlock, type LightError } from '../src/index.ts'
import { blockOf, CHAIN, makeClient, provider } from './client-fixture.ts'

/**
 * Makes the object that verifies the steps of a bisection. The test controls the verification: a step ends when the
 * test calls `end`.
 */
function makeAttempts() {
  const begun: string[] = []
  const turns: number[] = []
  const ends = new Map<number, (error?: LightError) => void>()
  const attempts = createAttempts({
    attempt: (from, to, onSignatures) => {
      begun.push(`${heightOf(from)}-${heightOf(to)}`)
      onSignatures()
      return new Promise((resolve) => ends.set(heightOf(to), resolve))
    },
    onSignatures: (block) => void turns.push(heightOf(block)),
  })
  return { attempts, begun, turns, end: (height: number, error?: LightError) => ends.get(height)?.(error) }
}

const block = (height: number): LightBlock => blockOf(CHAIN, height)

test('the next step begins during the verification of a step, and is not verified twice', async () => {
  const { attempts, begun, turns, end } = makeAttempts()
  attempts.expect(block(1), block(8))
  attempts.expect(block(8), block(20))
  attempts.expect(block(20), block(30))
  const first = attempts.verify(block(1), block(8))
  expect(begun).toEqual(['1-8', '8-20'])
  end(8)
  expect(await first).toBeUndefined()
  const failure = new Error('a wrong signature') as LightError
  const second = attempts.verify(block(8), block(20))
  expect(begun).toEqual(['1-8', '8-20', '20-30'])
  end(20, failure)
  expect(await second).toBe(failure)
  expect(turns).toEqual([8, 20])
})

test('a step that is forecast late begins during the verification of the step before', () => {
  const { attempts, begun } = makeAttempts()
  void attempts.verify(block(1), block(8))
  attempts.expect(block(8), block(20))
  expect(begun).toEqual(['1-8', '8-20'])
})

test('after a wrong forecast, the steps of the bisection itself are verified', () => {
  const { attempts, begun } = makeAttempts()
  attempts.expect(block(8), block(20))
  void attempts.verify(block(1), block(8))
  attempts.forget()
  attempts.expect(block(9), block(30))
  void attempts.verify(block(1), block(9))
  void attempts.verify(block(9), block(30))
  expect(begun).toEqual(['1-8', '8-20', '1-9', '9-30'])
})

test('a block after a wrong block is not trusted, although its own signatures are valid', async () => {
  let calls = 0
  const next = Promise.withResolvers<void>()
  const client = await makeClient({
    modules: {
      primary: provider('primary'),
      // The first call verifies the header to trust. The second call verifies the first step of the bisection, and
      // fails after the next step has begun.
      findInvalid: async () => {
        if (++calls !== 2) {
          if (calls === 3) next.resolve()
          return -1
        }
        await next.promise
        return 0
      },
    },
  })
  await expect(client.verifyAtHeight(100)).rejects.toMatchObject({ code: expect.stringMatching(/^LIGHT_/) })
  expect(calls).toBeGreaterThan(2)
  expect(await client.lastTrustedHeight()).toBe(1)
})
