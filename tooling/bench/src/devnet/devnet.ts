/** A running chain that makes a block on request, and a block for each transaction. */
export interface Devnet {
  /** Makes this number of empty blocks, and resolves when the chain has them. */
  readonly mine: (blocks: number) => Promise<void>
  readonly height: () => Promise<number>
  /**
   * Sends a transaction, and resolves when it is in a block and can be queried. The caller must use another `id` in
   * each call.
   */
  readonly commit: (id: number) => Promise<void>
}

/** A program that the benchmark of devnets measures. */
export interface DevnetSubject {
  readonly name: string
  /** Starts the program in an empty folder, calls `measure`, and stops the program. */
  readonly use: <T>(directory: string, measure: (devnet: Devnet) => Promise<T>) => Promise<T>
}
