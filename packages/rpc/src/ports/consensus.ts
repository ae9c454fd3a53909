import type { Evidence } from '@org/types'
import type { PublicKey } from '@org/types/crypto'
import type { Json } from '@org/types/schema'

/**
 * The consensus state of a peer, as this node has received it: one entry of `peers` in `dump_consensus_state`.
 * `peerState` has the reference's JSON form.
 */
export interface PeerConsensusState {
  /** `id@host:port`. */
  readonly nodeAddress: string
  readonly peerState: Json
}

/** The present state of consensus, in the reference's JSON forms. */
export interface ConsensusView {
  /** The whole round state, as `dump_consensus_state` shows it under `round_state`. */
  readonly roundState: () => Json
  /** The short form of `consensus_state`. */
  readonly roundStateSimple: () => Json
  readonly peerStates: () => readonly PeerConsensusState[]
  /**
   * Returns the code of the error that stopped consensus, or `undefined` while consensus runs. The method is missing if
   * this process has no information about failures of consensus.
   */
  readonly failure?: () => string | undefined
  /**
   * Calls the listener with the error's code when consensus stops, or at once if consensus has stopped already. After
   * the signal aborts, the listener is not called.
   */
  readonly onFailure?: (listener: (code: string) => void, signal: AbortSignal) => void
  /** True while block sync or state sync runs. The answer of `status` has it as `catching_up`. */
  readonly waitSync: () => boolean
  /** One line for an operator about the progress of fetching blocks; `undefined` if the node fetches no blocks. */
  readonly syncProgress?: () => string | undefined
}

/** The validator key of this node. */
export interface ValidatorIdentity {
  readonly publicKey: PublicKey
  readonly address: Uint8Array
}

/** The port that receives the evidence of `broadcast_evidence`. */
export interface EvidenceSubmission {
  /**
   * Adds evidence whose form is valid. Rejects with a CodedError; the client sees its message after `failed to add
   * evidence: `.
   */
  readonly addEvidence: (evidence: Evidence) => Promise<void>
}
