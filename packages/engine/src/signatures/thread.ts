import { type MessagePort, Worker } from 'node:worker_threads'
import { type Sodium, sodiumPath } from '@org/runtime/sodium'
import { findInvalidSignature, type SignedItem, verifySignature } from '@org/types/crypto'
import type { SignatureChecker } from './checker.ts'

/** A thread that verifies whole commits while this one goes on. It begins with the first commit that is large enough. */
export interface SignatureThread extends Pick<SignatureChecker, 'findInvalid'> {
  /** Signatures that the thread has answered for. */
  readonly answered: () => number
  /** What is asked afterwards is verified on the calling thread. */
  readonly stop: () => void
}

/** With fewer, the way there and back costs more than it saves. */
const FEWEST = 32
const [KEY_SIZE, SIGNATURE_SIZE] = [32, 64]

const fits = ({ publicKey, signature }: SignedItem): boolean =>
  publicKey.type === 'ed25519' && publicKey.bytes.length === KEY_SIZE && signature.length === SIGNATURE_SIZE

/** For each item: the length of its message, key, signature, message. */
function pack(items: readonly SignedItem[]): ArrayBuffer {
  const size = items.reduce((sum, { message }) => sum + 4 + KEY_SIZE + SIGNATURE_SIZE + message.length, 0)
  const buffer = new ArrayBuffer(size)
  const [bytes, view] = [new Uint8Array(buffer), new DataView(buffer)]
  let at = 0
  for (const { publicKey, message, signature } of items) {
    view.setUint32(at, message.length)
    bytes.set(publicKey.bytes, at + 4)
    bytes.set(signature, at + 4 + KEY_SIZE)
    bytes.set(message, at + 4 + KEY_SIZE + SIGNATURE_SIZE)
    at += 4 + KEY_SIZE + SIGNATURE_SIZE + message.length
  }
  return buffer
}

/**
 * Whoever waits for a write or for the main thread shall not wait for a commit that is verified ahead. Linux knows the priority
 * of a thread; elsewhere it would be that of the process.
 */
const LOW_PRIORITY = process.platform === 'linux' ? "require('node:os').setPriority(10); " : ''

/** What the thread does: its text is sent there, so it uses nothing from here. */
function serve(port: MessagePort, sodium: Sodium): void {
  port.on('message', (buffer: ArrayBuffer) => {
    const view = new DataView(buffer)
    const answers: boolean[] = []
    for (let at = 0; at < buffer.byteLength; ) {
      const length = view.getUint32(at)
      const key = new Uint8Array(buffer, at + 4, 32)
      const signature = new Uint8Array(buffer, at + 36, 64)
      const message = new Uint8Array(buffer, at + 100, length)
      answers.push(sodium.crypto_sign_verify_detached(signature, message, key))
      at += 100 + length
    }
    port.postMessage(answers)
  })
}

type Answers = readonly boolean[] | undefined

/** Commits are verified one or two at a time, in order. */
export function createSignatureThread(): SignatureThread {
  let worker: Worker | undefined
  let isOver = false
  let asked: ((answers: Answers) => void)[] = []
  let answered = 0

  function take(answers: readonly boolean[]): void {
    answered += answers.length
    asked.shift()?.(answers)
  }

  function stop(): void {
    isOver = true
    void worker?.terminate()
    worker = undefined
    const left = asked
    asked = []
    for (const answer of left) answer(undefined)
  }

  function begin(path: string): Worker {
    const text = `${LOW_PRIORITY}const t = require('node:worker_threads'); (${serve})(t.parentPort, require(t.workerData))`
    const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 }
    const begun = new Worker(text, { eval: true, workerData: path, resourceLimits, execArgv: [] })
    begun.on('message', take)
    // It is of use, not needed: without it the signatures are verified here.
    begun.on('error', stop)
    begun.on('exit', stop)
    begun.unref()
    return begun
  }

  function ask(items: readonly SignedItem[]): Promise<Answers> {
    const path = sodiumPath()
    if (path === undefined) return Promise.resolve(undefined)
    try {
      worker ??= begin(path)
      const buffer = pack(items)
      worker.postMessage(buffer, [buffer])
    } catch {
      // The system gives no thread.
      stop()
      return Promise.resolve(undefined)
    }
    return new Promise((resolve) => asked.push(resolve))
  }

  return {
    findInvalid: async (items) => {
      if (isOver || items.length < FEWEST || !items.every(fits)) return findInvalidSignature(items)
      const answers = await ask(items)
      if (answers === undefined) return findInvalidSignature(items)
      // libsodium refuses some that the chain accepts.
      return items.findIndex(
        ({ publicKey, message, signature }, i) => !answers[i] && !verifySignature(publicKey, message, signature),
      )
    },
    answered: () => answered,
    stop,
  }
}
