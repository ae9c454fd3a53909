/** The versions on the wire and in files: the reference's. */
export const VERSIONS = { software: '0.38.25', abci: '2.0.0', block: 11, p2p: 8 } as const

/** Our own, shown by `version` on a terminal and in the first line of the log. */
export const HALLEY_VERSION = '0.1.0'
