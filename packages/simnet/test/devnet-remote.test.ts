import { type Application, createAbciServer } from '@org/abci'
import { createSystemClock, noopLogger } from '@org/runtime'
import { BlockIdFlag } from '@org/types'
import type { Snapshot } from '@org/types/abci'
import { utf8ToBytes } from '@org/types/bytes'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectApplications, createDevnet, DEVNET_ERRORS } from '../src/devnet/index.ts'

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Makes an application whose transactions are `key=value` pairs. If the devnet reverts its chain, the application keeps
 * all pairs and its height, as an application in another process does.
 */
function keepingApp(
  options: { readonly snapshotEvery?: number; readonly restoresOnlyWhenEmpty?: boolean } = {},
): Application & { readonly height: () => number } {
  const { snapshotEvery = 0, restoresOnlyWhenEmpty = false } = options
  let state = { height: 0, pairs: {} as Record<string, string> }
  const snapshots = new Map<number, string>()
  const hashOf = (): Uint8Array => utf8ToBytes(JSON.stringify(state.pairs).padEnd(32, '.').slice(0, 32))
  let restoring = ''
  return {
    height: () => state.height,
    info: () => ({
      lastBlockHeight: state.height,
      lastBlockAppHash: state.height === 0 ? new Uint8Array(0) : hashOf(),
    }),
    finalizeBlock: ({ txs, height }) => {
      for (const tx of txs) {
        const [key = '', value = ''] = text(tx).split('=')
        state.pairs[key] = value
      }
      state.height = Number(height)
      return { txResults: txs.map(() => ({ code: 0 })), appHash: hashOf() }
    },
    commit: () => {
      if (snapshotEvery > 0 && state.height % snapshotEvery === 0) snapshots.set(state.height, JSON.stringify(state))
      return {}
    },
    query: ({ data }) => ({ value: utf8ToBytes(state.pairs[text(data)] ?? '') }),
    listSnapshots: () => ({
      snapshots: [...snapshots].map(
        ([height, body]): Snapshot => ({
          height,
          format: 1,
          chunks: 2,
          hash: utf8ToBytes(body),
          metadata: new Uint8Array(0),
        }),
      ),
    }),
    loadSnapshotChunk: ({ height, chunk }) => {
      const body = snapshots.get(Number(height)) ?? ''
      const half = body.length >> 1
      return { chunk: utf8ToBytes(chunk === 0 ? body.slice(0, half) : body.slice(half)) }
    },
    offerSnapshot: () => {
      restoring = ''
      return { result: snapshotEvery > 0 ? 1 : 3 }
    },
    applySnapshotChunk: ({ index, chunk }) => {
      if (restoresOnlyWhenEmpty && state.height > 0) return { result: 2 }
      restoring += text(chunk)
      if (index === 1) state = JSON.parse(restoring)
      return { result: 1 }
    },
  } as Application & { readonly height: () => number }
}

interface StartOptions {
  readonly transport?: 'socket' | 'grpc'
  readonly snapshotEvery?: number
  readonly restoresOnlyWhenEmpty?: boolean
  readonly canRestart?: boolean
  readonly validators?: number
  /** The number of applications for validators that are added later. */
  readonly spares?: number
}

/** Starts servers of applications on sockets, and a devnet that uses them. */
async function start(options: StartOptions = {}) {
  const { transport = 'socket', snapshotEvery = 0, canRestart = false, validators = 1, spares = 0 } = options
  const { restoresOnlyWhenEmpty = false } = options
  const make = (): ReturnType<typeof keepingApp> => keepingApp({ snapshotEvery, restoresOnlyWhenEmpty })
  const apps = Array.from({ length: validators + spares }, make)
  const addresses: string[] = []
  const servers = new Map<number, { readonly stop: () => Promise<unknown> }>()
  async function serve(i: number): Promise<void> {
    const app = apps[i] as Application
    const server = createAbciServer(
      { address: addresses[i] ?? 'tcp://127.0.0.1:0', kind: transport },
      { app, logger: noopLogger },
    )
    await server.start()
    addresses[i] = server.address()
    servers.set(i, server)
  }
  const end = async (i: number): Promise<void> => void (await servers.get(i)?.stop())
  for (let i = 0; i < apps.length; i++) await serve(i)
  onTestFinished(async () => {
    for (const i of servers.keys()) await end(i)
  })
  const restarts: number[] = []
  const applications = await connectApplications(
    { addresses, transport, startWithinMs: 5000 },
    {
      clock: createSystemClock(),
      logger: noopLogger,
      restart: canRestart
        ? async () => {
            restarts.push(1)
            for (const i of servers.keys()) {
              await end(i)
              apps[i] = make()
              await serve(i)
            }
          }
        : undefined,
    },
  )
  onTestFinished(applications.close)
  const devnet = await createDevnet({ app: applications, validators })
  onTestFinished(devnet.stop)
  const { devnet: control, mempool, app } = devnet.ports
  const send = async (tx: string): Promise<void> => {
    await mempool?.checkTx(utf8ToBytes(tx))
    await control.mine(1)
  }
  const value = async (key: string): Promise<string> => {
    const answer = await app?.query({ path: '', data: utf8ToBytes(key), height: 0, prove: false })
    return text(answer?.value ?? new Uint8Array(0))
  }
  return { devnet, control, send, value, apps, restarts, end, serve, make }
}

describe('an application in another process', () => {
  test.each(['socket', 'grpc'] as const)('default: it executes the blocks of a devnet (%s)', async (transport) => {
    const { control, send, value, apps } = await start({ transport })
    await send('a=1')
    await control.mine(5)
    expect([await value('a'), apps[0]?.height()]).toEqual(['1', 6])
  })

  test('default: each of four validators has an application of its own', async () => {
    const { devnet, control, apps } = await start({ validators: 4 })
    await control.mine(4)
    expect(Math.min(...apps.map((app) => app.height()))).toBeGreaterThanOrEqual(devnet.height() - 1)
  })

  test('default: dev_revert restores the newest snapshot of the application, and replays the blocks after it', async () => {
    const { control, send, value, apps } = await start({ snapshotEvery: 2 })
    await send('a=1')
    await control.mine(2)
    await send('a=2')
    await control.mine(1)
    const id = await control.snapshot()
    for (let i = 0; i < 2; i++) {
      await send(`a=other${i}`)
      await control.mine(4)
      expect(await value('a')).toBe(`other${i}`)
      expect(await control.revert(id)).toBe(5)
      expect([await value('a'), apps[0]?.height()]).toEqual(['2', 5])
    }
    await send('b=3')
    expect(await value('b')).toBe('3')
  })

  test('default: dev_revert starts the application again if it has no snapshots, and replays all blocks', async () => {
    const { control, send, value, restarts } = await start({ canRestart: true })
    await send('a=1')
    const id = await control.snapshot()
    await send('a=2')
    expect(await control.revert(id)).toBe(1)
    expect([await value('a'), restarts.length]).toEqual(['1', 1])
    expect(await control.reset()).toBe(0)
    expect([await value('a'), restarts.length]).toEqual(['', 2])
    await send('a=3')
    expect(await value('a')).toBe('3')
  })

  test('error: without a snapshot and without a command, dev_revert is refused and the chain continues', async () => {
    const { devnet, control, send, value } = await start()
    const id = await control.snapshot()
    await send('a=1')
    await expect(control.revert(id)).rejects.toMatchObject({ code: DEVNET_ERRORS.appCannotGoBack })
    await send('b=2')
    expect([await value('a'), await value('b'), devnet.height()]).toEqual(['1', '2', 2])
  })

  test('error: if an application with data refuses its snapshot, as that of the Cosmos SDK does, the chain continues', async () => {
    const { devnet, control, send, value } = await start({ snapshotEvery: 2, restoresOnlyWhenEmpty: true })
    await control.mine(2)
    const id = await control.snapshot()
    await send('a=1')
    await expect(control.revert(id)).rejects.toMatchObject({
      code: DEVNET_ERRORS.appCannotGoBack,
      message: expect.stringContaining('refused its own snapshot of height 2'),
    })
    await send('b=2')
    expect([await value('a'), await value('b'), devnet.height()]).toEqual(['1', '2', 4])
    await expect(control.reset()).rejects.toMatchObject({ code: DEVNET_ERRORS.appCannotGoBack })
    expect(await control.mine(1)).toBe(5)
  })

  test('behavior: with a command that starts it again, such an application goes back', async () => {
    const options = { snapshotEvery: 2, restoresOnlyWhenEmpty: true, canRestart: true }
    const { control, send, value, restarts } = await start(options)
    await control.mine(2)
    const id = await control.snapshot()
    await send('a=1')
    expect(await control.revert(id)).toBe(2)
    expect([await value('a'), restarts.length]).toEqual(['', 1])
    await send('a=2')
    expect(await value('a')).toBe('2')
  })

  test('behavior: an application that is started again by hand, with no data, is a way back', async () => {
    const { control, send, value, apps, end, serve, make } = await start()
    await send('a=1')
    const id = await control.snapshot()
    expect(await control.revert(id)).toBe(1)
    await send('a=2')
    // An operator restarts the application by hand: it begins again with no data while `dev_revert` waits.
    await end(0)
    const reverting = control.revert(id)
    apps[0] = make()
    await serve(0)
    expect(await reverting).toBe(1)
    expect(await value('a')).toBe('1')
  })

  test.each(['socket', 'grpc'] as const)(
    'behavior: an application that was lost gets the blocks again when it runs (%s)',
    async (transport) => {
      const { control, value, send, apps, end, serve, make } = await start({ transport })
      await send('a=1')
      await control.mine(3)
      await end(0)
      await expect(control.mine(1)).rejects.toThrow(
        /^the application of n0 does not run: start the application again, and the chain continues \(/,
      )
      apps[0] = make()
      await serve(0)
      await expect.poll(() => value('a').catch(() => ''), { timeout: 10_000 }).toBe('1')
      expect(await control.mine(1)).toBe(5)
    },
  )

  test('default: a validator that is added executes all blocks in the next application', async () => {
    const { devnet, control, send, apps } = await start({ spares: 1 })
    await send('a=1')
    await control.mine(5)
    expect(apps.map((app) => app.height())).toEqual([6, 0])
    const { address } = await control.addValidator(10n)
    await control.mine(3)
    expect(apps[1]?.height()).toBeGreaterThanOrEqual(devnet.height() - 1)
    const { signatures = [] } = devnet.ports.blocks.loadBlock(devnet.height())?.lastCommit ?? {}
    expect(signatures.filter(({ blockIdFlag }) => blockIdFlag === BlockIdFlag.commit)).toHaveLength(2)
    control.crash(address)
    await control.restart(address)
    await control.mine(3)
    await expect(control.addValidator(10n)).rejects.toMatchObject({ code: DEVNET_ERRORS.tooFewApps })
    expect(control.info().validators).toHaveLength(2)
  })

  test('default: only applications of validators go back; one that was left can join again when it has no data', async () => {
    const { control, send, value, apps, end, serve, make } = await start({ spares: 1, snapshotEvery: 2 })
    await control.mine(2)
    const alone = await control.snapshot()
    await control.addValidator(10n)
    await control.mine(4)
    const two = await control.snapshot()
    await send('a=1')
    await control.mine(2)
    await control.revert(two)
    expect(control.info().validators).toHaveLength(2)
    await control.revert(alone)
    expect(control.info().validators).toHaveLength(1)
    await control.mine(1)
    await expect(control.addValidator(10n)).rejects.toMatchObject({ code: DEVNET_ERRORS.appCannotJoin })
    await end(1)
    await expect(control.addValidator(10n)).rejects.toMatchObject({
      code: DEVNET_ERRORS.appCannotJoin,
      message: expect.stringContaining('does not answer'),
    })
    apps[1] = make()
    await serve(1)
    await expect
      .poll(
        () =>
          control.addValidator(10n).then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true)
    await send('a=2')
    await control.mine(3)
    expect(await value('a')).toBe('2')
    expect(apps[1]?.height()).toBeGreaterThan(3)
  })

  test('error: an application with a state of another chain is refused at the start', async () => {
    const app = keepingApp()
    await app.finalizeBlock?.({ txs: [], height: 7 } as never)
    const server = createAbciServer({ address: 'tcp://127.0.0.1:0' }, { app, logger: noopLogger })
    await server.start()
    const address = server.address()
    onTestFinished(server.stop)
    const modules = { clock: createSystemClock(), logger: noopLogger, restart: undefined }
    const options = { addresses: [address], transport: 'socket', startWithinMs: 1000 } as const
    const applications = await connectApplications(options, modules)
    onTestFinished(applications.close)
    await expect(createDevnet({ app: applications })).rejects.toThrow('it has height 7')
  })

  test('edge: a signal that has aborted already ends the wait for an application that does not run', async () => {
    const modules = { clock: createSystemClock(), logger: noopLogger, restart: undefined }
    const options = { addresses: ['unix:///nowhere.sock'], transport: 'socket', startWithinMs: 1000 } as const
    const connecting = connectApplications(options, modules, AbortSignal.abort(new Error('interrupted')))
    await expect(connecting).rejects.toThrow('interrupted')
  })
})
