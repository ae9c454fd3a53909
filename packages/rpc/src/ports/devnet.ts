import type { PublicKey } from '@org/types/crypto'

/** The kinds of attacks on light clients for which evidence can be made. */
export type LightClientAttack = 'lunatic' | 'equivocation' | 'amnesia'

/** A delay of the messages from one validator to another. */
export interface DevnetDelay {
  /** The address of the sender, in hex. */
  readonly from: string
  /** The address of the receiver, in hex. */
  readonly to: string
  /** The delay in milliseconds, measured on the clock of the chain. */
  readonly ms: number
}

/** A validator whose key a devnet has. */
export interface DevnetValidator {
  /** The address of the validator, in hex. */
  readonly address: string
  /** The power of the validator in the next block; 0 for a removed validator. */
  readonly power: bigint
  readonly signs: boolean
  /** True if the validator runs: false after a crash. */
  readonly runs: boolean
  /** True while a partition separates the validator from the first validator. */
  readonly isApart: boolean
}

/** A validator that was added to a devnet. */
export interface AddedValidator {
  /** The address of the validator, in hex. */
  readonly address: string
  readonly pubKey: PublicKey
  /** The height from which the power of the validator counts. */
  readonly height: number
}

/** A snapshot to which a devnet can go back. */
export interface DevnetSnapshot {
  readonly id: string
  readonly height: number
}

/** A transaction that is kept out of blocks. */
export interface DevnetHeldTx {
  /** The SHA-256 of the transaction. */
  readonly hash: Uint8Array
  readonly size: number
  /** The first bytes of the transaction, at most 64. */
  readonly head: Uint8Array
}

/** The present settings of a devnet. */
export interface DevnetInfo {
  readonly automine: boolean
  /** The interval at which the devnet makes blocks without a request, in real milliseconds; 0 if it makes none. */
  readonly intervalMs: number
  /** The clock of the chain, in nanoseconds since 1970. */
  readonly time: bigint
  /** The validators. The node of the first validator answers the calls of the RPC. */
  readonly validators: readonly DevnetValidator[]
  readonly delays: readonly DevnetDelay[]
  /** The snapshots; the first snapshot is the beginning of the chain. */
  readonly snapshots: readonly DevnetSnapshot[]
  readonly heldTxs: readonly DevnetHeldTx[]
}

/**
 * Control of a chain for development: its blocks, its time and its validators. If the chain cannot do what a call
 * requests, the call rejects with a coded error that says why.
 */
export interface DevnetControl {
  /** Returns the present settings. This call changes nothing. */
  readonly info: () => DevnetInfo
  /**
   * Makes blocks immediately, `intervalMs` apart in the time of the chain. Resolves with the height of the last of
   * these blocks.
   */
  readonly mine: (blocks: number, intervalMs?: number) => Promise<number>
  /** True: a transaction is put into a block at once. False: a transaction waits until a block is requested. */
  readonly setAutomine: (isOn: boolean) => void
  /** Makes a block every `ms` milliseconds of real time. With 0, the devnet stops making these blocks. */
  readonly setInterval: (ms: number) => void
  /** Moves the clock of the chain ahead. Returns the new time, in nanoseconds since 1970. */
  readonly advanceTime: (ms: number) => bigint
  /** Sets the clock of the chain, in nanoseconds since 1970, to a time after that of the last block. */
  readonly setTime: (time: bigint) => bigint
  /**
   * Makes a validator sign, or stop signing. Returns a flag for each validator, by its address in hex: true if it
   * signs.
   */
  readonly setSigning: (address: string, signs: boolean) => Readonly<Record<string, boolean>>
  /** Makes blocks until a block has the evidence that the validator signed two votes of one height. */
  readonly doubleSign: (address: string) => Promise<void>
  /**
   * Makes blocks until a block has the evidence that the validator attacked a light client. Other validators take part
   * in the attack, but only as many as the attack needs.
   */
  readonly attackLightClient: (address: string, attack: LightClientAttack) => Promise<void>
  /**
   * Changes the power of a validator, and makes the blocks after which the new power counts. With the power 0, the
   * validator is removed until it gets a power again. Resolves with the height from which the power counts.
   */
  readonly setPower: (address: string, power: bigint) => Promise<number>
  /**
   * Adds a validator with a new key: starts the validator's node in this process, gives the validator this power, and
   * makes the blocks after which the power counts. With the power 0, the node only follows the chain until the
   * validator gets a power, from `setPower` or from the application.
   */
  readonly addValidator: (power: bigint) => Promise<AddedValidator>
  /**
   * Removes a transaction, found by its SHA-256, from those that wait for a block. The transaction can be sent again.
   */
  readonly dropTx: (hash: Uint8Array) => Promise<void>
  /**
   * True: a transaction that waits for a block is kept out of all blocks. False: the transaction waits for a block
   * again, if the application still accepts it.
   */
  readonly holdTx: (hash: Uint8Array, isHeld: boolean) => Promise<void>
  /** Saves the chain, with its application. Returns the id of the snapshot. */
  readonly snapshot: () => Promise<string>
  /** Goes back to a snapshot. The same snapshot can be used again. Resolves with the height of the snapshot. */
  readonly revert: (id: string) => Promise<number>
  /** Goes back to the beginning of the chain. */
  readonly reset: () => Promise<number>
  /**
   * Ends a validator at once, like a process that crashes. The first validator cannot be ended, because its node
   * answers the calls of the RPC.
   */
  readonly crash: (address: string) => void
  /** Starts a validator that was ended. Resolves when it runs. */
  readonly restart: (address: string) => Promise<void>
  /** Cuts the connections between these validators and all other validators. */
  readonly partition: (addresses: readonly string[]) => void
  /** Ends all partitions. */
  readonly heal: () => void
  /**
   * Delays each later message from the validator `from` to the validator `to` by `ms` milliseconds on the clock of the
   * chain; 0 ends the delay. Without `from`, the messages of all validators are delayed; without `to`, the messages to
   * all validators. Returns all delays that are now set.
   */
  readonly delay: (
    ms: number,
    way?: { readonly from?: string | undefined; readonly to?: string | undefined },
  ) => readonly DevnetDelay[]
  /** Returns the whole chain with its keys, as bytes that `load` reads. */
  readonly dump: () => Promise<Uint8Array>
  /**
   * Replaces the present chain by the chain in `dump`. Resolves with the height of the loaded chain. If the dump cannot
   * be loaded, the present chain continues.
   */
  readonly load: (dump: Uint8Array) => Promise<number>
  /**
   * Copies the chain from the home of a stopped node, and continues the copy in place of the present chain. In the
   * copied chain, the validators with the most power get keys of this process. `validators` is the number of replaced
   * keys; by default, it is the number of validators of this devnet. Resolves with the height of the copy. The home is
   * only read. If the copy fails, the present chain continues.
   */
  readonly fork: (home: string, validators?: number) => Promise<number>
}
