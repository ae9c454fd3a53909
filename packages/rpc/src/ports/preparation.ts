/** The work of a node before it has a chain to serve: for example, it restores a snapshot. */
export interface Preparation {
  /** Returns one line for an operator: the present step of the preparation, and the progress of this step. */
  readonly progress: () => string
}
