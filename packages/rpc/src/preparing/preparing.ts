import type { Route } from '../call/route.ts'
import { RPC_ERRORS, RpcError } from '../errors.ts'
import { routesOf } from '../operations/table.ts'
import type { RpcOptions } from '../options.ts'
import {
  type GenesisReader,
  NO_DATA,
  type Peers,
  type Ports,
  type Preparation,
  type ValidatorIdentity,
} from '../ports/index.ts'

/**
 * The parts that a node has before it has a chain to serve: its genesis, its peers, its validator key and its progress.
 * It has no blocks and no state yet.
 */
export interface Preparing extends Preparation {
  readonly genesis: GenesisReader
  readonly peers: Peers
  readonly validator: ValidatorIdentity
}

const noConsensus = (): null => null

/** Returns the ports of a node that has no block yet. `status` then reports that the node is catching up. */
export function preparingPorts({ progress, genesis, peers, validator }: Preparing): Ports {
  return {
    ...NO_DATA,
    ...{ genesis, peers, validator },
    consensus: {
      roundState: noConsensus,
      roundStateSimple: noConsensus,
      peerStates: () => [],
      waitSync: () => true,
    },
    preparation: { progress },
  }
}

/** The operations about the node itself, and those by which an operator adds peers. */
const ANSWERED: ReadonlySet<string> = new Set([
  'health',
  'status',
  'net_info',
  'genesis',
  'genesis_chunked',
  'dial_seeds',
  'dial_peers',
])

function notReady({ progress }: Preparing): RpcError {
  const message = `${RPC_ERRORS.notReady}: this node has no chain to serve yet (${progress()}): try again when /readyz answers 200, or ask another node`
  return new RpcError(RPC_ERRORS.notReady, message)
}

/**
 * Returns the operation with a handler that always throws `RPC_NOT_READY`. The parameters and the description of the
 * operation stay.
 */
function postponed(route: Route, preparing: Preparing): Route {
  const { needs: _needs, cache: _cache, immutableKey: _key, slices: _slices, pieces: _pieces, ...rest } = route
  return {
    ...rest,
    handler: () => {
      throw notReady(preparing)
    },
  }
}

/**
 * Returns a function that makes all operations of a node. The operations in {@link ANSWERED} are answered. All others
 * end with `RPC_NOT_READY`.
 */
export function preparingRoutes(
  preparing: Preparing,
): (options: Pick<RpcOptions, 'unsafe'>) => ReadonlyMap<string, Route> {
  return ({ unsafe }) => {
    const routes = routesOf({ devnet: false }).filter((route) => route.unsafe !== true || unsafe)
    return new Map(routes.map((route) => [route.name, ANSWERED.has(route.name) ? route : postponed(route, preparing)]))
  }
}
