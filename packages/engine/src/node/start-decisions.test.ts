import { BlockIdFlag, Commit, CommitSig, createValidator, createValidatorSet } from '@org/types'
import { addressOf, generateEd25519, publicKeyOf } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import { checkNotSignedRecently } from './signed-recently.ts'
import { mustWaitForBlocks } from './sync-decision.ts'

const keys = [1, 2, 3].map((seed) => publicKeyOf(generateEd25519(new Uint8Array(32).fill(seed))))
const [own, second, third] = keys as [(typeof keys)[0], (typeof keys)[0], (typeof keys)[0]]

const withPowers = (...powers: readonly (readonly [(typeof keys)[0], bigint])[]) => ({
  validators: createValidatorSet(powers.map(([key, power]) => createValidator(key, power))),
})

describe('whether consensus may begin without blocks of others', () => {
  test.each([
    ['the only validator', withPowers([own, 10n]), false],
    ['no validator, of one', withPowers([second, 10n]), true],
    ['a third of the power', withPowers([own, 10n], [second, 10n], [third, 10n]), false],
    ['less than a third', withPowers([own, 9n], [second, 10n], [third, 11n]), true],
    ['a third as the reference rounds it', withPowers([own, 10n], [second, 11n], [third, 11n]), false],
    ['no validator, of several', withPowers([second, 10n], [third, 10n]), true],
  ])('behavior: %s', (_, state, waits) => {
    expect(mustWaitForBlocks(state, own)).toBe(waits)
  })
})

describe("a look back for this node's own signatures", () => {
  const signedBy = (key: (typeof keys)[0], blockIdFlag: BlockIdFlag = BlockIdFlag.commit) =>
    Commit.create({ signatures: [CommitSig.create({ blockIdFlag, validatorAddress: addressOf(key) })] })
  const store = (commits: Readonly<Record<number, Commit>>) => ({
    height: () => 9,
    loadSeenCommit: (height: number) => commits[height],
    loadBlockCommit: (height: number) => commits[height],
  })
  const check = (lookBack: number, commits: Readonly<Record<number, Commit>>): void =>
    checkNotSignedRecently({ height: 10, lookBack, publicKey: own }, store(commits))

  test('default: the start continues if there is no recent signature, or if the search for one is off', () => {
    expect(() => check(5, { 9: signedBy(second), 8: signedBy(own, BlockIdFlag.absent) })).not.toThrow()
    expect(() => check(0, { 9: signedBy(own) })).not.toThrow()
    expect(() => check(3, { 7: signedBy(own) })).not.toThrow()
  })

  test('error: a start is refused if the commit of a state sync, which brings no block, has a signature of this node', () => {
    const seen = { height: () => 0, loadSeenCommit: () => signedBy(own), loadBlockCommit: () => undefined }
    expect(() => checkNotSignedRecently({ height: 10, lookBack: 2, publicKey: own }, seen)).toThrow('in block 9')
  })

  test('error: a recent signature refuses the start, and the error says where the signature is', () => {
    expect(() => check(3, { 8: signedBy(own) })).toThrow('in block 8')
  })
})
