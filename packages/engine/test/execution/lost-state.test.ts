import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackHome } from '@org/golden'
import { parseGenesis, State } from '@org/types'
import { RequestFinalizeBlock, RequestInfo, RequestInitChain, type ResponseFinalizeBlock } from '@org/types/abci'
import { bytesToHex } from '@org/types/bytes'
import { expect, test } from 'vitest'
import { handshake } from '../../src/execution/index.ts'
import { createBlockStore, createStateStore, openLevelStore } from '../../src/store/index.ts'
import { recordedMessages } from './recorded-abci.ts'
import { quiet, stateAt } from './replayed.ts'

const TRACE = 'abci-trace/3-app-lost-its-state'
/** The height of the recorded chain at which the application started again without its state. */
const HEIGHT = 15

test('golden: an application that lost its state is asked the recorded questions, byte for byte', async () => {
  const home = await mkdtemp(join(tmpdir(), 'halley-lost-'))
  await unpackHome('abci-trace/home.tar.gz', home)
  const blocks = await openLevelStore(join(home, 'data/blockstore.db'))
  const states = await openLevelStore(join(home, 'data/state.db'))
  try {
    const genesis = parseGenesis(await readFile(join(home, 'config/genesis.json'), 'utf8'))
    const blockStore = createBlockStore({}, { db: blocks })
    const recorded = createStateStore({}, { db: states })
    const block = (height: number) => {
      const [found, meta] = [blockStore.loadBlock(height), blockStore.loadBlockMeta(height)]
      if (found === undefined || meta === undefined) throw new Error(`no block ${height}`)
      return { block: found, blockId: meta.blockId, meta }
    }
    const before = await stateAt({ genesis, blockStore, stateStore: recorded, block, dbs: {} }, HEIGHT)
    const asked: string[] = []
    const [info] = recordedMessages(TRACE, 'response', 'info')
    const [initChain] = recordedMessages(TRACE, 'response', 'initChain')
    const answers = recordedMessages(TRACE, 'response', 'finalizeBlock')
    const commits = recordedMessages(TRACE, 'response', 'commit')
    const next = <T>(list: T[]): Promise<T> => Promise.resolve(list.shift() as T)
    const state = await handshake(
      { genesis, state: before.state },
      {
        ...quiet,
        stateStore: before.stateStore,
        blockStore: { ...blockStore, height: () => HEIGHT },
        abci: {
          query: {
            info: (request) => {
              asked.push(bytesToHex(RequestInfo.encode(request)))
              return Promise.resolve(info as NonNullable<typeof info>)
            },
          },
          consensus: {
            initChain: (request) => {
              asked.push(bytesToHex(RequestInitChain.encode(request)))
              return Promise.resolve(initChain as NonNullable<typeof initChain>)
            },
            finalizeBlock: (request): Promise<ResponseFinalizeBlock> => {
              asked.push(bytesToHex(RequestFinalizeBlock.encode(request)))
              return next(answers)
            },
            commit: () => next(commits),
          },
        },
      },
    )
    expect(State.toJson(state)).toEqual(State.toJson(before.state))
    const wanted = [
      ...recordedMessages(TRACE, 'request', 'info').map(RequestInfo.encode),
      ...recordedMessages(TRACE, 'request', 'initChain').map(RequestInitChain.encode),
      ...recordedMessages(TRACE, 'request', 'finalizeBlock').map(RequestFinalizeBlock.encode),
    ].map(bytesToHex)
    expect(asked.length).toBe(HEIGHT + 2)
    expect(asked).toEqual(wanted.slice(0, asked.length))
  } finally {
    await blocks.close()
    await states.close()
    await rm(home, { recursive: true })
  }
})
