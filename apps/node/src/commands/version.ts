import type { CommandContext } from '../context.ts'
import { HALLEY_VERSION, VERSIONS } from '../version.ts'

export interface VersionOptions {
  readonly verbose?: boolean
}

/**
 * Prints the version of CometBFT that Halley implements, for scripts. On a terminal, prints Halley's own version too.
 * With `verbose`, prints all versions as JSON.
 */
export function version(context: CommandContext, { verbose = false }: VersionOptions): number {
  const parts = {
    cometbft: VERSIONS.software,
    abci: VERSIONS.abci,
    block_protocol: VERSIONS.block,
    p2p_protocol: VERSIONS.p2p,
    halley: HALLEY_VERSION,
    runtime: process.version,
  }
  const short = context.interactive
    ? `halley ${HALLEY_VERSION}, speaks CometBFT ${VERSIONS.software}`
    : VERSIONS.software
  context.out(verbose ? `${JSON.stringify(parts, undefined, 2)}\n` : `${short}\n`)
  return 0
}
