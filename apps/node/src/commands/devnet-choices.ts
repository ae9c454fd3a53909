import type { CommandContext } from '../context.ts'
import type { OpenedHome } from '../home/open-home.ts'
import type { Node } from '../node/create-node.ts'
import { withApplicationWarnings } from './application-warnings.ts'

/** The options of devnet that have the same meaning with one validator and with several. */
export interface DevnetChoices {
  readonly ephemeral: boolean
  /** Whether to print blocks and transactions as they are committed. */
  readonly log: boolean
  /** Whether to remove the chain in this home, and to begin a new chain. */
  readonly reset: boolean
  /** The first state of the application of a new chain, as JSON. */
  readonly appState: string | undefined
}

/**
 * If the log level is `error`, returns the home with another logger, which prints errors and also the warnings about
 * the application. For all other log levels, returns the home unchanged.
 */
export function withWarnings(home: OpenedHome, { out }: CommandContext): OpenedHome {
  if (home.config.base.logLevel !== 'error') return home
  return { ...home, logger: withApplicationWarnings(home.logger, out) }
}

export async function writeBlocksOf(node: Node, { out }: CommandContext): Promise<void> {
  const events = node.events()
  const { writeBlocks } = await import('./devnet-log.ts')
  if (events !== undefined) writeBlocks(events, out)
}
