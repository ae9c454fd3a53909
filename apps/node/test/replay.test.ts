import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnections } from '@org/abci'
import { type HandshakeModules, handshake } from '@org/engine/execution'
import { createBlockStore, createStateStore, openLevelStore } from '@org/engine/storage'
import { recordingJson, unpackHome } from '@org/golden'
import { createKvStore, type KvStore, openKvStore } from '@org/kvstore'
import { createSystemClock, noopLogger, noopMetrics } from '@org/runtime'
import { type GenesisDoc, parseGenesis, type State } from '@org/types'
import { ExecTxResult, ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { expect, test } from 'vitest'

/** Unpacks a home from a recording, and opens its databases. */
async function openHome(recording: string) {
  const home = await mkdtemp(join(tmpdir(), 'halley-replay-'))
  await unpackHome(recording, home)
  const data = join(home, 'data')
  const blocks = await openLevelStore(join(data, 'blockstore.db'))
  const states = await openLevelStore(join(data, 'state.db'))
  const genesis = parseGenesis(await readFile(join(home, 'config/genesis.json'), 'utf8'))
  return {
    data,
    genesis,
    blockStore: createBlockStore({}, { db: blocks }),
    stateStore: createStateStore({}, { db: states }),
    [Symbol.asyncDispose]: async () => {
      await blocks.close()
      await states.close()
      await rm(home, { recursive: true })
    },
  }
}

interface Recovered {
  readonly state: State
  /** The answer of the application to each block that it executed, by height. */
  readonly executed: Map<number, ResponseFinalizeBlock>
}

async function recover(
  app: KvStore,
  home: { readonly genesis: GenesisDoc } & Pick<HandshakeModules, 'stateStore' | 'blockStore'>,
): Promise<Recovered> {
  const executed = new Map<number, ResponseFinalizeBlock>()
  const abci = createConnections({ kind: 'local', app })
  await abci.start()
  const finalizeBlock: HandshakeModules['abci']['consensus']['finalizeBlock'] = async (request) => {
    const response = await abci.consensus.finalizeBlock(request)
    executed.set(request.height, response)
    return response
  }
  const consensus = { ...abci.consensus, finalizeBlock }
  const quiet = { clock: createSystemClock(), logger: noopLogger, metrics: noopMetrics }
  const state = await handshake(
    { genesis: home.genesis, state: home.stateStore.load() as State },
    { ...quiet, stateStore: home.stateStore, blockStore: home.blockStore, abci: { query: abci.query, consensus } },
  )
  await abci.stop()
  return { state, executed }
}

for (const recording of [
  'kvstore-single/home.tar.gz',
  'kvstore-four/home-node0.tar.gz',
  'kvstore-four/home-node3.tar.gz',
]) {
  test(`golden: an application without state replays ${recording} with the recorded results`, async () => {
    await using home = await openHome(recording)
    const before = home.stateStore.load() as State
    const { state, executed } = await recover(createKvStore({ rules: 'v0.38' }), home)
    expect(state).toEqual(before)
    expect([...executed.keys()]).toEqual(Array.from({ length: before.lastBlockHeight }, (_, index) => index + 1))
    for (const [height, response] of executed) {
      const recorded = home.stateStore.loadFinalizeBlockResponse(height)
      const encoded = (given: ResponseFinalizeBlock): string => bytesToHex(ResponseFinalizeBlock.encode(given))
      expect(encoded(response) === encoded(recorded), `height ${height}`).toBe(true)
    }
  })
}

interface DeadHome {
  readonly before: {
    readonly blockstore_height: number
    readonly state_height: number
    readonly state_app_hash: string
  }
  readonly after: {
    readonly heights_that_were_in_the_store_before: readonly number[]
    readonly answers: readonly { readonly request: { path: string }; readonly response: { body: string } }[]
  }
}

interface BlockResults {
  readonly result: { readonly app_hash: string; readonly txs_results: readonly unknown[] | null }
}

const dead = recordingJson<{ homes: Record<string, DeadHome> }>('kvstore-single/expect.json').homes

for (const [name, { before, after }] of Object.entries(dead)) {
  test(`golden: the recovery of ${name} leads to the same state as with the reference`, async () => {
    await using home = await openHome(`kvstore-single/${name}`)
    const stored = home.stateStore.load() as State
    expect(stored.lastBlockHeight).toBe(before.state_height)
    expect(bytesToHex(stored.appHash)).toBe(before.state_app_hash)
    const persistent = name !== 'home-killed.tar.gz'
    const app = persistent ? await openKvStore({ dir: home.data, rules: 'v0.38' }) : createKvStore({ rules: 'v0.38' })
    const { state } = await recover(app, home)
    await app.close()
    expect(state.lastBlockHeight).toBe(before.blockstore_height)
    for (const height of after.heights_that_were_in_the_store_before) {
      const answer = after.answers.find(({ request }) => request.path === `/block_results?height=${height}`)
      const { result } = JSON.parse(answer?.response.body ?? '') as BlockResults
      const response = home.stateStore.loadFinalizeBlockResponse(height)
      expect(Buffer.from(response.appHash).toString('base64')).toBe(result.app_hash)
      expect(response.txResults.map((txResult) => ExecTxResult.toJson(txResult))).toEqual(result.txs_results ?? [])
    }
  })
}
