/** The work of a node before it has a chain to serve: for example, it restores a snapshot. */
export interface Preparation {
  /** One line for an operator: what the node does now, and how far it is. */
  readonly progress: () => string
}
