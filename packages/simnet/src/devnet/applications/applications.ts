import type { Application } from '@org/abci'
import type { Op } from '@org/engine/storage'
import type { RememberedState } from './remembered-state.ts'

/**
 * The moment of a chain at which the validators will start. Before they start, each application must have a state from
 * which it can execute the later blocks of the chain.
 */
export interface ChainTarget {
  /** The height of the last block. */
  readonly height: number
  /** Returns true if an application with the state after this height can execute the later blocks of the chain. */
  readonly canContinueFrom: (height: number) => boolean
  /**
   * The number of validators at the moment at which the validators will start. The applications of these validators
   * must be able to execute the later blocks. Any further application has no validator at this moment, so its state
   * does not matter.
   */
  readonly validators: number
  /**
   * The snapshots that {@link Applications.remember} returned when the devnet saved this moment of the chain. The list
   * is empty if there are no snapshots.
   */
  readonly remembered: readonly RememberedState[]
}

/** The applications of a devnet's validators. */
export interface Applications {
  /** True if the applications run in other processes. Such an application keeps its state when the chain goes back. */
  readonly isRemote: boolean
  /**
   * Returns the application of the validator with this number. If the applications run in other processes, this is the
   * application that already runs. Otherwise it is a new one, and `state` is the database with which the new one
   * begins.
   */
  readonly make: (validator: number, state?: readonly Op[]) => Application | Promise<Application>
  /**
   * Reads the newest snapshot of the application of each validator. With these snapshots the applications can later
   * return to the present moment of the chain.
   */
  readonly remember: (
    validators: number,
    appHashOf: (height: number) => Uint8Array | undefined,
  ) => Promise<readonly RememberedState[]>
  /**
   * Checks that a further validator has an application which can execute the blocks of the chain. `canBeginFrom`
   * returns true if this is possible from the state after a height. Rejects with `DEVNET_TOO_FEW_APPS` or
   * `DEVNET_APP_CANNOT_JOIN`.
   */
  readonly join: (validator: number, canBeginFrom: (height: number) => boolean) => Promise<void>
  /**
   * Finds out how each application can reach a state from which it can execute the further blocks of the chain. The
   * returned function brings the applications to these states. Rejects with `DEVNET_APP_CANNOT_GO_BACK` if one of the
   * applications cannot reach such a state; then nothing is changed.
   */
  readonly wayTo: (target: ChainTarget) => Promise<() => Promise<void>>
  /**
   * Calls `listener` each time an application answers again after its connection was lost. The calls end when `signal`
   * aborts.
   */
  readonly onReturn: (listener: () => void, signal: AbortSignal) => void
  readonly close: () => Promise<void>
}

/** Applications of this process: each start of a validator makes a new one, which executes all blocks. */
export function localApplications(app: (state?: readonly Op[]) => Application | Promise<Application>): Applications {
  return {
    isRemote: false,
    make: (_, state) => app(state),
    remember: async () => [],
    join: async () => undefined,
    wayTo: async () => async () => undefined,
    onReturn: () => undefined,
    close: async () => undefined,
  }
}
