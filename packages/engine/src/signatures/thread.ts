import { type MessagePort, Worker } from 'node:worker_threads'
import { type Sodium, sodiumPath } from '@org/runtime/sodium'
import { findInvalidSignature, type SignedItem, verifySignature } from '@org/types/crypto'
import type { SignatureChecker } from './checker.ts'

/**
 * A worker thread that verifies whole commits while the calling thread continues. The worker thread is started for the
 * first large commit.
 */
export interface SignatureThread extends Pick<SignatureChecker, 'findInvalid'> {
  /**
   * Verifies a few signatures on the calling thread. They are signatures that the worker thread has not begun to
   * verify. Returns false if no such signature is left.
   */
  readonly help: () => boolean
  /** The number of signatures for which the worker thread has returned a result. */
  readonly answered: () => number
  /** Stops the worker thread. Later requests are verified on the calling thread. */
  readonly stop: () => void
}

/**
 * The smallest number of signatures for which the worker thread is used. For fewer signatures, sending them to the
 * worker thread takes longer than verifying them.
 */
const MIN_SIGNATURES = 32
const [KEY_SIZE, SIGNATURE_SIZE] = [32, 64]

const fits = ({ publicKey, signature }: SignedItem): boolean =>
  publicKey.type === 'ed25519' && publicKey.bytes.length === KEY_SIZE && signature.length === SIGNATURE_SIZE

/** The number of signatures that a thread takes from the shared memory in one step. */
const STEP = 4
const [TAKEN, DONE, HEAD] = [0, 1, 2]

/**
 * The memory that the worker thread and the calling thread share for one commit. An item is a key, a signature and a
 * message. The memory contains, in this order:
 *
 * - the number of items that the two threads together have taken to verify,
 * - the number of items that are verified,
 * - the position at which each item ends,
 * - the result for each item,
 * - the items.
 */
interface Shared {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly answers: Uint8Array<SharedArrayBuffer>
}

function share(items: readonly SignedItem[]): Shared {
  const answersAt = 4 * (HEAD + items.length)
  let at = answersAt + items.length
  const size = items.reduce((sum, { message }) => sum + KEY_SIZE + SIGNATURE_SIZE + message.length, at)
  const buffer = new SharedArrayBuffer(size)
  const words = new Int32Array(buffer, 0, HEAD + items.length)
  const bytes = new Uint8Array(buffer)
  for (const [index, { publicKey, message, signature }] of items.entries()) {
    bytes.set(publicKey.bytes, at)
    bytes.set(signature, at + KEY_SIZE)
    bytes.set(message, at + KEY_SIZE + SIGNATURE_SIZE)
    at += KEY_SIZE + SIGNATURE_SIZE + message.length
    words[HEAD + index] = at
  }
  return { words, answers: bytes.subarray(answersAt, answersAt + items.length) }
}

/**
 * The worker thread gets a low priority, so that it delays neither disk writes nor the main thread. Only Linux has
 * priorities of single threads; on other systems the call would change the priority of the whole process.
 */
const LOW_PRIORITY = process.platform === 'linux' ? "require('node:os').setPriority(10); " : ''

interface VerifyRequest {
  readonly buffer: SharedArrayBuffer
  readonly count: number
  readonly step: number
}

/**
 * The program of the worker thread. The worker thread receives only the source text of this function, so the function
 * must not use anything else of this file.
 */
function serve(port: MessagePort, sodium: Sodium): void {
  port.on('message', ({ buffer, count, step }: VerifyRequest) => {
    const words = new Int32Array(buffer, 0, 2 + count)
    const answersAt = words.byteLength
    const bytes = new Uint8Array(buffer)
    let answered = 0
    for (let from = Atomics.add(words, 0, step); from < count; from = Atomics.add(words, 0, step)) {
      const to = Math.min(from + step, count)
      for (let index = from; index < to; index++) {
        const start = index === 0 ? answersAt + count : (words[1 + index] as number)
        const item = bytes.slice(start, words[2 + index])
        const [key, signature, message] = [item.subarray(0, 32), item.subarray(32, 96), item.subarray(96)]
        bytes[answersAt + index] = sodium.crypto_sign_verify_detached(signature, message, key) ? 1 : 0
      }
      answered += to - from
      Atomics.add(words, 1, to - from)
    }
    port.postMessage(answered)
  })
}

type Answers = Uint8Array | undefined

/**
 * A commit that was passed to the worker thread and that the worker thread has not finished. The calling thread may
 * have verified the signatures of the commit already.
 */
interface PendingCommit extends Shared {
  readonly items: readonly SignedItem[]
  readonly settle: (answers: Answers) => void
}

export interface SignatureThreadOptions {
  /**
   * The priority of the worker thread. With `low`, other threads run first. `normal` is for a caller that waits for the
   * signatures. Default: `low`.
   */
  readonly priority?: 'low' | 'normal'
}

/** Creates the worker thread, which verifies the commits in the order of the requests. */
export function createSignatureThread({ priority = 'low' }: SignatureThreadOptions = {}): SignatureThread {
  let worker: Worker | undefined
  const ended = new AbortController()
  const { signal } = ended
  let pendingCommits: PendingCommit[] = []
  let answered = 0

  function settleIfDone({ items, words, answers, settle }: PendingCommit): void {
    if (Atomics.load(words, DONE) === items.length) settle(answers)
  }

  /**
   * Called when the worker thread has finished the oldest commit that was passed to it. `count` is the number of
   * signatures of this commit that the worker thread verified.
   */
  function onCommitDone(count: number): void {
    answered += count
    const first = pendingCommits.shift()
    if (first !== undefined) settleIfDone(first)
  }

  const stop = (): void => ended.abort()

  function begin(path: string): Worker {
    const text = `${priority === 'low' ? LOW_PRIORITY : ''}const t = require('node:worker_threads'); (${serve})(t.parentPort, require(t.workerData))`
    const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 }
    const begun = new Worker(text, { eval: true, workerData: path, resourceLimits, execArgv: [] })
    begun.on('message', onCommitDone)
    // The node does not need the worker thread: if the thread fails, the signatures are verified on the calling thread.
    begun.on('error', stop)
    begun.on('exit', stop)
    begun.unref()
    return begun
  }

  function verifyOnThread(items: readonly SignedItem[]): Promise<Answers> {
    const path = sodiumPath()
    if (path === undefined) return Promise.resolve(undefined)
    const shared = share(items)
    try {
      worker ??= begin(path)
      worker.postMessage({ buffer: shared.words.buffer, count: items.length, step: STEP } satisfies VerifyRequest)
    } catch {
      // The system cannot start a thread, so the signatures are verified on the calling thread.
      stop()
      return Promise.resolve(undefined)
    }
    return new Promise((settle) => pendingCommits.push({ items, ...shared, settle }))
  }

  function help(): boolean {
    for (const one of pendingCommits) {
      const { items, words, answers } = one
      if (Atomics.load(words, TAKEN) >= items.length) continue
      const from = Atomics.add(words, TAKEN, STEP)
      const taken = items.slice(from, from + STEP)
      if (taken.length === 0) continue
      for (const [i, { publicKey, message, signature }] of taken.entries()) {
        answers[from + i] = verifySignature(publicKey, message, signature) ? 1 : 0
      }
      Atomics.add(words, DONE, taken.length)
      settleIfDone(one)
      return true
    }
    return false
  }

  signal.addEventListener(
    'abort',
    () => {
      void worker?.terminate()
      worker = undefined
      const unfinished = pendingCommits
      pendingCommits = []
      for (const { settle } of unfinished) settle(undefined)
    },
    { once: true },
  )
  return {
    findInvalid: async (items) => {
      if (signal.aborted || items.length < MIN_SIGNATURES || !items.every(fits)) return findInvalidSignature(items)
      const answers = await verifyOnThread(items)
      if (answers === undefined) return findInvalidSignature(items)
      // libsodium refuses some signatures that ZIP-215 accepts. So the exact check decides about each signature that
      // libsodium refused.
      return items.findIndex(
        ({ publicKey, message, signature }, i) => answers[i] === 0 && !verifySignature(publicKey, message, signature),
      )
    },
    help,
    answered: () => answered,
    stop,
  }
}
