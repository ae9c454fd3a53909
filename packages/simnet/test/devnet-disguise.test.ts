import type { Application } from '@org/abci'
import { addressOf, generateEd25519, publicKeyOf } from '@org/types/crypto'
import { expect, test } from 'vitest'
import { withOriginalValidators } from '../src/devnet/fork/index.ts'

const [original, other] = [1, 2].map((byte) => publicKeyOf(generateEd25519(new Uint8Array(32).fill(byte))))
const key = generateEd25519(new Uint8Array(32).fill(3))
const own = publicKeyOf(key)

/**
 * Wraps an application with `disguised`, as the devnet of a forked chain does, and calls `finalizeBlock` of the
 * wrapper. Returns the request that the application received, and the answer that the wrapper returned.
 */
function finalize(updates: readonly object[]) {
  const seen: Record<string, unknown>[] = []
  const app = {
    finalizeBlock: (request: Record<string, unknown>) => {
      seen.push(request)
      return { txResults: [], validatorUpdates: updates }
    },
  } as unknown as Application
  const call = withOriginalValidators(app, [{ original: original as typeof own, key }]).finalizeBlock as (
    given: object,
  ) => object
  const address = addressOf(own)
  const answer = call({
    proposerAddress: address,
    decidedLastCommit: { round: 0, votes: [{ validator: { address, power: 5n }, blockIdFlag: 2 }] },
    misbehavior: [{ validator: { address, power: 5n } }],
  })
  return { seen: seen[0], answer }
}

test('default: the application of a fork sees the original validator in each place of a request', () => {
  const { seen } = finalize([])
  const validator = { address: addressOf(original as typeof own), power: 5n }
  expect(seen).toEqual({
    proposerAddress: validator.address,
    decidedLastCommit: { round: 0, votes: [{ validator, blockIdFlag: 2 }] },
    misbehavior: [{ validator }],
  })
})

test('behavior: its change of the original applies to the new key; other validators and the last removal are left out', () => {
  const changes = [
    { pubKey: original, power: 7n },
    { pubKey: other, power: 9n },
  ]
  expect(finalize(changes).answer).toMatchObject({ validatorUpdates: [{ pubKey: own, power: 7n }] })
  expect(finalize([{ pubKey: original, power: 0n }]).answer).toMatchObject({ validatorUpdates: [] })
})
