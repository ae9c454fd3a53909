import type { Application } from '@org/abci'
import type { Engine, OpenedP2p } from '@org/engine'
import { INITIAL_SIGN_STATE, signStateText } from '@org/engine/privval'
import { bytesToUtf8, utf8ToBytes } from '@org/types/bytes'
import { type AppFaults, type AppHome, createAppHome } from '../app/index.ts'
import {
  type CrashKind,
  createDisk,
  createSimFiles,
  createSimStore,
  type Disk,
  type SimFiles,
  type SimStore,
} from '../disk/index.ts'
import { type ClockFault, createLife, type Life, WORLD_ERRORS, WorldError } from '../world/index.ts'
import { type LifeModules, openLifeEngine, openLifeP2p, SIGN_STATE } from './open-life.ts'
import type { SimNodeModules, SimNodeOptions } from './options.ts'
import { createSimSigner, type SimSigner } from './sim-signer.ts'

/** The status of a node. A node that is `gone` never starts again. */
export type NodeStatus = 'down' | 'starting' | 'running' | 'halted' | 'gone'

/** A full node that can be crashed. At the next start it has the data of its disk and of its application. */
export interface SimNode {
  readonly name: string
  readonly options: SimNodeOptions
  /** True if the node begins with a snapshot. */
  readonly isJoiner: boolean
  readonly disk: Disk
  readonly files: SimFiles
  readonly stores: ReadonlyMap<string, SimStore>
  /** Returns the database of this name, which is empty if no life has opened it. */
  readonly storeOf: (name: string) => SimStore
  /** The signer in a separate process; `undefined` if the node signs by itself. */
  readonly signer: SimSigner | undefined
  readonly appHome: AppHome
  readonly appFaults: AppFaults & { delayMs: readonly [low: number, high: number] }
  readonly clockFault: { -readonly [K in keyof ClockFault]: ClockFault[K] }
  readonly status: () => NodeStatus
  /** The error with which the node halted. */
  readonly failure: () => Error | undefined
  readonly life: () => Life | undefined
  readonly engine: () => Engine | undefined
  readonly p2p: () => OpenedP2p | undefined
  /** Resolves when the node runs or has failed to start. Never resolves if the node is crashed before that. */
  readonly start: () => Promise<void>
  /**
   * Ends the node's life at once. A crash has several possible outcomes, which differ in the unsynced data that is
   * lost. `loss` is the index of the outcome to use. Without `loss`, the outcome is random.
   */
  readonly crash: (kind: CrashKind, loss?: number) => void
  /** Stops the node without a crash: it ends its work and closes its connections. */
  readonly stop: () => Promise<void>
  /** Stops the node. It never starts again. */
  readonly leave: () => void
}

/**
 * Creates a node that can be started, stopped and crashed. The function is long because it contains all steps of the
 * node's start, stop and crash.
 */
export function createSimNode(options: SimNodeOptions, modules: SimNodeModules): SimNode {
  const { name } = options
  const { scheduler, trace, hub } = modules
  const random = modules.random.fork(name)
  const disk = createDisk(options.disk, { random: random.fork('disk'), trace, node: name, onOp: modules.onDiskOp })
  const files = createSimFiles(disk)
  const stores = new Map<string, SimStore>()
  const appHome = createAppHome(options.appSavesEvery)
  const appFaults: SimNode['appFaults'] = { delayMs: options.appDelayMs, failNext: undefined }
  const clockFault = { skewMs: 0, drift: 0 }
  const signer = options.remoteSigner
    ? createSimSigner({ key: options.key, scheduler, random: random.fork('signer'), sign: modules.signatures.sign })
    : undefined
  let lives = 0
  let status: NodeStatus = 'down'
  let failure: Error | undefined
  let life: Life | undefined
  let engine: Engine | undefined
  let p2p: OpenedP2p | undefined
  let app: Application | Promise<Application> | undefined

  function storeOf(database: string): SimStore {
    const store = stores.get(database) ?? createSimStore(database, disk)
    stores.set(database, store)
    return store
  }

  files.place(SIGN_STATE, utf8ToBytes(signStateText(INITIAL_SIGN_STATE)))

  function halt(ofLife: Life, error: Error): void {
    if (!ofLife.isAlive() || status === 'halted') return
    status = 'halted'
    failure = error
    trace.note(name, 'halted', error.message)
    modules.onHalt(error)
  }

  function application(): Application | Promise<Application> {
    // An application in a separate process outlives the node, so the next life uses the same application.
    if (app === undefined || options.appIsInProcess || appFaults.failNext !== undefined)
      app = modules.createApp(appHome)
    return app
  }

  async function open(newLife: Life): Promise<void> {
    const making = application()
    // Loading an application takes real time, so virtual time stops until the application is loaded.
    const made = making instanceof Promise ? await newLife.hold(making, `${name}: making the application`) : making
    const opening: LifeModules = {
      ...modules,
      life: newLife,
      random: random.fork(`life ${lives}`),
      disk,
      files,
      storeOf,
      signer,
      app: made,
      appFaults,
    }
    const opened = await openLifeEngine(options, opening)
    if (!newLife.isAlive()) return
    opened.consensus.onHalt((error) => halt(newLife, error))
    const net = await openLifeP2p(options, opening, {
      engine: opened,
      bookSize: () => p2p?.book.size() ?? 0,
    })
    if (!newLife.isAlive()) return
    net.onFailure((error) => halt(newLife, error))
    engine = opened
    p2p = net
    modules.onStarted(opened)
    await opened.start()
    await net.start()
  }

  async function start(): Promise<void> {
    if (status !== 'down')
      throw new WorldError(WORLD_ERRORS.badState, `${name} is ${status}, and can be started only when it is down`)
    lives++
    const newLife = createLife({ genesis: options.start, clockFault }, scheduler)
    life = newLife
    status = 'starting'
    failure = undefined
    trace.note(name, 'starts', lives)
    try {
      await open(newLife)
      if (newLife.isAlive() && status === 'starting') status = 'running'
    } catch (error) {
      halt(newLife, error instanceof Error ? error : new Error(String(error)))
    }
  }

  function end(): void {
    life?.end()
    life = undefined
    engine = undefined
    p2p = undefined
    status = 'down'
  }

  function crash(kind: CrashKind, loss?: number): void {
    if (status === 'down' || status === 'gone') return
    trace.note(name, 'crash', kind)
    end()
    hub.drop(name)
    disk.crash(kind, loss)
  }

  return {
    name,
    options,
    isJoiner: options.restore !== undefined,
    disk,
    files,
    stores,
    storeOf,
    signer,
    appHome,
    appFaults,
    clockFault,
    status: () => status,
    failure: () => failure,
    life: () => life,
    engine: () => engine,
    p2p: () => p2p,
    start,
    crash,
    stop: async () => {
      const [stopping, net] = [engine, p2p]
      await net?.stop()
      await stopping?.stop()
      end()
      hub.drop(name)
    },
    leave: () => {
      crash('kill')
      status = 'gone'
    },
  }
}

/** The sign state on the disk of a node's signer. */
export function signStateOf({ files, signer }: Pick<SimNode, 'files' | 'signer'>): string {
  return signer?.stateText() ?? bytesToUtf8(files.read(SIGN_STATE) ?? new Uint8Array(0))
}
