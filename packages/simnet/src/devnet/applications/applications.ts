import type { Application } from '@org/abci'
import type { Op } from '@org/engine/storage'
import type { RememberedState } from './remembered-state.ts'

/** The chain to which the applications must fit when the validators start again. */
export interface ChainTarget {
  /** The height of the last block. */
  readonly height: number
  /** Whether an application with the state after this height can execute the later blocks of the chain. */
  readonly canContinueFrom: (height: number) => boolean
  /** The result of {@link Applications.remember} at this moment of the chain. */
  readonly remembered: readonly RememberedState[]
}

/** The applications of a devnet's validators. */
export interface Applications {
  /** Whether they run in other processes. Such an application keeps its state when the chain goes back. */
  readonly isRemote: boolean
  /** Makes or finds the application of the validator with this number. `state`: the database that it begins with. */
  readonly make: (validator: number, state?: readonly Op[]) => Application | Promise<Application>
  /** Reads what is necessary to bring the applications back to the present moment. */
  readonly remember: (appHashOf: (height: number) => Uint8Array | undefined) => Promise<readonly RememberedState[]>
  /**
   * Finds out how each application can get to a state from which it can follow the chain. Rejects with
   * `DEVNET_APP_CANNOT_GO_BACK` if one of them cannot; nothing is changed then. The returned function brings the
   * applications to these states.
   */
  readonly wayTo: (target: ChainTarget) => Promise<() => Promise<void>>
  /** Calls `listener` each time an application was lost and runs again. */
  readonly onReturn: (listener: () => void) => void
  readonly close: () => Promise<void>
}

/** Applications of this process: each start of a validator makes a new one, which executes all blocks. */
export function localApplications(app: (state?: readonly Op[]) => Application | Promise<Application>): Applications {
  return {
    isRemote: false,
    make: (_, state) => app(state),
    remember: async () => [],
    wayTo: async () => async () => undefined,
    onReturn: () => undefined,
    close: async () => undefined,
  }
}
