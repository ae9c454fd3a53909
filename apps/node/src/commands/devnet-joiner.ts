import { createHttpTransport, createRpcClient } from '@org/rpc/client'
import { createLifecycle, createListeners } from '@org/runtime'
import { bytesToHex } from '@org/types/bytes'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { exists, PUBLIC_MODE, readText, writeWhole } from '../home/files.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { loadOrMakeValidator } from '../home/validator-files.ts'
import type { Node } from '../node/create-node.ts'
import { lockNode } from '../node/lock-node.ts'
import type { Runnable } from '../node/serve.ts'
import { progressText } from '../statesync/progress-text.ts'

/**
 * The node starts to join when the chain has reached this height. A snapshot has at least height 1. To restore it, a
 * node needs the headers of the next two heights, which are 2 and 3 for the lowest snapshot. So no node can join before
 * height 3.
 */
const FIRST_HEIGHT = 3
const POLL_MS = 100
/**
 * The time for which the node looks for snapshots, in nanoseconds. It is the shortest that the configuration allows,
 * because all peers are in this process.
 */
const DISCOVERY_TIME = 5_000_000_000n

export interface DevnetJoiner {
  /** Starts the node; to be called when the validators run. Rejects if the node cannot join. */
  readonly start: (signal: AbortSignal) => Promise<void>
  readonly stop: () => Promise<void>
  readonly onEnd: Runnable['onEnd']
}

/**
 * Returns the height and the hash of the first block of the chain. The joining node trusts this block, and verifies all
 * other blocks from it.
 */
async function trustRoot(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly height: number; readonly hash: string }> {
  const client = createRpcClient(createHttpTransport(url))
  const { syncInfo } = await client.status({}, { signal })
  const height = syncInfo.earliestBlockHeight
  const { blockId } = await client.block({ height }, { signal })
  return { height, hash: bytesToHex(blockId.hash) }
}

/**
 * Adds the settings for state sync and the addresses of the peers to the home's configuration. Both come from the
 * running nodes.
 */
async function joiningHome(home: OpenedHome, nodes: readonly Node[], signal: AbortSignal): Promise<OpenedHome> {
  const rpcServers = nodes.flatMap((node) => node.rpcUrls().slice(0, 1))
  const [first] = rpcServers
  if (first === undefined || rpcServers.length < 2) {
    throw new CliError(
      CLI_ERRORS.usage,
      '--statesync needs the RPC of two validators, which prove the state: do not set rpc.laddr to ""',
    )
  }
  const { height, hash } = await trustRoot(first, signal)
  const peers = nodes.flatMap((node) => node.peerAddress() ?? [])
  const { config } = home
  return {
    ...home,
    config: {
      ...config,
      p2p: { ...config.p2p, persistentPeers: peers.map(({ id, ip, port }) => `${id}@${ip}:${port}`).join(',') },
      statesync: {
        ...config.statesync,
        ...{ enable: true, rpcServers, trustHeight: height, trustHash: hash, discoveryTime: DISCOVERY_TIME },
      },
    },
  }
}

export interface JoinerParts {
  /** The file of the network's genesis. */
  readonly genesis: string
  readonly validators: readonly Node[]
  readonly context: CommandContext
}

/**
 * Creates a node that joins by state sync: it begins with a snapshot of the validators' application, and is not a
 * validator.
 */
export function createDevnetJoiner(home: OpenedHome, { genesis, validators, context }: JoinerParts): DevnetJoiner {
  const { out, clock } = context
  const { moniker } = home.config.base
  const locking = lockNode(home)
  const endListeners = createListeners()
  let node: Node | undefined
  let shown = ''

  const show = (text: string): void => {
    if (text !== shown) out(`  ${moniker}   ${text}\n`)
    shown = text
  }

  async function start(signal: AbortSignal): Promise<void> {
    const [first] = validators
    while (first !== undefined && first.height() < FIRST_HEIGHT) await clock.sleep(POLL_MS, signal)
    if (!exists(home.paths.genesis)) writeWhole(home.paths.genesis, readText(genesis), PUBLIC_MODE)
    await loadOrMakeValidator(home.paths)
    const opened = await joiningHome(home, validators, signal)
    const { createNode } = await import('../node/create-node.ts')
    // After an abort, `stop` has already run, and would not stop a node that is created now. So no node is created.
    signal.throwIfAborted()
    node = createNode(opened, { ...context, locking, onStateSync: (progress) => show(progressText(progress)) })
    node.onEnd(() => endListeners.call(), life.signal)
    await node.start(signal)
    await node.connect(validators.flatMap((validator) => validator.peerAddress() ?? []))
    // The node has joined when `node.height()` is not 0: then it has stored the block after the snapshot.
    while (node.height() === 0) await clock.sleep(POLL_MS, signal)
    show(`has joined at height ${node.height()}: ${node.rpcUrls()[0] ?? ''}`)
  }

  const life = createLifecycle({
    name: 'the joining node',
    start,
    stop: () => node?.stop(),
    close: async () => {
      // A node that was created releases the lock of the home itself. Without a node, `close` must release the lock.
      if (node === undefined) (await locking)?.release()
    },
  })
  return { start: life.start, stop: life.stop, onEnd: endListeners.add }
}
