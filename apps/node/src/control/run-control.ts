import type { RpcListener } from '@org/rpc/server'
import { createRpcServer } from '@org/rpc/server'
import { createCleanups, createLifecycle } from '@org/runtime'
import { createDevnet, type Devnet, type DevnetOptions, MAX_DUMP_BYTES } from '@org/simnet/devnet'
import type { CommandContext } from '../context.ts'
import type { OpenedHome } from '../home/open-home.ts'
import { explorerLine, explorerUrl, siteOf } from '../node/explorer.ts'
import { listeningErrors } from '../node/listening-errors.ts'
import { rpcAccessText } from '../node/rpc-access-text.ts'
import { listeningUrls, rpcOptions } from '../node/rpc-options.ts'
import { serve } from '../node/serve.ts'
import {
  ANSWER_WITHIN_MS,
  type ApplicationChoices,
  type ControlledApplications,
  checkApplicationChoices,
  openControlledApplications,
} from './applications.ts'
import { saveDumpFile } from './dump-file.ts'
import { forkHome } from './fork-home.ts'
import { watchApplication } from './watch-application.ts'

export interface ControlRun extends ApplicationChoices {
  /** The genesis of a new chain, or the stored chain that is continued. */
  readonly chain: Pick<DevnetOptions, 'genesis' | 'origin'>
  /** Whether to make a new application when the application's file changes. */
  readonly watch: boolean
  /** Whether to begin a new chain when the application's file changes. */
  readonly isNewChain: boolean
  /** The file into which the chain is written at the end. */
  readonly dump: string | undefined
  /** Two texts of the banner. `chain` describes the chain. `kept` describes the data that is kept at the end. */
  readonly facts: { readonly chain: string; readonly kept: string }
}

/** The time limit of an answer of the RPC. It is long, because a call that makes many blocks takes long. */
const ANSWER_MS = 120_000

interface BannerFacts {
  readonly url: string
  readonly chainId: string
  readonly label: string
  readonly home: OpenedHome
}

function banner({ url, chainId, label, home }: BannerFacts, { facts, watch }: ControlRun): string {
  return `
  ${chainId}: ${facts.chain} and ${label}

  RPC    ${url}
${explorerLine(url, home.config)}  docs   ${url}/docs  (OpenAPI: /openapi.json; the control has the tag Devnet)
  web    ${rpcAccessText(home.config.rpc)}; the control is for pages of this machine
${watch ? '  watch  a change of the file replays the chain into the new application\n' : ''}  stop   Ctrl-C; ${facts.kept}

  curl '${url}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${url}/advance_blocks?num_blocks=100'
  curl '${url}/advance_time?duration_in_seconds=86400'
  curl '${url}/dev_snapshot'

`
}

/** Runs a chain in memory whose blocks, time and validators the RPC controls, until a signal stops it. */
export async function runControl(context: CommandContext, home: OpenedHome, run: ControlRun): Promise<number> {
  const { config, logger } = home
  const { clock } = context
  checkApplicationChoices(config.base.proxyApp, run)
  const cleanups = createCleanups()

  async function open(applications: ControlledApplications): Promise<Devnet> {
    const { app } = applications
    const options = { ...run.chain, validators: run.validators, answerWithin: ANSWER_WITHIN_MS, logger }
    const readHome = async (from: string, validators: number) => (await forkHome(context, from, validators)).origin
    return createDevnet({ ...options, app, readHome }, clock)
  }

  async function start(signal: AbortSignal): Promise<void> {
    const applications = await openControlledApplications(run, { home, context, signal })
    cleanups.add(applications.close)
    const devnet = await open(applications)
    cleanups.add(devnet.stop)
    const { dump } = run
    if (dump !== undefined)
      cleanups.add(async () => saveDumpFile(dump, context.workingFolder, await devnet.ports.devnet.dump()))
    const rpc = createRpcServer({
      ports: devnet.ports,
      // No answer is cached: after the chain went back to a snapshot, a height can have another block than before.
      options: {
        ...rpcOptions(config),
        timeoutBroadcastTxCommitMs: ANSWER_MS,
        cacheHeaders: false,
        cacheBytes: 0,
        // A request can contain a dump of the chain as base64, which is longer than the dump. So the limit is at least
        // twice the maximum size of a dump.
        maxBodyBytes: Math.max(config.rpc.maxBodyBytes, 2 * MAX_DUMP_BYTES),
      },
      ...siteOf(config),
      clock,
      logger: logger.child('rpc-server'),
    })
    const listener: RpcListener = await listeningErrors(rpc.listen, { grpcLaddr: '' })
    cleanups.add(() => listener.stop())
    if (run.watch) cleanups.add(await watchApplication(devnet, applications, { context, run }))
    const [url = config.rpc.laddr] = listeningUrls(listener, config)
    context.out(banner({ url, chainId: devnet.chainId(), label: applications.label, home }, run))
    context.openPage(explorerUrl(url, config))
  }

  // The lifecycle calls `cleanups.run` two times, and each cleanup runs only once. The first call, in `stop`, also ends
  // a start that is in progress. This start may add further cleanups until it has ended. The second call, in `close`,
  // comes after the end of the start, and runs these further cleanups.
  const life = createLifecycle({ name: 'the devnet', start, stop: cleanups.run, close: cleanups.run })
  try {
    return await serve({ start: life.start, stop: life.stop, onEnd: () => undefined }, { ...context, logger })
  } finally {
    home.flush()
  }
}
