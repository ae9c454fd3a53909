import type { RpcListener } from '@org/rpc/server'
import { createRpcServer } from '@org/rpc/server'
import { createDevnet } from '@org/simnet/devnet'
import { DEVNET_PRESET, refuseUnbuilt } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { openHome } from '../home/open-home.ts'
import { builtInApplications } from '../node/application.ts'
import { explorerLine, siteOf } from '../node/explorer.ts'
import { listeningErrors } from '../node/listening-errors.ts'
import { listeningUrls, rpcOptions } from '../node/rpc-options.ts'
import { type Runnable, serve } from '../node/serve.ts'
import { opennessOf } from './openness.ts'

export interface ControlChoices {
  readonly validators: number
  /** JSON for the application of the chain. */
  readonly appState: string | undefined
  /** Whether other machines may use the control. */
  readonly remote: boolean
}

/** A call that makes many blocks must be answered before the server gives the connection up. */
const ANSWER_MS = 120_000
/** Addresses of this machine alone. */
const LOOPBACK = /^((tcp|http):\/\/)?(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$|^unix:\/\//

function checkAddress(laddr: string, { remote }: ControlChoices): void {
  if (remote || laddr.split(',').every((address) => LOOPBACK.test(address.trim()))) return
  const message = `rpc.laddr = ${JSON.stringify(laddr)} is open to other machines, which could then control the chain: use an address such as tcp://127.0.0.1:26657, or add --remote-control`
  throw new CliError(CLI_ERRORS.usage, message)
}

function banner(url: string, { chainId, openness, validators, explorer }: Readonly<Record<string, string>>): string {
  return `
  ${chainId}: a chain in memory, ${validators}, with a key-value store

  RPC    ${url}
${explorer}  docs   ${url}/docs  (OpenAPI: /openapi.json; the control has the tag Devnet)
  web    ${openness}
  stop   Ctrl-C; nothing is kept

  curl '${url}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${url}/advance_blocks?num_blocks=100'
  curl '${url}/advance_time?duration_in_seconds=86400'
  curl '${url}/dev_snapshot'

`
}

/** Runs a chain in memory whose blocks, time and validators the RPC controls. */
export async function devnetControl(context: CommandContext, choices: ControlChoices): Promise<number> {
  const { validators, appState } = choices
  const home = openHome(context, { create: true, preset: { ...DEVNET_PRESET, proxy_app: 'kvstore' } })
  const { config, logger } = home
  refuseUnbuilt(config)
  checkAddress(config.rpc.laddr, choices)
  const app = await builtInApplications(config.base.proxyApp, logger)
  const stops: (() => Promise<void>)[] = []

  async function start(): Promise<void> {
    const genesis = { chainId: 'devnet', ...(appState === undefined ? {} : { appState }) }
    const devnet = await createDevnet({ app, validators, genesis, logger }, context.clock)
    stops.push(devnet.stop)
    const rpc = createRpcServer({
      ports: devnet.ports,
      // Answers about a height change when the chain goes back to a snapshot.
      options: { ...rpcOptions(config), timeoutBroadcastTxCommitMs: ANSWER_MS, cacheHeaders: false, cacheBytes: 0 },
      ...siteOf(config),
      clock: context.clock,
      logger: logger.child('rpc-server'),
    })
    const listener: RpcListener = await listeningErrors(rpc.listen, { grpcLaddr: '' })
    stops.unshift(() => listener.stop())
    const [url = config.rpc.laddr] = listeningUrls(listener, config)
    context.out(
      banner(url, {
        chainId: devnet.chainId(),
        openness: opennessOf(config.rpc),
        explorer: explorerLine(url, config),
        validators: validators === 1 ? 'with one validator' : `with ${validators} validators`,
      }),
    )
  }

  const runnable: Runnable = {
    start,
    stop: async () => {
      for (const stop of stops.splice(0)) await stop()
    },
    onEnd: () => undefined,
  }
  try {
    return await serve(runnable, { ...context, logger })
  } finally {
    home.flush()
  }
}
