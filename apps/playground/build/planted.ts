/** A bug that is planted in a bundle of the nodes. The sources do not change. */
export interface PagePlant {
  readonly name: string
  /** The end of the path of the file. */
  readonly file: string
  /** Must occur exactly once. */
  readonly find: string
  readonly replace: string
}

/** The bugs that a scenario can have. `tooling/sim` plants the same bugs in Node. */
export const PLANTED: readonly PagePlant[] = [
  {
    name: 'power-half',
    file: 'engine/src/consensus/machine/votes/vote-set.ts',
    find: 'const quorum = (this.#total * 2n) / 3n + 1n',
    replace: 'const quorum = this.#total / 2n + 1n',
  },
  {
    name: 'block-not-validated',
    file: 'engine/src/consensus/driver/perform-call.ts',
    find: 'value: await findFault(() => executor.validateBlock(chain, call.block))',
    replace: 'value: undefined',
  },
]
