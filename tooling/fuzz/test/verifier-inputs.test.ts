import { HOUR, makeChain, makeKeys, SECOND, timeAt } from '@org/test-kit'
import { hashValidators, LightBlock as WireLightBlock } from '@org/types'
import { equalBytes } from '@org/types/bytes'
import { expect, test } from 'vitest'
import {
  hashOf,
  type LightBlock,
  lightBlockFromWire,
  lightBlockToWire,
} from '../../../packages/light/src/block/light-block.ts'
import { LightError } from '../../../packages/light/src/errors.ts'
import { verifyAdjacent, verifyNonAdjacent } from '../../../packages/light/src/verifier/verify.ts'
import { verifyBackwards } from '../../../packages/light/src/verifier/verify-backwards.ts'
import { mutate } from '../src/decode/mutate.ts'
import { createRandomSource } from '../src/decode/random-source.ts'

const KEYS = makeKeys(4)
const CHAIN = makeChain({ to: 4, keysAt: () => KEYS })
const at = (height: number): LightBlock => CHAIN.get(height) as LightBlock
const rules = { trustingPeriod: 10n * HOUR, now: timeAt(4) + 30n * SECOND, maxClockDrift: 10n * SECOND }
const INPUTS = 3000

/**
 * Decodes a block that may come from an attacker. Returns `undefined` if the decoder or the checks of a provider refuse
 * the block.
 */
function read(bytes: Uint8Array): LightBlock | undefined {
  try {
    return lightBlockFromWire(WireLightBlock.decode(bytes))
  } catch {
    return undefined
  }
}

/** True if the header and the validators of the block have the same hashes as those of the chain at this height. */
const isTrue = (block: LightBlock, height: number): boolean =>
  equalBytes(hashOf(block), hashOf(at(height))) &&
  equalBytes(hashValidators(block.validators), hashValidators(at(height).validators))

test.each([
  ['verifyAdjacent', 2, (block: LightBlock) => verifyAdjacent(at(1), block, rules)],
  ['verifyNonAdjacent', 4, (block: LightBlock) => verifyNonAdjacent(at(1), block, rules)],
  ['verifyBackwards', 3, async ({ header }: LightBlock) => verifyBackwards(header, at(4).header)],
] as const)('behavior: %s trusts no changed header, and refuses with a coded error', async (_, height, verify) => {
  const random = createRandomSource(38)
  const decoder = { name: 'light block', isProtobuf: true, read: () => undefined, seeds: () => [] }
  const seed = WireLightBlock.encode(lightBlockToWire(at(height)))
  const other = WireLightBlock.encode(lightBlockToWire(at(1)))
  let [judged, trusted] = [0, 0]
  for (let i = 0; i < INPUTS; i++) {
    const block = read(mutate(decoder, [seed, other], random))
    if (block === undefined) continue
    judged++
    try {
      await verify(block)
    } catch (error) {
      expect(error).toBeInstanceOf(LightError)
      continue
    }
    trusted++
    if (height !== 3) expect(isTrue(block, height)).toBe(true)
    else expect(equalBytes(hashOf(block), hashOf(at(height)))).toBe(true)
  }
  // Some changes affect only proposer priorities or signatures that are not needed. Blocks with such changes are
  // trusted, and this is correct.
  expect([judged > INPUTS / 10, trusted > 0]).toEqual([true, true])
})
