import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import { loadKeyFile } from '@org/engine/privval'
import type { Random } from '@org/runtime'
import { bytesToHex } from '@org/types/bytes'
import { publicKeyOf } from '@org/types/crypto'
import { type Config, configFileOf, configToToml, type HomePaths, pathsOf, resolveConfig } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { ensureFolder, PUBLIC_MODE, readText, writeWhole } from '../home/files.ts'
import { newGenesis, randomName, writeGenesis } from '../home/genesis-file.ts'
import { initHome } from '../home/init-home.ts'
import { nodeIdOf, readNodeKey } from '../home/node-key.ts'
import { createLogging } from '../logging/index.ts'

const FOLDER_MODE = 0o755
/**
 * The maximum number of nodes: the same as the maximum number of validators in a validator set. There is a limit,
 * because the command makes a folder with files for each node.
 */
const MAX_NODES = 10_000

export interface TestnetOptions {
  /** The number of validators. */
  readonly v: string
  /** The number of nodes that are not validators. */
  readonly n: string
  /** The folder of the homes. */
  readonly o: string
  readonly config?: string
  readonly nodeDirPrefix: string
  readonly initialHeight: string
  readonly populatePersistentPeers: boolean
  readonly hostnamePrefix: string
  readonly hostnameSuffix: string
  readonly startingIpAddress: string
  readonly hostname: readonly string[]
  readonly p2pPort: string
  readonly randomMonikers?: boolean
  /** Whether the nodes that are not validators join by state sync, which begins with a snapshot. */
  readonly statesync?: boolean
}

/** The greatest port number. */
const MAX_PORT = 65_535

function count(name: string, text: string, max: number = Number.MAX_SAFE_INTEGER): number {
  if (/^\d+$/.test(text) && Number(text) <= max) return Number(text)
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--${name}" flag: a whole number from 0 to ${max} is expected`,
  )
}

function hostOf(options: TestnetOptions, index: number): string {
  const named = options.hostname[index]
  if (named !== undefined) return named
  if (options.startingIpAddress === '') return `${options.hostnamePrefix}${index}${options.hostnameSuffix}`
  if (!isIPv4(options.startingIpAddress)) {
    throw new CliError(CLI_ERRORS.usage, `${options.startingIpAddress}: non ipv4 address`)
  }
  const parts = options.startingIpAddress.split('.').map(Number)
  return [...parts.slice(0, 3), ((parts[3] ?? 0) + index) % 256].join('.')
}

function monikerOf(options: TestnetOptions, index: number, random: Random): string {
  const named = options.hostname[index]
  if (options.randomMonikers !== true) {
    if (named !== undefined) return named
    if (options.startingIpAddress === '') return hostOf(options, index)
  }
  return bytesToHex(random.bytes(8))
}

function templateConfig(context: CommandContext, options: TestnetOptions): Config {
  const { home } = context
  if (options.config === undefined || options.config === '') return resolveConfig({ home }).config
  return resolveConfig({ home, file: { path: options.config, text: readText(options.config) } }).config
}

/** The port of an RPC address such as `tcp://127.0.0.1:26657`. */
function rpcPortOf({ rpc }: Config): string {
  const port = /:(\d+)$/.exec(rpc.laddr.split(',')[0] ?? '')?.[1]
  if (port !== undefined) return port
  throw new CliError(
    CLI_ERRORS.usage,
    `--statesync needs the RPC of the nodes, but rpc.laddr in the config file is ${JSON.stringify(rpc.laddr)}. Set it to tcp://0.0.0.0:26657`,
  )
}

/**
 * Returns the settings of a network whose full nodes join by state sync. The validators serve their RPC to other
 * machines, and the full nodes call it. The header to trust is still missing, because the chain has not begun.
 */
function stateSyncParts(
  config: Config,
  options: TestnetOptions,
  { index, validators }: { readonly index: number; readonly validators: number },
): Partial<Config> {
  const port = rpcPortOf(config)
  if (index < validators) return { rpc: { ...config.rpc, laddr: `tcp://0.0.0.0:${port}` } }
  const rpcServers = Array.from({ length: validators }, (_, at) => `http://${hostOf(options, at)}:${port}`)
  return { statesync: { ...config.statesync, enable: true, rpcServers } }
}

/** Returns a text with the user's next steps, for a network whose full nodes join by state sync. */
function stateSyncAdvice(homes: readonly Config[], validators: number): string {
  const joining = homes.slice(validators).map(({ home }) => home)
  return `
These nodes begin with a snapshot: ${joining.join(', ')}.
Start the validators first. When the chain runs, write a header to trust into each of these homes, and start the node:

${joining.map((home) => `  halley snapshot trust-root --write --home ${home}`).join('\n')}
`
}

/**
 * Makes one home for each node. All homes have the same genesis. By default, each home names all nodes as persistent
 * peers.
 */
async function makeHomes(context: CommandContext, options: TestnetOptions, homes: readonly Config[]): Promise<void> {
  const validators = count('v', options.v)
  const template = homes[0]
  const { logger, flush } = createLogging(
    {
      format: template?.base.logFormat ?? 'plain',
      level: template?.base.logLevel ?? 'info',
      colored: context.interactive,
    },
    context,
  )
  const paths: HomePaths[] = homes.map(pathsOf)
  for (const home of paths) {
    ensureFolder(home.config, FOLDER_MODE)
    ensureFolder(home.data, FOLDER_MODE)
    await initHome(home, { logger, random: context.random, now: context.clock.now() })
  }
  const genesis = newGenesis({
    chainId: `chain-${randomName(context.random)}`,
    time: context.clock.now(),
    initialHeight: count('initial-height', options.initialHeight),
    validators: paths.slice(0, validators).map((home, index) => ({
      publicKey: publicKeyOf(loadKeyFile(home.privValidatorKey)),
      power: 1n,
      name: `${options.nodeDirPrefix}${index}`,
    })),
  })
  const peers = paths.map(
    (home, index) => `${nodeIdOf(readNodeKey(home.nodeKey))}@${hostOf(options, index)}:${options.p2pPort}`,
  )
  for (const [index, config] of homes.entries()) {
    writeGenesis(pathsOf(config).genesis, genesis)
    const p2p = { ...config.p2p, addrBookStrict: false, allowDuplicateIp: true }
    const written: Config = {
      ...config,
      ...(options.statesync === true ? stateSyncParts(config, options, { index, validators }) : {}),
      base: { ...config.base, moniker: monikerOf(options, index, context.random) },
      p2p: options.populatePersistentPeers ? { ...p2p, persistentPeers: peers.join(',') } : p2p,
    }
    writeWhole(configFileOf(config.home), configToToml(written), PUBLIC_MODE)
  }
  flush()
}

export async function testnet(context: CommandContext, options: TestnetOptions): Promise<number> {
  const total = count('v', options.v) + count('n', options.n)
  if (total > MAX_NODES) {
    throw new CliError(
      CLI_ERRORS.usage,
      `testnet makes at most ${MAX_NODES} nodes, not ${total} (--v and --n together)`,
    )
  }
  if (options.hostname.length > 0 && options.hostname.length !== total) {
    throw new CliError(
      CLI_ERRORS.usage,
      `testnet needs precisely ${total} hostnames (number of validators plus non-validators) if --hostname parameter is used`,
    )
  }
  // These flags are checked here, because no home may be made if one of them is wrong.
  count('initial-height', options.initialHeight)
  count('p2p-port', options.p2pPort, MAX_PORT)
  const validators = count('v', options.v)
  if (options.statesync === true && (validators < 2 || total === validators)) {
    throw new CliError(
      CLI_ERRORS.usage,
      `testnet --statesync needs at least two validators, which prove the snapshot, and at least one other node, which joins. For example, write --v 3 --n 1 (--v is ${validators}, --n is ${total - validators})`,
    )
  }
  const template = templateConfig(context, options)
  const homes = Array.from({ length: total }, (_, index) => ({
    ...template,
    home: join(options.o, `${options.nodeDirPrefix}${index}`),
  }))
  await makeHomes(context, options, homes)
  context.out(`Successfully initialized ${total} node directories\n`)
  if (options.statesync === true) context.out(stateSyncAdvice(homes, validators))
  return 0
}
