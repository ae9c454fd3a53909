import {
  type Commit,
  type Header,
  hashValidators,
  MAX_VOTES_COUNT,
  type Validator,
  type ValidatorSet,
  validatorSetFromExisting,
} from '@org/types'
import { equalBytes } from '@org/types/bytes'
import type { LightBlock } from '../block/light-block.ts'
import { LIGHT_ERRORS, LightError } from '../errors.ts'
import { type Answer, type BatchedCalls, type Call, MAX_BATCH } from './batched-calls.ts'
import { providerError } from './errors.ts'

const PER_PAGE = 100
/**
 * The maximum number of bytes of an app hash. The application chooses this length, and the client holds many headers in
 * memory during a bisection.
 */
const MAX_APP_HASH_BYTES = 64 * 1024

interface Page {
  readonly validators: readonly Validator[]
  readonly total: number
}

type CommitAnswer =
  | { readonly signedHeader: { readonly header?: Header | undefined; readonly commit?: Commit | undefined } }
  | undefined

interface Signed {
  readonly header: Header
  readonly commit: Commit
}

export interface BlockRequest {
  /** The height of the block; `undefined` for the latest block. */
  readonly height: number | undefined
  /**
   * The validator set that the block probably has. If the block's header has the hash of this set, no validators are
   * fetched.
   */
  readonly validators: ValidatorSet | undefined
  readonly signal: AbortSignal | undefined
}

export const wrong = (reason: string): LightError => new LightError(LIGHT_ERRORS.badBlock, reason)

const commitCall =
  (height: number | undefined): Call<CommitAnswer> =>
  (methods, options) =>
    methods.commit(height === undefined ? {} : { height }, options)

const pageCall =
  (height: number, page: number): Call<Page> =>
  (methods, options) =>
    methods.validators({ height, page, perPage: PER_PAGE }, options)

function signedOf(answer: CommitAnswer, { height }: BlockRequest, provider: string): Signed {
  const { header, commit } = answer?.signedHeader ?? {}
  // A node that has no block yet answers with an empty header.
  if (header === undefined || commit === undefined)
    throw providerError(LIGHT_ERRORS.heightTooHigh, { provider, height })
  if (header.appHash.length > MAX_APP_HASH_BYTES) throw wrong(`the app hash has ${header.appHash.length} bytes`)
  if (commit.signatures.length > MAX_VOTES_COUNT) throw wrong(`the commit has ${commit.signatures.length} signatures`)
  if (height !== undefined && header.height !== height) throw wrong(`the header has height ${header.height}`)
  return { header, commit }
}

/**
 * Adds the validators of a page to the validators of the pages before. `count` is the number of validators in the set.
 */
function addPage(
  found: Validator[],
  { validators, total }: Page,
  { page, count }: { page: number; count: number },
): void {
  if (total !== count) throw wrong(`the validator set has ${total} validators, and the commit has ${count} signatures`)
  const expected = Math.min(PER_PAGE, count - found.length)
  if (validators.length !== expected) {
    throw wrong(`page ${page} of the validator set has ${validators.length} validators, not ${expected}`)
  }
  for (const validator of validators) found.push(validator)
}

const isNamedBy = (set: ValidatorSet | undefined, { header, commit }: Signed): set is ValidatorSet =>
  set !== undefined &&
  set.validators.length === commit.signatures.length &&
  equalBytes(hashValidators(set), header.validatorsHash)

/**
 * Makes a function that fetches the commit and the validators of a block in as few requests as possible. The first
 * request is for the commit and for some pages of validators: as many pages as the last fetched validator set had.
 */
export function createBlockFetcher(
  together: BatchedCalls,
  provider: string,
): (request: BlockRequest) => Promise<LightBlock> {
  let expectedPages = 1

  /**
   * Fetches the validator set. A set has as many validators as the commit has signatures. The number of signatures is
   * bounded, so the number of pages is bounded too.
   */
  async function validatorsOf(
    { header, commit }: Signed,
    given: readonly Answer<Page>[],
    signal: AbortSignal | undefined,
  ): Promise<ValidatorSet> {
    const count = commit.signatures.length
    const pages = Math.ceil(count / PER_PAGE)
    const found: Validator[] = []
    let answers = given
    for (let page = 1, first = 1; page <= pages; page++) {
      if (page - first >= answers.length) {
        first = page
        const length = Math.min(MAX_BATCH, pages - page + 1)
        const calls = Array.from({ length }, (_, i) => pageCall(header.height, page + i))
        answers = await together(calls as [Call<Page>, ...Call<Page>[]], signal)
      }
      addPage(found, await (answers[page - first] as Answer<Page>)(), { page, count })
    }
    expectedPages = pages
    return validatorSetFromExisting(found)
  }

  return async (request) => {
    const { height, validators, signal } = request
    // The height of the latest block is unknown until its commit is received, so the pages of its validators cannot be
    // requested together with the commit.
    const ahead = height === undefined || validators !== undefined ? 0 : Math.min(expectedPages, MAX_BATCH - 1)
    const calls = Array.from({ length: ahead }, (_, i) => pageCall(height as number, i + 1))
    const [answer, ...pages] = await together([commitCall(height), ...calls], signal)
    const signed = signedOf(await answer(), request, provider)
    if (isNamedBy(validators, signed)) return { ...signed, validators }
    return { ...signed, validators: await validatorsOf(signed, pages, signal) }
  }
}
