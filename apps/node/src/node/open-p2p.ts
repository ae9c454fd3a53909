import { type OpenedP2p, openP2p, type P2pEngine, type P2pOptions } from '@org/engine'
import { type NodeInfo, nodeInfoFault, TRANSPORT_ERRORS, tcpStreams } from '@org/p2p'
import { type Clock, isCodedError, type Logger, type Random } from '@org/runtime'
import type { PrivateKey } from '@org/types/crypto'
import type { Config } from '../config/index.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { type MemoryLimits, unfinishedShare } from '../memory/shares.ts'
import { p2pOptions, splitList } from '../p2p/p2p-options.ts'
import { addressInUse } from './check-ports.ts'

export interface P2pParts {
  readonly engine: P2pEngine
  readonly nodeKey: PrivateKey
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Throws if the node has no peers, and none of its seeds can be resolved: the node would wait forever. */
function refuseUnknownSeeds({ p2p }: Config, { pex, switch: { persistentPeers } }: P2pOptions, known: number): void {
  if (pex === undefined || pex.seeds.length > 0 || persistentPeers.length > 0 || known > 0) return
  if (splitList(p2p.seeds).length === 0) return
  throw new CliError(
    CLI_ERRORS.noSeeds,
    `address book is empty and couldn't resolve any seed nodes (p2p.seeds = ${JSON.stringify(p2p.seeds)})`,
    { data: { seeds: p2p.seeds } },
  )
}

/**
 * Throws if peers would refuse this node because of the data that it sends about itself, such as its moniker. Without
 * this check, only the logs of the peers would show why they refuse the node.
 */
function refuseFaultyIntroduction(info: NodeInfo): void {
  // A node without a listening address is not checked, because `nodeInfoFault` reports an empty address as a fault.
  const fault = info.listenAddr === '' ? undefined : nodeInfoFault(info)
  if (fault === undefined) return
  throw new CliError(
    CLI_ERRORS.usage,
    `peers will refuse this node because of its configuration; change moniker, p2p.external_address, p2p.laddr or rpc.laddr: ${fault}`,
  )
}

/**
 * Opens the P2P layer of a node over TCP, but does not start it. Rejects with a `CliError` or an `AddressBookError` for
 * invalid data in the home.
 */
export async function openTcpP2p(
  config: Config,
  limits: MemoryLimits,
  { nodeKey, ...parts }: P2pParts,
): Promise<OpenedP2p> {
  const usual = await p2pOptions(config, { nodeKey, logger: parts.logger.child('p2p') })
  const options = {
    ...usual,
    switch: { ...usual.switch, maxUnfinishedBytes: unfinishedShare(limits, usual.switch.maxUnfinishedBytes) },
  }
  const p2p = await openP2p(options, { ...parts, streams: tcpStreams })
  refuseUnknownSeeds(config, options, p2p.book.size())
  refuseFaultyIntroduction(p2p.nodeInfo())
  return {
    ...p2p,
    start: () => p2p.start().catch((error: unknown) => Promise.reject(explained(error, config))),
  }
}

/** Adds advice to the error if another program uses the address for peers. Returns all other errors unchanged. */
function explained(error: unknown, { p2p }: Config): unknown {
  if (!isCodedError(error, TRANSPORT_ERRORS.listen)) return error
  if ((error.cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE') return error
  return addressInUse(p2p.laddr, 'p2p.laddr', error)
}
