import type { Time } from '@org/types/time'
import { expectTypeOf, test } from 'vitest'
import {
  createLightClient,
  isLightFailure,
  LIGHT_ERRORS,
  type LightBlock,
  type LightClient,
  type LightClientModules,
  type LightClientOptions,
  type LightStore,
  type Provider,
  type VerificationRules,
  verify,
} from '../src/index.ts'
import type { LevelLightStore } from '../src/level/index.ts'
import type { Unverified, VerifiedClient } from '../src/verified/index.ts'

declare const client: LightClient

test('a client needs a chain and a trusting period, two providers and a store', () => {
  expectTypeOf<{ chainId: string; trustingPeriod: bigint }>().toExtend<LightClientOptions>()
  expectTypeOf<{ primary: Provider; witnesses: Provider[]; store: LightStore }>().toExtend<LightClientModules>()
  expectTypeOf<{ primary: Provider; store: LightStore }>().not.toExtend<LightClientModules>()
  expectTypeOf(createLightClient).returns.resolves.toEqualTypeOf<LightClient>()
  expectTypeOf<LevelLightStore>().toExtend<LightStore>()
})

test('no part of a verified block is optional', () => {
  expectTypeOf(client.verifyAtHeight).returns.resolves.toEqualTypeOf<LightBlock>()
  expectTypeOf(client.update).returns.resolves.toEqualTypeOf<LightBlock | undefined>()
  expectTypeOf<LightBlock['header']['height']>().toEqualTypeOf<number>()
})

test('the verifier receives the present time as an argument', () => {
  expectTypeOf<VerificationRules['now']>().toEqualTypeOf<Time>()
  expectTypeOf(verify).parameter(2).toEqualTypeOf<VerificationRules>()
})

test('the code of a failure determines the type of its data', () => {
  const error: unknown = undefined
  if (!isLightFailure(error)) return
  if (error.code === LIGHT_ERRORS.notEnoughTrust) {
    expectTypeOf(error.data.needed).toEqualTypeOf<string>()
    expectTypeOf(error.data.trustedHeight).toEqualTypeOf<number>()
  }
  if (error.code === LIGHT_ERRORS.attack) expectTypeOf(error.data.commonHeight).toEqualTypeOf<number>()
})

test('the members of an answer that nothing proves have the type Unverified', () => {
  type Result<Name extends keyof VerifiedClient> = VerifiedClient[Name] extends (...args: never) => Promise<infer R>
    ? R
    : never
  type LastCommit = NonNullable<NonNullable<Result<'block'>['block']>['lastCommit']>
  type SearchedCommit = NonNullable<NonNullable<Result<'blockSearch'>['blocks'][number]['block']>['lastCommit']>
  expectTypeOf<LastCommit['round']>().toEqualTypeOf<Unverified<number>>()
  expectTypeOf<Result<'blockByHash'>>().toEqualTypeOf<Result<'block'>>()
  expectTypeOf<SearchedCommit['round']>().toEqualTypeOf<Unverified<number>>()
  expectTypeOf<LastCommit['height']>().toEqualTypeOf<number>()
  expectTypeOf<Result<'blockSearch'>['totalCount']>().toEqualTypeOf<Unverified<number>>()
  expectTypeOf<Result<'commit'>['canonical']>().toEqualTypeOf<Unverified<boolean>>()
  expectTypeOf<Result<'validators'>['validators'][number]['proposerPriority']>().toEqualTypeOf<Unverified<bigint>>()
  expectTypeOf<Result<'validators'>['validators'][number]['votingPower']>().toEqualTypeOf<bigint>()
  expectTypeOf<Result<'tx'>['index']>().toEqualTypeOf<Unverified<number>>()
  expectTypeOf<Result<'txSearch'>['totalCount']>().toEqualTypeOf<Unverified<number>>()
  expectTypeOf<Result<'abciQuery'>['response']['log']>().toEqualTypeOf<Unverified<string>>()
})
