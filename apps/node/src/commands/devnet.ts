import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { noopLogger } from '@org/runtime'
import { DEVNET_ALWAYS, DEVNET_PRESET, refuseUnbuilt } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { initHome } from '../home/init-home.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { resetDevnet } from '../home/reset-devnet.ts'
import { isAddress } from '../node/application.ts'
import { explorerLine, explorerUrl } from '../node/explorer.ts'
import { lockNode } from '../node/lock-node.ts'
import { opennessOf } from '../node/openness.ts'
import { serve } from '../node/serve.ts'
import { createOpenPage } from '../page/index.ts'
import { readAppState, refuseLateAppState } from './devnet-app-state.ts'
import { type DevnetChoices, withWarnings, writeBlocksOf } from './devnet-choices.ts'
import { devnetNetwork } from './devnet-network.ts'

export interface DevnetOptions {
  /** Whether to use a temporary home, and to remove it at the end. */
  readonly ephemeral?: boolean
  /** The number of validators; default 1. */
  readonly validators?: string
  /** Whether one more node joins by state sync. */
  readonly statesync?: boolean
  /** Whether to open the explorer page of the node in a browser. */
  readonly open?: boolean
  /** Whether to print blocks and transactions as they are committed. */
  readonly log?: boolean
  /** Whether to begin another chain in this home. */
  readonly reset?: boolean
  /** The first state of the application of a new chain: JSON, or the path of a file with JSON. */
  readonly appState?: string
  /** A file with an application, which runs in this process. */
  readonly app?: string
  /** Whether to load the application again when its file changes. */
  readonly watch?: boolean
  /** The reaction to a change of the application's file: `replay` or `reset`. */
  readonly onChange?: string
  /** Whether the RPC controls the blocks, the time and the validators of a chain in memory. */
  readonly control?: boolean
  /** Whether other machines may control the chain. */
  readonly remoteControl?: boolean
  /** A shell command that starts the application again with its first state. The application is in another process. */
  readonly appRestart?: string
  /** A file with a dump of the chain to begin with. */
  readonly load?: string
  /** A file into which the chain is written at the end. */
  readonly dump?: string
  /** A stopped home whose chain is copied. */
  readonly fork?: string
}

/** The maximum number of validators. More nodes in one process would mostly wait for each other. */
const MAX_VALIDATORS = 50

interface BannerFacts {
  readonly chainId: string
  readonly url: string
  readonly home: string
  readonly ephemeral: boolean
  readonly openness: string
  readonly app: string
  /** The line of the banner with the address of the explorer page; empty if the node does not serve this page. */
  readonly explorer: string
}

function banner({ explorer, chainId, url, home, ephemeral, openness, app }: BannerFacts): string {
  return `
  ${chainId}: a chain of one validator with ${app}

  RPC    ${url}
${explorer}  docs   ${url}/docs  (OpenAPI: /openapi.json)
  events ${url}/events?query=tm.event='NewBlock'  (or subscribe at /websocket)
  web    ${openness}
  data   ${home}${ephemeral ? ' (removed at the end)' : ''}
  stop   Ctrl-C${ephemeral ? '' : '; the next start continues the chain, and --reset starts a new one'}

  curl '${url}/status'
  curl '${url}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${url}/abci_query?data="name"'

`
}

/**
 * Returns the name of the home for a chain with an application from a file. The name contains the file's path relative
 * to the working folder, without the ending of the file.
 */
function appHomeName(workingFolder: string, file: string): string {
  const path = relative(workingFolder, resolve(workingFolder, file)).replace(/\.[^./\\]*$/, '')
  const names = path.split(/[/\\]/).filter((name) => name !== '..')
  return `app-${names.join('-')}`
}

/**
 * Returns the folder of the chain. Networks of different sizes, and each application of the user, have different
 * folders.
 */
function homeOf(context: CommandContext, count: number, { ephemeral, app }: DevnetOptions): string {
  if (ephemeral === true && context.homeGiven === 'flag') {
    // A temporary home is removed at the end, so the user may not name it with `--home`.
    const message =
      '--ephemeral and --home exclude each other, because --ephemeral uses a temporary home and removes it at the end: leave one of them out'
    throw new CliError(CLI_ERRORS.usage, message)
  }
  if (ephemeral === true) return mkdtempSync(join(tmpdir(), 'halley-devnet-'))
  if (context.homeGiven !== undefined) return context.home
  if (app !== undefined) return join(context.workingFolder, '.halley', appHomeName(context.workingFolder, app))
  return join(context.workingFolder, '.halley', count === 1 ? 'devnet' : `devnet-${count}`)
}

function countOf(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= MAX_VALIDATORS) return count
  throw new CliError(
    CLI_ERRORS.usage,
    `invalid argument ${JSON.stringify(text)} for "--validators" flag: a whole number from 1 to ${MAX_VALIDATORS} is expected`,
  )
}

/** Runs a chain whose application is in another process. The chain continues after each restart of the application. */
async function runRemote(context: CommandContext, opened: OpenedHome, choices: DevnetChoices): Promise<number> {
  const { createAppNode } = await import('../app-devnet/app-node.ts')
  const { createReport } = await import('../app-devnet/report.ts')
  const { createStyle } = await import('../app-devnet/style.ts')
  const { withoutHalts } = await import('../app-devnet/without-halts.ts')
  const home = withWarnings(opened, context)
  const style = createStyle(context.interactive && !context.env.NO_COLOR)
  const report = createReport({ out: context.out, style, folder: context.workingFolder })
  const { ephemeral, appState, log } = choices
  const runnable = createAppNode(
    { home: { ...home, logger: withoutHalts(home.logger) }, appState, kind: 'remote' },
    {
      context,
      // `--log` already prints each block, including empty ones.
      report: log ? { ...report, block: () => undefined } : report,
      load: () => Promise.resolve(undefined),
      onReady: (node, isFirst) => {
        const url = node.rpcUrls()[0] ?? home.config.rpc.laddr
        const openness = opennessOf(home.config.rpc)
        const app = `the application at ${home.config.base.proxyApp}`
        const explorer = explorerLine(url, home.config)
        const facts = { chainId: node.chainId(), url, home: context.home, ephemeral, openness, app, explorer }
        if (isFirst) {
          context.out(banner(facts))
          context.openPage(explorerUrl(url, home.config))
        } else report.line(style.good(`Ready at block ${node.height()} of ${node.chainId()}`))
        if (log) void writeBlocksOf(node, context)
      },
    },
  )
  try {
    return await serve(runnable, { ...context, logger: home.logger })
  } finally {
    home.flush()
  }
}

async function runDevnet(context: CommandContext, opened: OpenedHome, choices: DevnetChoices): Promise<number> {
  const { ephemeral, reset, appState, log } = choices
  refuseUnbuilt(opened.config)
  if (reset) await resetDevnet(opened)
  refuseLateAppState(opened.paths.genesis, appState)
  if (isAddress(opened.config.base.proxyApp)) return runRemote(context, opened, choices)
  const home = withWarnings(opened, context)
  await initHome(home.paths, { logger: noopLogger, random: context.random, now: context.clock.now(), appState })
  const locking = lockNode(home)
  const { createNode } = await import('../node/create-node.ts')
  const node = createNode(home, { ...context, locking })
  try {
    const start = async (signal: AbortSignal): Promise<void> => {
      await node.start(signal)
      const url = node.rpcUrls()[0] ?? home.config.rpc.laddr
      const openness = opennessOf(home.config.rpc)
      const explorer = explorerLine(url, home.config)
      const app = 'a key-value store'
      context.out(banner({ chainId: node.chainId(), url, home: context.home, ephemeral, openness, app, explorer }))
      context.openPage(explorerUrl(url, home.config))
      if (log) await writeBlocksOf(node, context)
    }
    return await serve({ ...node, start }, { ...context, logger: home.logger })
  } finally {
    home.flush()
  }
}

/** Throws a `CliError` for flags that cannot be used together. */
function checkTogether(options: DevnetOptions, count: number): void {
  const { app, watch, onChange, statesync, control, remoteControl } = options
  if (control === true && (statesync === true || options.reset === true || options.log === true)) {
    throw new CliError(CLI_ERRORS.usage, '--control runs a chain in memory: leave --statesync, --reset and --log out')
  }
  if (control !== true && (options.load !== undefined || options.dump !== undefined))
    throw new CliError(CLI_ERRORS.usage, '--load and --dump need --control: they read and write a chain in memory')
  if (options.load !== undefined && (options.fork !== undefined || options.appState !== undefined))
    throw new CliError(CLI_ERRORS.usage, '--load begins with the chain of a dump: leave --fork and --app-state out')
  if (options.fork !== undefined && options.appState !== undefined)
    throw new CliError(CLI_ERRORS.usage, '--fork continues with the state of an application, so leave --app-state out')
  if (control !== true && options.appRestart !== undefined)
    throw new CliError(CLI_ERRORS.usage, '--app-restart needs --control, with which the chain can go back')
  if (remoteControl === true && control !== true)
    throw new CliError(CLI_ERRORS.usage, '--remote-control needs --control: it lets other machines use the control too')

  if (statesync === true && count < 2) {
    throw new CliError(
      CLI_ERRORS.usage,
      '--statesync needs at least two validators, which prove the state to the node that joins: add --validators 3',
    )
  }
  if (app === undefined && watch === true) {
    throw new CliError(CLI_ERRORS.usage, '--watch needs --app: it watches the file of an application')
  }
  if (onChange !== undefined && watch !== true) {
    throw new CliError(CLI_ERRORS.usage, '--on-change needs --watch, which notices the changes')
  }
  if (app !== undefined && count > 1 && control !== true) {
    throw new CliError(CLI_ERRORS.usage, '--app runs one validator: leave --validators out, or add --control')
  }
}

/** Runs a chain for development: creates the chain if it does not exist, and logs little. */
export async function devnet(given: CommandContext, asked: DevnetOptions): Promise<number> {
  // A fork runs in memory, like a devnet with `--control`. Therefore the option `control` is set.
  const options = asked.fork === undefined ? asked : { ...asked, control: true }
  const { control = false, validators = '1', log = false, reset = false, appState, app, watch = false } = options
  const count = countOf(validators)
  checkTogether(options, count)
  // A chain in memory uses a temporary home.
  const ephemeral = options.ephemeral === true || control
  const context: CommandContext = {
    ...given,
    home: homeOf(given, count, { ...options, ephemeral }),
    ...(options.open === true && { openPage: createOpenPage(given) }),
  }
  try {
    const choices = { ephemeral, log, reset, appState: readAppState(appState, context.workingFolder) }
    if (control) {
      const { devnetControl } = await import('./devnet-control.ts')
      const { appState } = choices
      const isNewChain = options.onChange === 'reset'
      const remote = options.remoteControl === true
      const application = { file: app, restart: options.appRestart, watch, isNewChain, dump: options.dump }
      const common = { validators: count, remote, ...application }
      if (options.fork === undefined) return await devnetControl(context, { ...common, appState, load: options.load })
      const { devnetFork } = await import('./devnet-fork.ts')
      return await devnetFork(context, common, options.fork)
    }
    if (app !== undefined) {
      const { devnetApp, onChangeOf } = await import('./devnet-app.ts')
      const onChange = onChangeOf(options.onChange ?? 'replay')
      return await devnetApp(context, { ...choices, file: app, watch, onChange })
    }
    if (count > 1) return await devnetNetwork(context, { ...choices, count, statesync: options.statesync === true })
    return await runDevnet(
      context,
      openHome(context, { create: true, preset: DEVNET_PRESET, overFile: DEVNET_ALWAYS }),
      choices,
    )
  } finally {
    if (ephemeral) rmSync(context.home, { recursive: true, force: true })
  }
}
