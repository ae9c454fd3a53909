import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  SignedHeader,
  Validator,
  type ValidatorSet,
  validateLightBlockBasic,
  validatorSetFromExisting,
} from '@org/types'
import type { JsonObject } from '@org/types/schema'
import { parseTime, type Time } from '@org/types/time'
import { describe, expect, test } from 'vitest'
import { isLightFailure, LIGHT_ERRORS, type LightBlock, lightBlockToWire, verify } from '../src/index.ts'
import type { TrustedBlock } from '../src/verifier/verify.ts'

/**
 * The folder `light-client/tests/support` of tendermint-rs. The bisections in this folder are not tested, because their
 * blocks have another version of the block protocol, which v0.38 refuses.
 */
const FOLDER = process.env.HALLEY_LIGHT_VECTORS ?? ''
const isThere = FOLDER !== '' && existsSync(FOLDER)
if (!isThere) {
  console.log(
    'skipped: the published vectors of light clients (HALLEY_LIGHT_VECTORS: light-client/tests/support of tendermint-rs)',
  )
}

function filesIn(folder: string): readonly (readonly [name: string, document: JsonObject])[] {
  if (!isThere) return [['none', {}]]
  return readdirSync(join(FOLDER, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => [name, JSON.parse(readFileSync(join(FOLDER, folder, name), 'utf8')) as JsonObject])
}

const timeOf = (text: unknown): Time => parseTime(text as string) as Time
const nanosOf = (text: unknown): bigint => BigInt(text as string)

/** Decodes a validator set. In the files, a number that is zero is left out or is `null`. */
function setOf(json: JsonObject): ValidatorSet {
  const list = (json.validators ?? []) as readonly JsonObject[]
  return validatorSetFromExisting(
    list.map((one) => Validator.fromJson({ ...one, proposer_priority: one.proposer_priority ?? '0' })),
  )
}

/**
 * Returns an entry of a commit. The absent entries in the files have the zero time of Rust. This function replaces it
 * with the zero time of Go, which is another time.
 */
function entryOf(json: JsonObject): JsonObject {
  return json.block_id_flag === 1 ? { ...json, timestamp: '0001-01-01T00:00:00Z' } : json
}

function signedOf({ header: head, commit: signed }: JsonObject): Pick<LightBlock, 'header' | 'commit'> {
  const signatures = ((signed as JsonObject).signatures as readonly JsonObject[]).map(entryOf)
  const { header, commit } = SignedHeader.fromJson({
    header: head as JsonObject,
    commit: { ...(signed as JsonObject), signatures },
  })
  if (header === undefined || commit === undefined) throw new TypeError('a part is missing')
  return { header, commit }
}

const blockOf = (json: JsonObject): LightBlock => ({
  ...signedOf(json.signed_header as JsonObject),
  validators: setOf(json.validator_set as JsonObject),
})

type Outcome = 'SUCCESS' | 'NOT_ENOUGH_TRUST' | 'INVALID'

/**
 * Verifies a block as a client does: first checks the block as a provider does, and then verifies the block against
 * the trusted block.
 */
async function outcomeOf(
  trusted: TrustedBlock,
  block: () => LightBlock,
  rules: Parameters<typeof verify>[2],
): Promise<Outcome> {
  try {
    const made = block()
    validateLightBlockBasic(lightBlockToWire(made), trusted.header.chainId)
    await verify(trusted, made, rules)
    return 'SUCCESS'
  } catch (error) {
    return isLightFailure(error) && error.code === LIGHT_ERRORS.notEnoughTrust ? 'NOT_ENOUGH_TRUST' : 'INVALID'
  }
}

describe.skipIf(!isThere)('vectors of tendermint-rs', () => {
  test.each(filesIn('model_based/single_step'))(
    'each step of the file has the expected outcome: %s',
    async (_name, document) => {
      const { initial, input } = document as unknown as {
        readonly initial: JsonObject
        readonly input: readonly { readonly block: JsonObject; readonly now: string; readonly verdict: Outcome }[]
      }
      // In these files, a new block is verified with the validator set that the trusted header announced for the next
      // height. Therefore that set is used in place of the trusted header's own set.
      let trusted: TrustedBlock = {
        header: signedOf(initial.signed_header as JsonObject).header,
        validators: setOf(initial.next_validator_set as JsonObject),
      }
      for (const { block, now, verdict } of input) {
        // The votes in the files are not signed as in v0.38, so all signatures are taken as valid.
        const rules = {
          ...{ trustingPeriod: nanosOf(initial.trusting_period), maxClockDrift: 0n, now: timeOf(now) },
          findInvalid: async () => -1,
        }
        expect(await outcomeOf(trusted, () => blockOf(block), rules)).toBe(verdict)
        if (verdict !== 'SUCCESS') continue
        const { header } = blockOf(block)
        trusted = { header, validators: setOf(block.next_validator_set as JsonObject) }
      }
    },
  )
})
