import { type BlockParts, HOUR, makeBlock, makeKeys, makeSecpKeys, makeValidators, SECOND, START } from '@org/test-kit'
import { createValidator, createValidatorSet, type ValidatorSet } from '@org/types'
import { type PrivateKey, publicKeyOf } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import {
  type HeaderFault,
  isLightFailure,
  LIGHT_ERRORS,
  type LightBlock,
  type LightFailure,
  type VerificationRules,
  validateTrustLevel,
  verify,
  verifyAdjacent,
  verifyNonAdjacent,
} from '../src/index.ts'

const DRIFT = 10n * SECOND
const keys = makeKeys(4)
/** The powers are 20, 30, 40 and 50: the last three together have more than 2/3, and the last one has more than 1/3. */
const validators = makeValidators(keys, 20, 10)
const others = makeValidators(keys, 10, 1)
const trusted = makeBlock({ height: 1, time: START, keys, validators })

const after = (hours: number): bigint => START + BigInt(hours) * HOUR
const rules = (changes: Partial<VerificationRules> = {}): VerificationRules => ({
  trustingPeriod: 3n * HOUR,
  now: after(2),
  maxClockDrift: DRIFT,
  ...changes,
})
const next = (parts: Partial<BlockParts> = {}): LightBlock =>
  makeBlock({ height: 2, time: after(1), keys, validators, ...parts })
/** Only the last `count` keys sign. */
const last = (count: number): { signers: readonly PrivateKey[] } => ({ signers: keys.slice(-count) })

async function failureOf(promise: Promise<void>): Promise<LightFailure | undefined> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error !== undefined && !isLightFailure(error)) throw error
  return error
}

interface Expected {
  readonly code: string
  readonly data?: object
}
const invalid = (fault: HeaderFault, data: object = {}): Expected => ({
  code: LIGHT_ERRORS.invalidHeader,
  data: { trustedHeight: 1, fault, ...data },
})

interface Row {
  readonly name: string
  readonly block: LightBlock
  readonly rules?: Partial<VerificationRules>
  readonly expected?: Expected
}

const ADJACENT: readonly Row[] = [
  { name: 'the same header', block: trusted, expected: { code: LIGHT_ERRORS.notAdjacent } },
  { name: 'a header after a gap', block: next({ height: 3 }), expected: { code: LIGHT_ERRORS.notAdjacent } },
  { name: 'another chain', block: next({ chainId: 'another' }), expected: invalid('chain', { height: 2 }) },
  { name: 'a time before the trusted one', block: next({ time: after(-1) }), expected: invalid('time') },
  { name: 'the time of the trusted header', block: next({ time: START }), expected: invalid('time') },
  { name: 'a time in the future', block: next({ time: after(3) }), expected: invalid('future') },
  { name: 'a time at the end of the drift', block: next({ time: after(2) + DRIFT }), expected: invalid('future') },
  { name: 'a time within the drift', block: next({ time: after(2) + DRIFT - 1n }) },
  { name: 'all sign', block: next() },
  { name: 'more than 2/3 sign', block: next(last(3)) },
  { name: '1/3 signs', block: next(last(1)), expected: invalid('commit', { got: '50', needed: '93' }) },
  {
    name: 'three of four sign, with less than 2/3 of the power',
    block: next({ signers: keys.slice(0, 3) }),
    expected: invalid('commit', { got: '90', needed: '93' }),
  },
  {
    name: 'votes for nil do not count',
    block: next({ nil: [0] }),
    expected: invalid('commit', { got: '90', needed: '93' }),
  },
  {
    name: 'a forged signature',
    block: next({ forged: [0] }),
    expected: invalid('commit', { cause: 'COMMIT_WRONG_SIGNATURE' }),
  },
  {
    name: 'other validators than announced',
    block: next({ validators: others }),
    expected: { code: LIGHT_ERRORS.otherValidators },
  },
  {
    name: 'other validators than in the header',
    block: { ...next(), validators: others },
    expected: invalid('validators'),
  },
  {
    name: 'a commit of another block',
    block: { ...next(), commit: next({ time: after(1) + 1n }).commit },
    expected: invalid('form', { cause: 'LIGHT_BLOCK_INVALID' }),
  },
  {
    name: 'a commit of another size',
    block: { ...next(), commit: { ...next().commit, signatures: next().commit.signatures.slice(1) } },
    expected: invalid('commit', { cause: 'COMMIT_WRONG_SIZE' }),
  },
  {
    name: 'an expired trusted header, before everything else',
    block: { ...next({ chainId: 'another' }), validators: others },
    rules: { trustingPeriod: HOUR, now: after(1) },
    expected: { code: LIGHT_ERRORS.expired, data: { trustedHeight: 1, expiredAt: after(1), now: after(1) } },
  },
  {
    name: 'a trusted header that expires in a nanosecond',
    block: next(),
    rules: { trustingPeriod: HOUR, now: after(1) - 1n },
  },
]

describe('an adjacent header is accepted, or refused with its error', () => {
  test.each(ADJACENT)('$name', async ({ block, rules: changes, expected }) => {
    const failure = await failureOf(verifyAdjacent(trusted, block, rules(changes)))
    if (expected === undefined) expect(failure).toBeUndefined()
    else expect(failure).toMatchObject(expected)
  })
})

function partOf(from: number, to = keys.length): Partial<BlockParts> & { readonly validators: ValidatorSet } {
  const some = keys.slice(from, to)
  return { keys: some, validators: makeValidators(some, 20 + 10 * from, 10), signers: some }
}

const strangers = makeKeys(3, 'stranger')
/**
 * The keys that sign. One key is of a trusted validator with the power 50, and the trusted validators together have the
 * power 140. Three keys belong to no trusted validator. All their signatures are valid.
 */
const mixed = [keys[3] as PrivateKey, ...strangers]
const mixedSet = createValidatorSet(mixed.map((key, i) => createValidator(publicKeyOf(key), i === 0 ? 10n : 1000n)))

const DISTANT: readonly Row[] = [
  { name: 'the next header', block: next(), expected: { code: LIGHT_ERRORS.adjacent } },
  { name: 'the same header', block: trusted, expected: invalid('height') },
  { name: 'all new and all old validators sign', block: next({ height: 3 }) },
  { name: 'more than 2/3 of the new validators sign', block: next({ height: 4, ...last(3) }) },
  {
    name: '1/3 of the new validators signs',
    block: next({ height: 5, ...last(1) }),
    expected: invalid('commit', { got: '50', needed: '93', height: 5 }),
  },
  { name: '2/3 of the old validators are present', block: next({ height: 5, ...partOf(1) }) },
  { name: '1/3 of the old validators is present', block: next({ height: 5, ...partOf(3) }) },
  {
    name: 'less than 1/3 of the old validators is present',
    block: next({ height: 5, ...partOf(0, 1) }),
    expected: {
      code: LIGHT_ERRORS.notEnoughTrust,
      data: { trustedHeight: 1, height: 5, got: '20', needed: '46' },
    },
  },
  {
    name: 'a higher trust level than the share of the old validators',
    block: next({ height: 5, ...partOf(3) }),
    rules: { trustLevel: { numerator: 2n, denominator: 3n } },
    expected: { code: LIGHT_ERRORS.notEnoughTrust, data: { trustedHeight: 1, height: 5, got: '50', needed: '93' } },
  },
  { name: 'power of strangers in the new set', block: next({ height: 9, keys: mixed, validators: mixedSet }) },
  {
    name: 'strangers alone',
    block: next({ height: 9, keys: strangers, validators: makeValidators(strangers, 1000, 0) }),
    expected: { code: LIGHT_ERRORS.notEnoughTrust, data: { trustedHeight: 1, height: 9, got: '0', needed: '46' } },
  },
  {
    name: 'a forged signature of a trusted validator',
    block: next({ height: 5, forged: [0] }),
    expected: {
      code: LIGHT_ERRORS.invalidCommit,
      data: { trustedHeight: 1, height: 5, cause: 'COMMIT_WRONG_SIGNATURE' },
    },
  },
  {
    name: 'a forged signature of a stranger',
    block: next({ height: 9, keys: mixed, validators: mixedSet, forged: [0] }),
    expected: invalid('commit', { cause: 'COMMIT_WRONG_SIGNATURE' }),
  },
  {
    name: 'two entries of one validator',
    block: (() => {
      const block = next({ height: 5 })
      const [first, , ...rest] = block.commit.signatures
      return { ...block, commit: { ...block.commit, signatures: [first, first, ...rest] } } as LightBlock
    })(),
    rules: { trustLevel: { numerator: 1n, denominator: 1n } },
    expected: { code: LIGHT_ERRORS.invalidCommit, data: { trustedHeight: 1, height: 5, cause: 'COMMIT_DOUBLE_VOTE' } },
  },
]

describe('a header that is not adjacent is accepted, or refused with its error', () => {
  test.each(DISTANT)('$name', async ({ block, rules: changes, expected }) => {
    const failure = await failureOf(verifyNonAdjacent(trusted, block, rules(changes)))
    if (expected === undefined) expect(failure).toBeUndefined()
    else expect(failure).toMatchObject(expected)
  })
})

test('the checks have this order: time, validators, trusted power, signatures of the own validators', async () => {
  const wrongAll: LightBlock = { ...next({ height: 7, time: after(-1), ...partOf(0, 1) }), validators: others }
  expect(await failureOf(verify(trusted, wrongAll, rules()))).toMatchObject(invalid('time'))
  const wrongSet: LightBlock = { ...next({ height: 7, ...partOf(0, 1) }), validators: others }
  expect(await failureOf(verify(trusted, wrongSet, rules()))).toMatchObject(invalid('validators'))
  const unsigned = next({ height: 7, ...partOf(0, 1), signers: [] })
  expect(await failureOf(verify(trusted, unsigned, rules()))).toMatchObject({ code: LIGHT_ERRORS.notEnoughTrust })
})

test('exactly 2/3 of the own power is too little, and so is exactly 1/3 of the trusted power', async () => {
  const three = makeKeys(3, 'three')
  const set = makeValidators(three, 1, 0)
  const first = makeBlock({ height: 1, time: START, keys: three, validators: set })
  const make = (height: number, signers: readonly PrivateKey[]): LightBlock =>
    next({ height, keys: three, validators: set, signers })
  expect(await failureOf(verify(first, make(2, three.slice(1)), rules()))).toMatchObject(
    invalid('commit', { got: '2', needed: '2' }),
  )
  expect(await failureOf(verify(first, make(3, three.slice(2)), rules()))).toMatchObject({
    code: LIGHT_ERRORS.notEnoughTrust,
    data: { got: '1', needed: '1' },
  })
  expect(await failureOf(verify(first, make(3, three), rules()))).toBeUndefined()
})

test('verify chooses the kind of verification by the distance of the heights', async () => {
  expect(await failureOf(verify(trusted, next(), rules()))).toBeUndefined()
  expect(await failureOf(verify(trusted, next({ height: 30 }), rules()))).toBeUndefined()
  expect(await failureOf(verify(trusted, next({ validators: others }), rules()))).toMatchObject({
    code: LIGHT_ERRORS.otherValidators,
  })
})

test('sets of secp256k1 keys, and sets of both kinds of keys, are verified', async () => {
  for (const kinds of [makeSecpKeys(4), [...makeSecpKeys(2), ...makeKeys(2)]]) {
    const set = makeValidators(kinds, 20, 10)
    const first = makeBlock({ height: 1, time: START, keys: kinds, validators: set })
    const make = (parts: Partial<BlockParts>): LightBlock => next({ keys: kinds, validators: set, ...parts })
    expect(await failureOf(verify(first, make({}), rules()))).toBeUndefined()
    expect(await failureOf(verify(first, make({ height: 8 }), rules()))).toBeUndefined()
    expect(await failureOf(verify(first, make({ forged: [1] }), rules()))).toMatchObject(
      invalid('commit', { cause: 'COMMIT_WRONG_SIGNATURE' }),
    )
    expect(await failureOf(verify(first, make({ signers: kinds.slice(3) }), rules()))).toMatchObject(
      invalid('commit', { got: '50', needed: '93' }),
    )
  }
})

test('no further signature is verified when enough power has signed', async () => {
  let verified = 0
  const findInvalid: NonNullable<VerificationRules['findInvalid']> = async (items) => {
    verified += items.length
    return -1
  }
  const many = makeKeys(90, 'many')
  const set = makeValidators(many, 1, 0)
  const first = makeBlock({ height: 1, time: START, keys: many, validators: set })
  await verify(first, next({ height: 5, keys: many, validators: set }), rules({ findInvalid }))
  // More than two thirds of the power needs 61 of the 90 signatures. The check for more than a third of the trusted
  // power needs some of the same signatures. No signature is verified twice, so only 61 signatures are verified.
  expect(verified).toBe(61)
})

test.each([
  ['1/1', true],
  ['1/3', true],
  ['2/3', true],
  ['3/3', true],
  ['4/5', true],
  ['6/5', false],
  ['0/1', false],
  ['0/0', false],
  ['1/0', false],
  ['1/4', false],
  ['-1/-2', false],
] as const)('the trust level %s is valid: %s', (text, valid) => {
  const [numerator = 0n, denominator = 0n] = text.split('/').map(BigInt)
  const check = (): void => validateTrustLevel({ numerator, denominator })
  if (valid) check()
  else expect(check).toThrow(expect.objectContaining({ code: LIGHT_ERRORS.trustLevel, data: { trustLevel: text } }))
})
