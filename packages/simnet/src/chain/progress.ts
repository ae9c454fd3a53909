import { ABCI_ERRORS } from '@org/abci'
import { isCodedError } from '@org/runtime/errors'
import type { SimNode } from '../node/index.ts'
import { type Scheduler, WorldError, watch } from '../world/index.ts'
import type { DisagreementWatch } from './disagreement.ts'
import { CHAIN_ERRORS, ChainError } from './errors.ts'
import { missingPower } from './members.ts'
import type { Refusals } from './refusals.ts'

/**
 * A block must come within this virtual time, in milliseconds, plus twice the time between blocks. The time is enough
 * for forty rounds, even if every timeout of each round passes.
 */
const BLOCK_TIMEOUT_MS = 600_000
/**
 * The number of virtual milliseconds for which a run continues before it fails because of refused vote extensions. Some
 * validators may not have checked these extensions yet. In this time, they refuse the extensions too, or they decide
 * the height.
 */
const VOTES_MS = 100

/** True if the node has ended because the connection to its application is closed. */
function isApplicationLost(error: unknown): boolean {
  if (isCodedError(error, ABCI_ERRORS.notConnected) || isCodedError(error, ABCI_ERRORS.closed)) return true
  return error instanceof Error && error.cause !== undefined && isApplicationLost(error.cause)
}

/** Returns the reason why a node makes no more blocks, and what to do. */
function haltText(name: string, cause: Error): string {
  const advice = 'start the application again, and the chain continues'
  return isApplicationLost(cause)
    ? `the application of ${name} does not run: ${advice} (${cause.message})`
    : `${name} cannot continue: ${cause.message}`
}

export interface ProgressModules {
  readonly scheduler: Scheduler
  readonly nodes: readonly SimNode[]
  readonly disagreement: DisagreementWatch
  readonly refusals: Refusals
  /** The height of the first node. Throws if the node does not run. */
  readonly height: () => number
}

/**
 * Lets virtual time pass until an event has happened. A call rejects if the event cannot happen; the error gives the
 * reason.
 */
export interface Progress {
  /**
   * Waits until `isDone` returns true. `waitsFor` names the awaited event in the error. `blocks` is the maximum number
   * of blocks that are made before this event.
   */
  readonly until: (isDone: () => boolean, waitsFor: string, blocks?: number) => Promise<void>
  /** Runs all work that is due now. After that, no work is in progress until the next method of the chain is called. */
  readonly runDueWork: () => Promise<void>
  /** Lets this number of milliseconds of virtual time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** Lets virtual time pass until the promise has ended. */
  readonly drive: <T>(promise: Promise<T>, waitsFor: string) => Promise<T>
}

/** `blockTime`: the milliseconds between two blocks. */
export function createProgress(blockTime: number, modules: ProgressModules): Progress {
  const { scheduler, nodes, disagreement, refusals, height } = modules
  const [node] = nodes as [SimNode]

  function checkAgreement(): void {
    const difference = disagreement.difference()
    if (difference !== undefined) throw new ChainError(CHAIN_ERRORS.disagreement, difference)
  }

  function isRefused(): boolean {
    const refused = refusals.height()
    return refused !== undefined && refused > height()
  }

  function checkRunning(): void {
    for (const { failure, name } of nodes) {
      const cause = failure()
      if (cause === undefined) continue
      if (cause instanceof ChainError) throw cause
      throw new ChainError(CHAIN_ERRORS.halted, haltText(name, cause), { cause })
    }
  }

  function stuck(waitsFor: string, message: string, cause?: Error): ChainError {
    // Before its first start is over, a node has no height.
    const data = { waitsFor, height: node.engine() === undefined ? 0 : height() }
    return new ChainError(CHAIN_ERRORS.stuck, message, { data, cause })
  }

  async function run(isDone: () => boolean, { waitsFor, limit }: { waitsFor: string; limit: number }): Promise<void> {
    try {
      await scheduler.run(isDone, limit)
    } catch (error) {
      if (error instanceof WorldError) throw stuck(waitsFor, `the application does not answer: ${error.message}`, error)
      throw error
    }
  }

  async function until(isDone: () => boolean, waitsFor: string, blocks = 1): Promise<void> {
    // A validator that executed a block differently from the others halts at the next block. Some validators may not
    // have executed the block yet. So the run continues until all of them have executed it.
    const isOver = (): boolean =>
      isDone() ||
      disagreement.isComplete() ||
      isRefused() ||
      (disagreement.difference() === undefined && nodes.some(({ status }) => status() === 'halted'))
    const timeoutMs = BLOCK_TIMEOUT_MS + 2 * blockTime * blocks
    const limit = scheduler.now() + timeoutMs
    do {
      await run(isOver, { waitsFor, limit })
      // If too many validators refuse vote extensions, no block can be decided, and the run must fail. But validators
      // refuse the same extension at slightly different times. When some of them have refused it, the others may still
      // decide the height. So the run continues for a short time before it fails.
      if (isRefused() && !refusals.hasProposals()) await run(isDone, { waitsFor, limit: scheduler.now() + VOTES_MS })
    } while (!isOver() && scheduler.now() < limit)
    checkAgreement()
    checkRunning()
    if (isDone()) return
    const refusal = refusals.describe(height() + 1)
    if (refusal !== undefined && (isRefused() || !refusals.hasProposals())) {
      const code = refusals.hasProposals() ? CHAIN_ERRORS.proposalsRefused : CHAIN_ERRORS.extensionsRefused
      throw new ChainError(code, `block ${height() + 1} cannot be decided: ${refusal}`)
    }
    const cause = refusal ?? missingPower(node.engine(), nodes)
    const reason = cause === undefined ? '' : `: ${cause}`
    throw stuck(waitsFor, `there was no ${waitsFor} in ${timeoutMs / 1000} s of virtual time${reason}`)
  }

  return {
    until,
    runDueWork: () => run(() => false, { waitsFor: 'rest', limit: scheduler.now() }),
    pass: (ms) => run(() => false, { waitsFor: 'rest', limit: scheduler.now() + ms }),
    drive: async (promise, waitsFor) => {
      const { isOver, ended } = watch(promise)
      await until(isOver, waitsFor)
      return ended
    },
  }
}
