import type { CommandContext, OpenedHome } from '../cli/context.ts'
import type { Node } from '../node/create-node.ts'
import { withApplicationWarnings } from './application-warnings.ts'

/** The options of devnet that mean the same for one validator and for several. */
export interface DevnetChoices {
  readonly ephemeral: boolean
  /** Write blocks and transactions as they come. */
  readonly log: boolean
  /** Begin another chain in this home. */
  readonly reset: boolean
  /** JSON for the application of a new chain. */
  readonly appState: string | undefined
}

/** The home with a logger that shows when the application is not there, also where the level is the preset's `error`. */
export function withWarnings(home: OpenedHome, { out }: CommandContext): OpenedHome {
  if (home.config.base.logLevel !== 'error') return home
  return { ...home, logger: withApplicationWarnings(home.logger, out) }
}

export async function writeBlocksOf(node: Node, { out }: CommandContext): Promise<void> {
  const events = node.events()
  const { writeBlocks } = await import('./devnet-log.ts')
  if (events !== undefined) writeBlocks(events, out)
}
