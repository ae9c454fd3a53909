import { createListeners, isCodedError, type Logger, messageOf } from '@org/runtime'
import { WAL_ERRORS } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError } from './errors.ts'

/** The report of the fault that stops consensus. */
export interface HaltReport {
  /** Logs the fault, and calls the listeners with it. */
  readonly report: (error: unknown) => void
  /**
   * Calls `listener` with the fault when `report` is called. If `report` was called before, calls `listener` at once.
   * Does nothing after the signal has aborted.
   */
  readonly onHalt: (listener: (error: ConsensusError) => void, signal?: AbortSignal) => void
}

export function createHaltReport(logger: Logger): HaltReport {
  const listeners = createListeners<ConsensusError>()
  let failure: ConsensusError | undefined
  return {
    report: (error) => {
      failure = toConsensusError(error)
      logger.error('CONSENSUS FAILURE!!!', { code: failure.code, err: failure.message, stack: stackOf(error) })
      listeners.call(failure)
    },
    onHalt: (listener, signal) => {
      if (failure === undefined) listeners.add(listener, signal)
      else if (signal?.aborted !== true) listener(failure)
    },
  }
}

function toConsensusError(error: unknown): ConsensusError {
  if (error instanceof ConsensusError) return error
  const message = messageOf(error)
  const code = isCodedError(error, WAL_ERRORS.io) ? CONSENSUS_ERRORS.wal : CONSENSUS_ERRORS.internal
  return new ConsensusError(code, message, { cause: error })
}

function stackOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error ? cause.stack : undefined
}
