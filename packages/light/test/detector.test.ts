import { HOUR, makeBlock, makeChain, makeKeys, runOn, SECOND, timeAt } from '@org/test-kit'
import {
  hashHeader,
  type LightClientAttackEvidence,
  validateEvidenceBasic,
  verifyCommitLightAllSignatures,
  verifyCommitLightTrustingAllSignatures,
} from '@org/types'
import type { PrivateKey } from '@org/types/crypto'
import { describe, expect, test } from 'vitest'
import { createMemoryLightStore, LIGHT_ERRORS, type LightBlock, type Provider, verify } from '../src/index.ts'
import type { MemoryProvider } from '../src/testing/index.ts'
import {
  type Blocks,
  blockOf,
  CHAIN,
  clockAt,
  failureOf,
  forkAfter,
  KEYS,
  makeClient,
  optionsFrom,
  provider,
} from './client-fixture.ts'

/**
 * Makes the same checks of evidence as a full node. First, the validators at the common height that signed the
 * conflicting block have enough power. Second, the node's own chain has another block at the height of the conflicting
 * block. Source: the reference's `evidence/verify.go`.
 */
async function checkEvidence(evidence: LightClientAttackEvidence, chain: Blocks): Promise<void> {
  validateEvidenceBasic({ sum: { case: 'lightClientAttackEvidence', value: evidence } })
  const { header, commit } = evidence.conflictingBlock?.signedHeader ?? {}
  const validators = evidence.conflictingBlock?.validatorSet
  if (header === undefined || commit === undefined || validators === undefined) throw new Error('incomplete')
  const common = blockOf(chain, evidence.commonHeight)
  const { chainId, height } = header
  if (evidence.commonHeight !== height) {
    const trustLevel = { numerator: 1n, denominator: 3n }
    await verifyCommitLightTrustingAllSignatures({ chainId, validators: common.validators, commit, trustLevel })
  }
  await verifyCommitLightAllSignatures({ chainId, validators, blockId: commit.blockId, height, commit })
  expect(evidence.totalVotingPower).toBe(common.validators.totalVotingPower)
  expect(evidence.timestamp).toBe(common.header.time)
  expect(hashHeader(header)).not.toEqual(hashHeader(blockOf(chain, height).header))
}

async function attackOf(primary: MemoryProvider, witness: MemoryProvider, options: object = {}) {
  const store = createMemoryLightStore()
  const client = await makeClient({ options, modules: { primary, witnesses: [witness], store } })
  const failure = await failureOf(client.verifyAtHeight(30))
  if (failure.code !== LIGHT_ERRORS.attack) throw failure
  // The client trusts neither the false header nor any header after the beginning of the attack.
  expect(await store.at(30)).toBeUndefined()
  return { ...failure.data, last: await store.lastHeight() }
}

describe('an attack', () => {
  test.each(['skipping', 'sequential'] as const)(
    'an attack with another app hash is detected (lunatic, %s)',
    async (mode) => {
      const lies = forkAfter(12, 40)
      const [primary, witness] = [provider('liar', lies), provider('honest')]
      const attack = await attackOf(primary, witness, { mode })
      expect(attack).toMatchObject({ primary: 'liar', witness: 'honest' })
      expect(attack.commonHeight).toBeLessThanOrEqual(12)
      expect(witness.evidence).toEqual([attack.againstPrimary])
      expect(primary.evidence).toEqual([attack.againstWitness])
      await checkEvidence(attack.againstPrimary, CHAIN)
      await checkEvidence(attack.againstWitness as LightClientAttackEvidence, lies)
      expect(attack.againstPrimary.byzantineValidators.length).toBeGreaterThan(0)
    },
  )

  test('an attack by a witness is detected, with evidence of the same form as against a primary', async () => {
    const lies = forkAfter(12, 40)
    const attack = await attackOf(provider('honest'), provider('liar', lies))
    await checkEvidence(attack.againstWitness as LightClientAttackEvidence, CHAIN)
  })

  test('an attack of strangers with a third of the validators is detected (lunatic)', async () => {
    // The false headers are signed with three keys: the keys of two of the four validators of height 1, and a key of no
    // validator.
    const keys = [...KEYS.slice(0, 2), ...makeKeys(1, 'stranger')]
    const lies = forkAfter(2, 40, keys)
    const witness = provider('honest')
    const attack = await attackOf(provider('liar', lies), witness)
    const addresses = blockOf(CHAIN, 1).validators.validators.map(({ address }) => address.join())
    for (const { address } of attack.againstPrimary.byzantineValidators) expect(addresses).toContain(address.join())
    expect(attack.againstPrimary.byzantineValidators).toHaveLength(2)
    await checkEvidence(attack.againstPrimary, CHAIN)
  })

  const constant: readonly PrivateKey[] = makeKeys(4, 'constant')
  const chain = makeChain({ to: 40, keysAt: () => constant })
  const other = (round: number) =>
    makeChain({
      from: 21,
      to: 40,
      keysAt: () => constant,
      after: blockOf(chain, 20),
      header: () => ({ dataHash: new Uint8Array(32).fill(9) }),
      signing: () => ({ round }),
    })

  test.each([
    ['equivocation', 1, 4],
    ['amnesia', 2, 0],
  ] as const)('an attack of the same validators is detected (%s in round %i)', async (_name, round, guilty) => {
    const lies = new Map([...chain, ...other(round)])
    const [primary, witness] = [provider('liar', lies), provider('honest', chain)]
    const attack = await attackOf(primary, witness, optionsFrom(1, chain))
    expect(attack.againstPrimary).toMatchObject({ commonHeight: 30 })
    expect(attack.againstPrimary.byzantineValidators).toHaveLength(guilty)
    await checkEvidence(attack.againstPrimary, chain)
  })

  test('an attack with a header of the future, above the last header of the witness, is detected', async () => {
    const short = new Map([...CHAIN].slice(0, 25))
    const keys = KEYS.slice(0, 4)
    const future = makeBlock({
      height: 30,
      time: timeAt(24),
      keys,
      validators: blockOf(CHAIN, 1).validators,
      header: { appHash: new Uint8Array(32).fill(1) },
    })
    const lies = new Map([...CHAIN].slice(0, 10)).set(30, future)
    const witness = provider('honest', short)
    const client = await makeClient({ modules: { primary: provider('liar', lies), witnesses: [witness] } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.attack,
      data: { height: 30, commonHeight: 1, primary: 'liar', witness: 'honest' },
    })
    expect(witness.evidence).toHaveLength(1)
    expect(witness.evidence[0]).toMatchObject({ commonHeight: 1 })
  })

  test('an attack is detected if one of many witnesses is honest, and it receives the evidence only once', async () => {
    const lies = forkAfter(12, 40)
    const honest = provider('honest')
    const witnesses = [provider('liar 2', lies), provider('liar 3', lies), honest]
    const client = await makeClient({ modules: { primary: provider('liar 1', lies), witnesses } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.attack,
      data: { witness: 'honest' },
    })
    expect(honest.evidence).toHaveLength(1)
  })

  test('an attack is reported although the witness refuses the evidence', async () => {
    const honest = provider('honest')
    const refusing = { ...honest, reportEvidence: () => Promise.reject(new Error('refused')) }
    const modules = { primary: provider('liar', forkAfter(12, 40)), witnesses: [refusing] }
    const client = await makeClient({ modules })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.attack,
      message: expect.stringContaining('Evidence was sent to liar. '),
    })
  })

  test('the error says that no evidence could be sent', async () => {
    const refuse = { reportEvidence: () => Promise.reject(new Error('refused')) }
    const primary = { ...provider('liar', forkAfter(12, 40)), ...refuse }
    const client = await makeClient({ modules: { primary, witnesses: [{ ...provider('honest'), ...refuse }] } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.attack,
      message: expect.stringContaining('Evidence was sent to no server. '),
    })
  })
})

describe('after an attack', () => {
  test('each call rejects with the same error, and no request is sent; stored blocks can be read', async () => {
    const [primary, witness] = [provider('liar', forkAfter(12, 40)), provider('honest')]
    const client = await makeClient({ modules: { primary, witnesses: [witness] } })
    const attack = await failureOf(client.verifyAtHeight(30))
    expect(attack.code).toBe(LIGHT_ERRORS.attack)
    const sent = () => [primary, witness].map(({ asked, evidence }) => [asked.length, evidence.length])
    const before = sent()
    for (const call of [client.verifyAtHeight(30), client.update(), client.verifyHeader(blockOf(CHAIN, 20).header)])
      expect(await failureOf(call)).toBe(attack)
    expect(sent()).toEqual(before)
    expect(await client.verifyAtHeight(1)).toEqual(blockOf(CHAIN, 1))
  })

  test('a caller that leaves does not stop the evidence, and it is sent only once', async () => {
    const stop = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const honest = provider('honest')
    const witness: Provider = {
      ...honest,
      reportEvidence: async (evidence, { signal } = {}) => {
        signals.push(signal)
        stop.abort(new Error('left'))
        await honest.reportEvidence(evidence)
      },
    }
    const modules = { primary: provider('liar', forkAfter(12, 40)), witnesses: [witness] }
    const client = await makeClient({ modules })
    await expect(client.verifyAtHeight(30, { signal: stop.signal })).rejects.toThrow('left')
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({ code: LIGHT_ERRORS.attack })
    expect(signals).toEqual([undefined])
  })

  test('a caller that leaves does not stop the evidence against a lying witness', async () => {
    const stop = new AbortController()
    const lying = provider('liar', forkAfter(12, 40))
    const witness: Provider = { ...lying, reportEvidence: async () => stop.abort(new Error('left')) }
    const primary = provider('honest')
    const client = await makeClient({ modules: { primary, witnesses: [witness] } })
    await expect(client.verifyAtHeight(30, { signal: stop.signal })).rejects.toThrow('left')
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({ code: LIGHT_ERRORS.attack })
    expect(primary.evidence).toHaveLength(1)
  })

  test('a primary that makes the examination of its blocks fail does not hide the attack', async () => {
    const lies = forkAfter(12, 40)
    const lying = provider('liar', lies)
    let isReported = false
    const primary: Provider = {
      ...lying,
      lightBlock: (height, options) => {
        if (isReported) throw new RangeError('failed')
        return lying.lightBlock(height, options)
      },
    }
    const honest = provider('honest')
    const witness: Provider = {
      ...honest,
      reportEvidence: async () => {
        isReported = true
      },
    }
    const client = await makeClient({ modules: { primary, witnesses: [witness] } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({ code: LIGHT_ERRORS.attack })
  })
})

describe('witnesses', () => {
  test('a witness that cannot prove its other header is removed, and the header is trusted', async () => {
    const strangers = makeKeys(4, 'stranger')
    const lies = forkAfter(12, 40, strangers)
    const [primary, liar] = [provider('primary'), provider('liar', lies)]
    const client = await makeClient({ modules: { primary, witnesses: [liar, provider('honest')] } })
    expect(await client.verifyAtHeight(30)).toEqual(blockOf(CHAIN, 30))
    expect(client.providers().witnesses.map(({ name }) => name)).toEqual(['honest'])
    expect([...primary.evidence, ...liar.evidence]).toEqual([])
  })

  test('if the only witness cannot prove its other header, the header is not trusted', async () => {
    const lies = forkAfter(12, 40, makeKeys(4, 'stranger'))
    const client = await makeClient({ modules: { witnesses: [provider('liar', lies)] } })
    expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({
      code: LIGHT_ERRORS.noWitnesses,
      message: expect.stringMatching(/^no witness is left .* \(liar has another header at height 30: .*\): give/),
      cause: { code: LIGHT_ERRORS.conflict },
    })
    expect(await client.trustedBlock(30)).toBeUndefined()
  })

  test('a witness that lags has time to receive the block, and then confirms', async () => {
    const blocks = new Map([...CHAIN].slice(0, 29))
    const clock = clockAt(100)
    const client = await makeClient({ modules: { witnesses: [provider('slow', blocks)], clock } })
    const before = clock.now()
    clock.after(20_000, () => {
      for (const height of [30, 31]) blocks.set(height, blockOf(CHAIN, height))
    })
    expect(await runOn(clock, client.verifyAtHeight(30))).toEqual(blockOf(CHAIN, 30))
    // The witness has the block after 20 s. The client repeats its request at least every 4 s.
    expect(clock.now() - before).toBeLessThanOrEqual(24n * SECOND)
  })

  test('a witness that lags too long does not confirm', async () => {
    const blocks = new Map([...CHAIN].slice(0, 29))
    const clock = clockAt(100)
    const client = await makeClient({ modules: { witnesses: [provider('slow', blocks)], clock } })
    expect(await failureOf(runOn(clock, client.verifyAtHeight(30)))).toMatchObject({
      code: LIGHT_ERRORS.unconfirmed,
    })
    expect(client.providers().witnesses).toHaveLength(1)
  })

  test('the wait for a witness that lags does not become longer if each answer takes long', async () => {
    const clock = clockAt(100)
    const inner = provider('slow', new Map([...CHAIN].slice(0, 29)))
    const witness: Provider = {
      ...inner,
      lightBlock: async (height, options) => {
        if (height !== 1) await clock.sleep(4900, options?.signal)
        return inner.lightBlock(height, options)
      },
    }
    const client = await makeClient({ modules: { witnesses: [witness], clock } })
    const before = clock.now()
    expect(await failureOf(runOn(clock, client.verifyAtHeight(30)))).toMatchObject({ code: LIGHT_ERRORS.unconfirmed })
    // The call of `verifyAtHeight` takes about 40 s: the first request to the witness takes 4.9 s, the wait for the
    // witness at most 30 s, and the last request after the wait 4.9 s.
    expect(clock.now() - before).toBeLessThan(45n * SECOND)
  })

  test('the wait for a witness that lags ends when the signal aborts', async () => {
    const clock = clockAt(100)
    const stop = new AbortController()
    const client = await makeClient({
      modules: { witnesses: [provider('slow', new Map([...CHAIN].slice(0, 29)))], clock },
    })
    clock.after(1000, () => stop.abort('enough'))
    await expect(runOn(clock, client.verifyAtHeight(30, { signal: stop.signal }))).rejects.toBe('enough')
  })
})

test('a header that less than a third of the trusted power signed is never trusted', async () => {
  // Ten keys sign the false headers: the key of one of the four validators of height 1, and nine keys that belong to no
  // validator of height 1. All witnesses send these headers too.
  const keys = [KEYS[0] as PrivateKey, ...makeKeys(9, 'stranger')]
  const lies = forkAfter(1, 40, keys)
  const modules = { primary: provider('liar', lies), witnesses: [provider('liar 2', lies)] }
  const client = await makeClient({ modules })
  expect(await failureOf(client.verifyAtHeight(30))).toMatchObject({ code: LIGHT_ERRORS.verificationFailed })
  const target: LightBlock = blockOf(lies, 30)
  await expect(
    verify(blockOf(CHAIN, 1), target, { trustingPeriod: 10n * HOUR, now: timeAt(100), maxClockDrift: SECOND }),
  ).rejects.toMatchObject({ code: LIGHT_ERRORS.notEnoughTrust })
})
