import type { BlockMaking, CommittedChain } from '@org/engine'
import { createPorts } from '@org/node-rpc'
import { createRpc } from '@org/rpc'
import { createHttpTransport, createRpcClient, type RpcClient } from '@org/rpc/client'
import { messageOf } from '@org/runtime'
import type { SimNetwork } from '@org/simnet'
import { hashTx } from '@org/types'
import { bytesToHex, utf8ToBytes } from '@org/types/bytes'

type SimNode = SimNetwork['nodes'][number]
/** The parts of a node's engine with which the answers are compared. */
type NodeData = CommittedChain & Pick<BlockMaking, 'isWaitingForBlocks'>

const SEND_EVERY_MS = 60
const CHECK_INTERVAL_MS = 250
const NOWHERE = { p2p: { externalAddress: '' } }
/** A query that matches every transaction. */
const ALL = 'tx.height>0'

/** Clients of a simulated network that use the real RPC, without sockets. */
export interface RpcClients {
  /**
   * Begins to send transactions to the nodes, and to compare the answers of the nodes with their data. Must be called
   * before the network starts.
   */
  readonly start: () => void
  /** Checks at the end that a search finds each transaction exactly once, at its height and index. */
  readonly conclude: () => Promise<void>
}

/**
 * Makes functions that compare the answers of a node with its stores, and with the record of all commits. Each function
 * whose name ends with `Fault` returns a description of the difference, or `undefined` if there is none.
 */
function createRpcFaults(record: SimNetwork['monitor']['record']) {
  async function statusFault(client: RpcClient, engine: NodeData): Promise<string | undefined> {
    const { syncInfo } = await client.status()
    if (Number(syncInfo.latestBlockHeight) !== engine.blockStore.height())
      return `status reports height ${syncInfo.latestBlockHeight}, and the block store has height ${engine.blockStore.height()}`
    if (syncInfo.catchingUp !== engine.isWaitingForBlocks())
      return `status reports a wrong catching_up: ${syncInfo.catchingUp}`
    return undefined
  }

  async function blockFault(client: RpcClient, height: number): Promise<string | undefined> {
    const known = record.at(height)
    if (known === undefined) return undefined
    const [block, results] = await client.batch((each) => [each.block({ height }), each.blockResults({ height })])
    if (bytesToHex(block.blockId.hash) !== known.hash) return `the answer has another block ${height} than the chain`
    if (bytesToHex(results.appHash) !== known.appHash)
      return `the answer has another app hash of height ${height} than the chain`
    return undefined
  }

  async function validatorsFault(client: RpcClient, engine: NodeData, height: number): Promise<string | undefined> {
    const { validators, total } = await client.validators({ height, perPage: 100 })
    const stored = engine.stateStore.loadValidators(height).validators
    const isSame = validators.every(({ address, votingPower }, i) => {
      const other = stored[i]
      return other?.votingPower === votingPower && bytesToHex(other.address) === bytesToHex(address)
    })
    return isSame && Number(total) === stored.length
      ? undefined
      : `the answer has other validators of height ${height} than the store`
  }

  /**
   * Returns the height up to which the index is complete. The result is `undefined` if the record of commits ends below
   * this height, because the index cannot be compared with a record that has fewer heights.
   */
  function indexed(engine: NodeData): number | undefined {
    const height = engine.index.hasBlock(engine.blockStore.height())
      ? engine.blockStore.height()
      : engine.blockStore.height() - 1
    return height <= record.height() ? height : undefined
  }

  async function searchFault(client: RpcClient, engine: NodeData): Promise<string | undefined> {
    const upTo = indexed(engine)
    if (upTo === undefined) return undefined
    const { totalCount } = await client.txSearch({ query: ALL, perPage: 1 })
    let wanted = 0
    for (let height = 1; height <= upTo; height++) wanted += record.at(height)?.txs.length ?? 0
    return Number(totalCount) === wanted
      ? undefined
      : `tx_search finds ${totalCount} of ${wanted} transactions up to height ${upTo}`
  }

  async function foundFault(client: RpcClient, height: number): Promise<string | undefined> {
    const txs = record.at(height)?.txs ?? []
    const hashes = txs.map((tx) => bytesToHex(hashTx(utf8ToBytes(tx))))
    const { txs: found } = await client.txSearch({ query: `tx.height=${height}`, perPage: 100, orderBy: 'asc' })
    const names = found.map(({ hash, index }) => `${bytesToHex(hash)}/${index}`)
    const wanted = hashes.map((hash, index) => `${hash}/${index}`)
    if (names.join() !== wanted.join())
      return `tx_search finds ${names.length} of ${wanted.length} transactions of height ${height}`
    for (const [index, tx] of txs.entries()) {
      const one = await client.tx({ hash: hashTx(utf8ToBytes(tx)) })
      if (Number(one.height) !== height || one.index !== index)
        return `the transaction ${tx} is at height/index ${one.height}/${one.index}, not ${height}/${index}`
    }
    return undefined
  }

  return { statusFault, blockFault, validatorsFault, searchFault, foundFault, indexed }
}

/**
 * Makes the clients. Virtual time stands still during each call, because the node needs no virtual time to answer it.
 */
export function createRpcClients({ nodes, scheduler, monitor, random }: SimNetwork): RpcClients {
  const clients = new WeakMap<NodeData, RpcClient>()
  const chance = random.fork('rpc')
  const { statusFault, blockFault, validatorsFault, searchFault, foundFault, indexed } = createRpcFaults(monitor.record)

  function clientOf(node: SimNode): RpcClient | undefined {
    const [engine, p2p, life] = [node.engine(), node.p2p(), node.life()]
    if (engine === undefined || p2p === undefined || life === undefined || node.status() !== 'running') return undefined
    const known = clients.get(engine)
    if (known !== undefined) return known
    // The RPC is made without the port `precedence`. By this port, a call waits while the node makes a block, so that
    // the call does not delay the block. In virtual time, no call delays a block.
    const { precedence: _, ...ports } = createPorts(engine, { config: NOWHERE, p2p, clock: life.clock })
    const { app } = createRpc({ ports })
    const fetch = async (url: string | URL | Request, init?: RequestInit) => app.fetch(new Request(url, init))
    const client = createRpcClient(createHttpTransport(`http://${node.name}/`, { fetch }))
    clients.set(engine, client)
    return client
  }

  /** Sends a request, and reports a difference or an error to the monitor. */
  async function checkAnswer(
    node: SimNode,
    what: string,
    run: (client: RpcClient, engine: NodeData) => Promise<string | undefined>,
  ) {
    const [client, engine, life] = [clientOf(node), node.engine(), node.life()]
    if (client === undefined || engine === undefined || life === undefined) return
    const answering = run(client, engine).catch((error: unknown) => messageOf(error))
    const fault = await life.hold(answering, `${node.name}: ${what}`)
    if (fault !== undefined) monitor.violate('rpc', `${node.name}, ${what}: ${fault}`)
  }

  function send(count: number): void {
    scheduler.after(SEND_EVERY_MS, () => {
      const running = nodes.filter((node) => node.status() === 'running')
      const tx = `tx:rpc-${count}`
      if (running.length > 0) {
        monitor.submitted(tx)
        void checkAnswer(chance.pick(running), `broadcast_tx_sync ${tx}`, async (client) => {
          const { code } = await client.broadcastTxSync({ tx: utf8ToBytes(tx) })
          return code === 0 ? undefined : `code ${code}`
        })
      }
      send(count + 1)
    })
  }

  function checkRegularly(): void {
    scheduler.after(CHECK_INTERVAL_MS, () => {
      for (const node of nodes) {
        const height = node.engine()?.blockStore.height() ?? 0
        void checkAnswer(node, 'status', statusFault)
        if (height === 0) continue
        void checkAnswer(node, 'block', (client) => blockFault(client, height))
        void checkAnswer(node, 'validators', (client, engine) => validatorsFault(client, engine, height))
        void checkAnswer(node, 'tx_search', searchFault)
      }
      checkRegularly()
    })
  }

  return {
    start: () => {
      send(0)
      checkRegularly()
    },
    conclude: async () => {
      for (const node of nodes) {
        const [client, engine] = [clientOf(node), node.engine()]
        if (client === undefined || engine === undefined) continue
        const last = indexed(engine) ?? 0
        for (let height = 1; height <= last; height++) {
          const fault = await foundFault(client, height).catch(messageOf)
          if (fault !== undefined) monitor.violate('rpc', `${node.name}: ${fault}`)
        }
      }
    },
  }
}
