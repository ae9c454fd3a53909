import { messageOf } from '@org/runtime'
import type { ConsensusMessage } from '../machine/index.ts'
import type { Wal } from '../wal/index.ts'
import { CONSENSUS_ERRORS, ConsensusError, failingAs } from './errors.ts'
import type { ConsensusModules } from './ports.ts'

/** The WAL and the sign state of a running node. The sign state on disk is never ahead of the WAL on disk. */
export interface DurableLog {
  /** Opens the WAL. Resolves with the open WAL, and with the recorded messages that a replay needs. */
  readonly open: () => ReturnType<ConsensusModules['wal']['open']>
  /** Returns the open WAL. Throws if `open` has not resolved. */
  readonly wal: () => Wal
  /** Resolves when everything appended and signed so far is on disk. */
  readonly makeDurable: () => Promise<void>
  /**
   * Restores the sign state from a message of the WAL, because a crash may have lost the sign state for this message.
   * Returns true if the sign state did not include the message.
   */
  readonly restoreSignState: (message: ConsensusMessage) => boolean
  /** Returns the number of messages that were appended to the WAL and are not written yet. */
  readonly buffered: () => number
  readonly close: () => Promise<void>
}

const UNWRITABLE = 'the WAL cannot be written'

/** The WAL may begin a sync by itself. If such a sync fails, `onFailure` is called with a `ConsensusError`. */
export function createDurableLog(
  modules: Pick<ConsensusModules, 'wal' | 'privval' | 'state'>,
  onFailure: (error: ConsensusError) => void,
): DurableLog {
  let wal: Wal | undefined

  function log(): Wal {
    if (wal === undefined) throw new ConsensusError(CONSENSUS_ERRORS.internal, 'the WAL is not open')
    return wal
  }

  return {
    open: async () => {
      const opened = await modules.wal.open((cause) =>
        onFailure(new ConsensusError(CONSENSUS_ERRORS.wal, `${UNWRITABLE}: ${messageOf(cause)}`, { cause })),
      )
      wal = opened.wal
      return opened
    },
    wal: log,
    // The signer saves its state only after `synced` has resolved.
    makeDurable: async () => {
      const synced = failingAs(CONSENSUS_ERRORS.wal, UNWRITABLE, () => log().sync())
      const saved = (): Promise<void> | undefined => modules.privval?.makeDurable?.(synced)
      const signed = failingAs(CONSENSUS_ERRORS.signer, 'the signer failed', saved)
      await Promise.all([synced, signed])
    },
    // Adds a message from the WAL to the sign state, because a crash may have removed the message from the sign state.
    // Without this message, the signer would sign another message for the same height, round and step.
    restoreSignState: (message) =>
      message.kind !== 'blockPart' && modules.privval?.recall?.(modules.state.chainId, message) === true,
    buffered: () => wal?.buffered() ?? 0,
    close: async () => wal?.close(),
  }
}
