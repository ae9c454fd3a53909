import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startNodeProcess } from '@org/golden'
import { createSeededRandom } from '@org/runtime'
import { Presets, SingleBar } from 'cli-progress'

const HALLEY = fileURLToPath(new URL('../../../apps/node/bin/halley', import.meta.url))

/** The range of the time in milliseconds from the start of the node to its kill. */
const ALONE = { min: 20, max: 600 }
/** After the last kill, the chain must make `MORE_BLOCKS` blocks while at most `MAX_ATTEMPTS` transactions are sent. */
const MORE_BLOCKS = 4
const MAX_ATTEMPTS = 20

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  /** Called after each kill with the number of kills so far. */
  readonly onKill?: (kills: number) => void
}

export interface KillResult {
  readonly kills: number
  /** The number of transactions that the node reported as committed. */
  readonly committed: number
  readonly height: number
  /** Descriptions of lost or changed data. */
  readonly faults: readonly string[]
}

type Get = (path: string) => Promise<Record<string, unknown>>

interface Rpc {
  readonly get: Get
  /**
   * Does the same as `get`, but sends the request once more if no answer came. An answer may be missing because the
   * node closed an idle connection just before the request, for example after a pause of this process.
   */
  readonly getAgain: Get
}

function rpcOf(port: number): Rpc {
  const get: Get = async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}/${path}`)
    const { result, error } = (await response.json()) as { result?: Record<string, unknown>; error?: unknown }
    if (result === undefined) throw new Error(JSON.stringify(error))
    return result
  }
  return {
    get,
    getAgain: (path) =>
      get(path).catch((error: unknown) => {
        if (error instanceof TypeError) return get(path)
        throw error
      }),
  }
}

const hashOf = (tx: string): string => createHash('sha256').update(tx).digest('hex').toUpperCase()

function startNode(directory: string, { rpcPort, p2pPort }: { rpcPort: number; p2pPort: number }) {
  const home = join(directory, 'home')
  return startNodeProcess({
    binary: HALLEY,
    args: [
      ...['start', '--home', home, '--proxy_app=persistent_kvstore', '--consensus.timeout_commit=5ms'],
      ...[`--rpc.laddr=tcp://127.0.0.1:${rpcPort}`, `--p2p.laddr=tcp://127.0.0.1:${p2pPort}`],
    ],
    home,
    rpcPort,
    logFile: join(directory, 'log'),
  })
}

/**
 * Kills a real node with LevelDB and a persistent application again and again, at any time and under load. After each
 * start, the node must have everything that its answers reported before: transactions, heights, and blocks with the
 * same hashes.
 */
export async function killAgainAndAgain({ kills, seed, onKill }: KillOptions): Promise<KillResult> {
  const random = createSeededRandom(seed)
  const directory = await mkdtemp(join(tmpdir(), 'halley-kill-'))
  const [rpcPort, p2pPort] = [await freePort(), await freePort()]
  execFileSync(HALLEY, ['init', '--home', join(directory, 'home')])
  const rpc = rpcOf(rpcPort)
  const committed = new Map<string, number>()
  const blocks = new Map<number, string>()
  const faults: string[] = []
  let sent = 0
  let height = 0

  async function check(recent: readonly string[]): Promise<void> {
    const status = (await rpc.getAgain('status')) as { sync_info: { latest_block_height: string } }
    const now = Number(status.sync_info.latest_block_height)
    if (now < height) faults.push(`the chain is at height ${now}, and it was at height ${height} before the kill`)
    height = Math.max(height, now)
    for (const tx of recent) {
      const found = await rpc.getAgain(`tx?hash=0x${hashOf(tx)}`).catch((error: Error) => error)
      if (found instanceof Error)
        faults.push(
          `the transaction ${tx} was committed at height ${committed.get(tx)} and is not found: ${found.message}`,
        )
      else if (Number(found.height) !== committed.get(tx))
        faults.push(
          `the transaction ${tx} was committed at height ${committed.get(tx)} and is now at height ${String(found.height)}`,
        )
      const [key, value] = tx.split('=') as [string, string]
      const { response } = (await rpc.getAgain(`abci_query?data="${key}"`)) as { response: { value: string } }
      if (atob(response.value ?? '') !== value) faults.push(`the application has lost the transaction ${tx}`)
    }
    for (const [at, hash] of [...blocks].slice(-20)) {
      const { block_id: id } = (await rpc.getAgain(`block?height=${at}`)) as { block_id: { hash: string } }
      if (id.hash !== hash) faults.push(`block ${at} had the hash ${hash}, and now has the hash ${id.hash}`)
    }
  }

  async function load(isOver: () => boolean): Promise<string[]> {
    const done: string[] = []
    while (!isOver()) {
      const tx = `k${sent++}=v${sent}`
      try {
        const answer = await rpc.get(`broadcast_tx_commit?tx="${tx}"`)
        const at = Number(answer.height)
        committed.set(tx, at)
        done.push(tx)
        const { block_id: id } = (await rpc.get(`block?height=${at}`)) as { block_id: { hash: string } }
        blocks.set(at, id.hash)
        height = Math.max(height, at)
      } catch {
        // The node did not answer before it was killed, so the transaction may be missing.
      }
    }
    return done
  }

  /** Sends transactions until the chain has made {@link MORE_BLOCKS} more blocks. */
  async function expectBlocks(): Promise<void> {
    const wanted = height + MORE_BLOCKS
    let attempts = 0
    await load(() => height >= wanted || ++attempts > MAX_ATTEMPTS)
    if (height < wanted) faults.push(`after the last kill the chain does not grow above height ${height}`)
  }

  try {
    let recent: string[] = []
    for (let count = 0; count <= kills && faults.length === 0; count++) {
      const node = startNode(directory, { rpcPort, p2pPort })
      await node.ready()
      await check(recent)
      if (count === kills) {
        await check([...committed.keys()].slice(-300))
        await expectBlocks()
        await node.stop()
        break
      }
      let over = false
      const loads = [load(() => over), load(() => over)]
      const { promise, resolve } = Promise.withResolvers<void>()
      setTimeout(resolve, ALONE.min + random.below(ALONE.max - ALONE.min))
      await promise
      over = true
      await node.kill()
      recent = (await Promise.all(loads)).flat()
      onKill?.(count + 1)
    }
    return { kills, committed: committed.size, height, faults }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Runs {@link killAgainAndAgain} with a progress bar. Returns true if no data was lost. */
export async function runKill(kills: number): Promise<boolean> {
  const bar = new SingleBar(
    { format: '{bar} {percentage}% | {value}/{total} kills | {eta_formatted} left' },
    Presets.shades_classic,
  )
  bar.start(kills, 0)
  const { committed, height, faults } = await killAgainAndAgain({
    kills,
    seed: 1,
    onKill: (count) => bar.update(count),
  })
  bar.stop()
  console.log(
    `${kills} kills, ${committed} transactions answered as committed, height ${height}, lost or changed = ${faults.length}`,
  )
  for (const fault of faults) console.log(`  ${fault}`)
  return faults.length === 0
}
