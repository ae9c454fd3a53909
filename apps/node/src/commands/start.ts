import { createHash } from 'node:crypto'
import { refuseUnsupported, unsupportedFeatures } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { readText } from '../home/files.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { withReferenceRules } from '../node/application.ts'
import { lockNode } from '../node/lock-node.ts'
import { serve } from '../node/serve.ts'

export interface StartOptions {
  /** Whether the node keeps answering requests after a consensus failure. By default, the failure ends the node. */
  readonly stayUp?: boolean
  /** SHA-256 of the genesis file in hex; a file with another hash is refused. */
  readonly genesisHash?: string
  readonly genesis_hash?: string
  /** Whether to run the chain of the genesis in memory, as a devnet that the RPC controls. */
  readonly devnet?: boolean
  readonly devnetKeys?: string
  readonly remoteControl?: boolean
  readonly appRestart?: string
  readonly dump?: string
  readonly open?: boolean
}

function checkGenesisHash({ paths }: OpenedHome, wanted: string): void {
  if (!/^([\da-f]{2})+$/i.test(wanted)) {
    throw new CliError(
      CLI_ERRORS.usage,
      `invalid argument ${JSON.stringify(wanted)} for "--genesis_hash" flag: a hash in hex is expected`,
    )
  }
  const actual = createHash('sha256').update(readText(paths.genesis)).digest('hex').toUpperCase()
  if (actual === wanted.toUpperCase()) return
  throw new CliError(
    CLI_ERRORS.genesisHash,
    `--genesis_hash=${wanted.toUpperCase()} does not match ${paths.genesis} hash: ${actual}`,
    { data: { wanted, actual } },
  )
}

/**
 * Warns about the built-in kvstore in a network that may have Go nodes. The kvstore of a Go node has other rules, and
 * different results would halt the chain.
 */
function warnOfRules({ config: { base, p2p }, logger }: OpenedHome): void {
  const other = withReferenceRules(base.proxyApp)
  if ((p2p.persistentPeers === '' && p2p.seeds === '') || other === undefined) return
  const message =
    "This kvstore has other rules for transactions than the Go node's; in a network with Go nodes, set proxy_app to the value of the field 'other'"
  logger.warn(message, { proxyApp: base.proxyApp, other })
}

/** Runs the node of a home until a signal stops it. */
export async function start(context: CommandContext, options: StartOptions): Promise<number> {
  const wanted = options.genesisHash ?? options.genesis_hash
  if (options.devnet === true) {
    if (wanted !== undefined && wanted !== '') checkGenesisHash(openHome(context), wanted)
    const { startDevnet } = await import('./start-devnet.ts')
    return startDevnet(context, options)
  }
  for (const name of ['devnetKeys', 'remoteControl', 'appRestart', 'dump', 'open'] as const) {
    if (options[name] !== undefined)
      throw new CliError(
        CLI_ERRORS.usage,
        '--devnet-keys, --remote-control, --app-restart, --dump and --open need --devnet',
      )
  }
  const home = openHome(context, { create: true })
  if (wanted !== undefined && wanted !== '') checkGenesisHash(home, wanted)
  refuseUnsupported(home.config)
  for (const feature of unsupportedFeatures(home.config))
    home.logger.warn('A setting is ignored, because it is not built in this version', { feature })
  warnOfRules(home)
  const locking = lockNode(home)
  const { createNode } = await import('../node/create-node.ts')
  const node = createNode(home, { ...context, locking, stayUp: options.stayUp === true })
  try {
    return await serve(node, { ...context, logger: home.logger })
  } finally {
    home.flush()
  }
}
