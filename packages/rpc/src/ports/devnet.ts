/** The attacks on light clients of which evidence exists. */
export type LightClientAttack = 'lunatic' | 'equivocation' | 'amnesia'

/** A delay of the messages from one validator to another. */
export interface DevnetDelay {
  /** The address of the sender, in hex. */
  readonly from: string
  /** The address of the receiver, in hex. */
  readonly to: string
  /** Milliseconds in the time of the chain. */
  readonly ms: number
}

/** A validator whose key a devnet has. */
export interface DevnetValidator {
  /** In hex. */
  readonly address: string
  /** Its power in the next block; 0 for one that is removed. */
  readonly power: bigint
  readonly signs: boolean
  /** False after a crash. */
  readonly runs: boolean
  /** True while a partition separates it from the first validator. */
  readonly isApart: boolean
}

/** A snapshot to which a devnet can go back. */
export interface DevnetSnapshot {
  readonly id: string
  readonly height: number
}

/** A transaction that is kept out of blocks. */
export interface DevnetHeldTx {
  /** Its SHA-256. */
  readonly hash: Uint8Array
  readonly size: number
  /** Its first bytes, at most 64. */
  readonly head: Uint8Array
}

/** The present settings of a devnet. */
export interface DevnetInfo {
  readonly automine: boolean
  /** Real milliseconds between blocks that are made without a request; 0 if there are none. */
  readonly intervalMs: number
  /** The clock of the chain, in nanoseconds since 1970. */
  readonly time: bigint
  /** The first validator answers the calls. */
  readonly validators: readonly DevnetValidator[]
  readonly delays: readonly DevnetDelay[]
  /** The snapshots; the first snapshot is the beginning of the chain. */
  readonly snapshots: readonly DevnetSnapshot[]
  readonly heldTxs: readonly DevnetHeldTx[]
}

/**
 * Control of a chain for development: its blocks, its time and its validators. Each call rejects with a coded error that
 * says why the chain cannot do it.
 */
export interface DevnetControl {
  /** Returns the present settings. This changes nothing. */
  readonly info: () => DevnetInfo
  /** Makes blocks at once, `intervalMs` apart in the time of the chain. Resolves with the height of the last one. */
  readonly mine: (blocks: number, intervalMs?: number) => Promise<number>
  /** True: a transaction is put into a block at once. False: it waits for a block that is asked for. */
  readonly setAutomine: (isOn: boolean) => void
  /** Makes a block after each interval of real milliseconds; 0 makes no such blocks. */
  readonly setInterval: (ms: number) => void
  /** Moves the clock of the chain ahead. Returns its new reading, in nanoseconds since 1970. */
  readonly advanceTime: (ms: number) => bigint
  /** Sets the clock of the chain, in nanoseconds since 1970, to a time after that of the last block. */
  readonly setTime: (time: bigint) => bigint
  /**
   * Makes a validator sign, or stop signing. Returns a flag for each validator, by its address in hex: true if it
   * signs.
   */
  readonly setSigning: (address: string, signs: boolean) => Readonly<Record<string, boolean>>
  /** Makes blocks until one has the evidence that the validator signed two votes of one height. */
  readonly doubleSign: (address: string) => Promise<void>
  /**
   * Makes blocks until one has the evidence that the validator attacked a light client. As many other validators take
   * part as the attack needs.
   */
  readonly attackLightClient: (address: string, attack: LightClientAttack) => Promise<void>
  /**
   * Changes the power of a validator, and makes the blocks after which the change counts; 0 removes the validator until
   * it gets a power again. Resolves with the height.
   */
  readonly setPower: (address: string, power: bigint) => Promise<number>
  /** Removes a transaction that waits for a block, by its SHA-256. It can be sent again. */
  readonly dropTx: (hash: Uint8Array) => Promise<void>
  /**
   * True: a transaction that waits for a block gets into none. False: it waits again, if the application still accepts
   * it.
   */
  readonly holdTx: (hash: Uint8Array, isHeld: boolean) => Promise<void>
  /** Saves the chain, with its application. Returns the id of the snapshot. */
  readonly snapshot: () => Promise<string>
  /** Goes back to a snapshot, which can be used again. Resolves with its height. */
  readonly revert: (id: string) => Promise<number>
  /** Goes back to the beginning of the chain. */
  readonly reset: () => Promise<number>
  /** Ends a validator at once, like a process that crashes. The first validator answers these calls, and cannot be ended. */
  readonly crash: (address: string) => void
  /** Starts a validator that was ended. Resolves when it runs. */
  readonly restart: (address: string) => Promise<void>
  /** Cuts the connections between these validators and the others. */
  readonly partition: (addresses: readonly string[]) => void
  /** Ends all partitions. */
  readonly heal: () => void
  /**
   * Delays each later message of these validators by milliseconds in the time of the chain; 0 ends the delay. Without
   * `from`, the messages of all validators are delayed; without `to`, the messages to all validators. Returns all
   * delays.
   */
  readonly delay: (
    ms: number,
    way?: { readonly from?: string | undefined; readonly to?: string | undefined },
  ) => readonly DevnetDelay[]
  /** Returns the whole chain with its keys, as bytes that `load` reads. */
  readonly dump: () => Promise<Uint8Array>
  /**
   * Continues the chain of a dump in place of this one. Resolves with its height. If this fails, the present chain
   * continues.
   */
  readonly load: (dump: Uint8Array) => Promise<number>
  /**
   * Continues a copy of the chain of a stopped home in place of this one: the strongest validators of that chain get keys
   * of this process, as many as this devnet has validators unless a number is given. Resolves with the height. The home
   * is only read. If this fails, the present chain continues.
   */
  readonly fork: (home: string, validators?: number) => Promise<number>
}
