import { messageOf } from '@org/runtime'
import {
  ApplySnapshotChunkResult,
  OfferSnapshotResult,
  type ResponseApplySnapshotChunk,
  type ResponseInfo,
  type Snapshot,
} from '@org/types/abci'
import { equalBytes, shownBytes } from '@org/types/bytes'
import type { QueuedChunk } from './chunk-table.ts'
import { RESTORE_ERRORS, RestoreError } from './errors.ts'
import type { RestoringApp } from './ports.ts'

const AFTER_APP = 'look at its log, repair it or reset its data, and start the node again'

function aborted(method: string): RestoreError {
  const message = `the application ended state sync (${method} returned ABORT): ${AFTER_APP}`
  return new RestoreError(RESTORE_ERRORS.aborted, message, { data: { method } })
}

function unknownResult(method: string, result: number): RestoreError {
  const message = `the application's ${method} returned the unknown result ${result}: update the application to ABCI 2.0 or repair it, and start the node again`
  return new RestoreError(RESTORE_ERRORS.app, message, { data: { method, result } })
}

/** Returns the answer of the application. If the call fails, throws a `RestoreError`, which ends state sync. */
async function call<T>(method: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    const message = `the application's ${method} failed during state sync (${messageOf(cause)}): ${AFTER_APP}`
    throw new RestoreError(RESTORE_ERRORS.app, message, { cause, data: { method } })
  }
}

export type OfferOutcome = 'accepted' | 'rejected' | 'format' | 'sender'

/** Offers a snapshot to the application. Throws a `RestoreError` if the application ends state sync. */
export async function offerSnapshot(
  app: Pick<RestoringApp, 'offerSnapshot'>,
  snapshot: Snapshot,
  appHash: Uint8Array,
): Promise<OfferOutcome> {
  const { result } = await call('OfferSnapshot', app.offerSnapshot({ snapshot, appHash }))
  switch (result) {
    case OfferSnapshotResult.accept:
      return 'accepted'
    case OfferSnapshotResult.abort:
      throw aborted('OfferSnapshot')
    case OfferSnapshotResult.reject:
      return 'rejected'
    case OfferSnapshotResult.rejectFormat:
      return 'format'
    case OfferSnapshotResult.rejectSender:
      return 'sender'
    default:
      throw unknownResult('OfferSnapshot', result)
  }
}

export type ApplyOutcome = 'accepted' | 'retry' | 'retrySnapshot' | 'rejected'

export type AppliedChunk = Pick<ResponseApplySnapshotChunk, 'refetchChunks' | 'rejectSenders'> & {
  readonly outcome: () => ApplyOutcome
}

const APPLY_OUTCOMES: ReadonlyMap<number, ApplyOutcome> = new Map([
  [ApplySnapshotChunkResult.accept, 'accepted'],
  [ApplySnapshotChunkResult.retry, 'retry'],
  [ApplySnapshotChunkResult.retrySnapshot, 'retrySnapshot'],
  [ApplySnapshotChunkResult.rejectSnapshot, 'rejected'],
])

/**
 * Gives a chunk to the application. The result contains two lists: the chunks that the application wants again, and the
 * peers that it rejects as senders. The result also contains a function `outcome`. This function returns the
 * application's decision about the chunk, or throws a `RestoreError` if the application ends state sync. The two lists
 * apply to every decision. So the caller must use both lists before it calls `outcome`, which may throw.
 */
export async function applyChunk(
  app: Pick<RestoringApp, 'applySnapshotChunk'>,
  request: QueuedChunk,
): Promise<AppliedChunk> {
  const answer = await call('ApplySnapshotChunk', app.applySnapshotChunk(request))
  const { result, refetchChunks, rejectSenders } = answer
  const outcome = (): ApplyOutcome => {
    if (result === ApplySnapshotChunkResult.abort) throw aborted('ApplySnapshotChunk')
    const known = APPLY_OUTCOMES.get(result)
    if (known === undefined) throw unknownResult('ApplySnapshotChunk', result)
    return known
  }
  return { refetchChunks, rejectSenders, outcome }
}

/** Resolves with the application's report of its height and app hash. */
export const appInfo = (app: Pick<RestoringApp, 'info'>): Promise<ResponseInfo> => call('Info', app.info())

export interface ExpectedApp {
  readonly height: number
  readonly appHash: Uint8Array
  readonly appVersion: bigint
}

/**
 * Compares the application's report after a restore with the verified chain. Resolves with an error if the height or
 * the app hash differs, otherwise with `undefined`. Throws a `RestoreError` if the application's version differs.
 */
export async function verifyApp(
  app: Pick<RestoringApp, 'info'>,
  expected: ExpectedApp,
): Promise<RestoreError | undefined> {
  const { appVersion, lastBlockAppHash, lastBlockHeight } = await appInfo(app)
  if (appVersion !== expected.appVersion) {
    const message = `the application has version ${appVersion}, and the chain has version ${expected.appVersion} at height ${expected.height}: run the application's release for that version, with empty data, and start the node again. If no release has that version, the chain must set version.app of its consensus parameters`
    const data = { expected: expected.appVersion, actual: appVersion }
    throw new RestoreError(RESTORE_ERRORS.appVersion, message, { data })
  }
  if (lastBlockHeight === expected.height && equalBytes(lastBlockAppHash, expected.appHash)) return undefined
  const data = {
    expectedHeight: expected.height,
    actualHeight: lastBlockHeight,
    expectedAppHash: shownBytes(expected.appHash),
    actualAppHash: shownBytes(lastBlockAppHash),
  }
  const message = `the application restored height ${data.actualHeight} with app hash ${shownBytes(lastBlockAppHash)}, but the chain has app hash ${shownBytes(expected.appHash)} at height ${data.expectedHeight}: reset the application's data, and start the node again`
  return new RestoreError(RESTORE_ERRORS.verification, message, { data })
}
