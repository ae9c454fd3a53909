import {
  ABSENT_COMMIT_SIG,
  BlockIdFlag,
  type Commit,
  createValidator,
  createValidatorSet,
  SignedMsgType,
  type ValidatorSet,
  verifyCommitLight,
  verifyCommitLightTrusting,
  verifyCommitLightTrustingAndOwn,
  voteSignBytes,
} from '@org/types'
import { utf8ToBytes } from '@org/types/bytes'
import { ed25519FromSecret, findInvalidSignature, type PrivateKey, publicKeyOf, sha256, sign } from '@org/types/crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const CHAIN_ID = 'both'
const KEYS = Array.from({ length: 12 }, (_, i) => ed25519FromSecret(utf8ToBytes(`both ${i}`)))
const BLOCK_ID = { hash: sha256(utf8ToBytes('block')), partSetHeader: { total: 1, hash: sha256(utf8ToBytes('parts')) } }

type Kind = 'signed' | 'absent' | 'forged' | 'short'

const setOf = (keys: readonly PrivateKey[], powers: readonly number[]): ValidatorSet =>
  createValidatorSet(keys.map((key, i) => createValidator(publicKeyOf(key), BigInt(powers[i] ?? 1))))

const keyByAddress = new Map(KEYS.map((key) => [createValidator(publicKeyOf(key), 1n).address.join(), key]))

function commitBy({ validators }: ValidatorSet, kinds: readonly Kind[]): Commit {
  const signatures = validators.map(({ address }, i) => {
    const kind = kinds[i] ?? 'signed'
    if (kind === 'absent') return ABSENT_COMMIT_SIG
    const vote = {
      type: SignedMsgType.precommit,
      height: 5,
      round: 0,
      blockId: BLOCK_ID,
      timestamp: BigInt(i) * 1_000n,
    }
    const signature = sign(
      keyByAddress.get(address.join()) as PrivateKey,
      voteSignBytes(kind === 'forged' ? 'other' : CHAIN_ID, vote),
    )
    return {
      ...{ blockIdFlag: BlockIdFlag.commit, validatorAddress: address, timestamp: vote.timestamp },
      signature: kind === 'short' ? signature.subarray(0, 40) : signature,
    }
  })
  return { height: 5, round: 0, blockId: BLOCK_ID, signatures }
}

const errorOf = (promise: Promise<void>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    ({ code, message }: { readonly code: string; readonly message: string }) => `${code} ${message}`,
  )

const textOf = (fault: { readonly code: string; readonly message: string } | undefined): string | undefined =>
  fault && `${fault.code} ${fault.message}`

const kind = fc.constantFrom<Kind>('signed', 'signed', 'signed', 'signed', 'absent', 'forged', 'short')
const powers = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 6, maxLength: 6 })

test('property: finds the faults that the two verifications find one after the other, and verifies no signature twice', async () => {
  const seen = { none: 0, trusting: 0, own: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        ...{ from: fc.nat(6), powers, trustedPowers: powers, kinds: fc.array(kind, { maxLength: 6 }) },
        height: fc.constantFrom(5, 5, 5, 6),
      }),
      async ({ from, powers: ownPowers, trustedPowers, kinds, height }) => {
        const validators = setOf(KEYS.slice(from, from + 6), ownPowers)
        const commit = commitBy(validators, kinds)
        const trusted = { chainId: CHAIN_ID, validators: setOf(KEYS.slice(0, 6), trustedPowers) }
        const trusting = { ...trusted, trustLevel: { numerator: 1n, denominator: 3n } }
        const own = { chainId: CHAIN_ID, validators, blockId: BLOCK_ID, height, commit }
        const first = await errorOf(verifyCommitLightTrusting({ ...trusting, commit }))
        const second = first === undefined ? await errorOf(verifyCommitLight(own)) : undefined
        let verified: readonly Uint8Array[] = []
        const faults = await verifyCommitLightTrustingAndOwn(trusting, own, (items) => {
          verified = [...verified, ...items.map(({ signature }) => signature)]
          return findInvalidSignature(items)
        })
        expect([textOf(faults.trusting), textOf(faults.own)]).toEqual([first, second])
        expect(new Set(verified).size).toBe(verified.length)
        seen[first !== undefined ? 'trusting' : second !== undefined ? 'own' : 'none']++
      },
    ),
    { numRuns: 300 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
})
