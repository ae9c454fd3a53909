import { rmSync } from 'node:fs'
import { noopLogger } from '@org/runtime'
import { DEVNET_ALWAYS, DEVNET_PRESET, refuseUnsupported } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { initHome } from '../home/init-home.ts'
import { type OpenedHome, openHome } from '../home/open-home.ts'
import { resetDevnet } from '../home/reset-devnet.ts'
import { isAddress } from '../node/application.ts'
import { explorerLine, explorerUrl } from '../node/explorer.ts'
import { lockNode } from '../node/lock-node.ts'
import { rpcAccessText } from '../node/rpc-access-text.ts'
import { serve } from '../node/serve.ts'
import { createOpenPage } from '../page/index.ts'
import { readAppState, refuseLateAppState } from './devnet-app-state.ts'
import { banner } from './devnet-banner.ts'
import { type DevnetChoices, withWarnings, writeBlocksOf } from './devnet-choices.ts'
import { checkTogether, countOf, type DevnetOptions, homeOf } from './devnet-flags.ts'
import { devnetNetwork } from './devnet-network.ts'

/** Runs a chain whose application is in another process. The chain continues after each restart of the application. */
async function runRemote(context: CommandContext, opened: OpenedHome, choices: DevnetChoices): Promise<number> {
  const { createAppNode } = await import('../app-devnet/app-node.ts')
  const { createReport } = await import('../app-devnet/report.ts')
  const { createStyle } = await import('../app-devnet/style.ts')
  const { dropHaltErrors } = await import('../app-devnet/drop-halt-errors.ts')
  const home = withWarnings(opened, context)
  const style = createStyle(context.interactive && !context.env.NO_COLOR)
  const report = createReport({ out: context.out, style, folder: context.workingFolder })
  const { ephemeral, appState, log } = choices
  const runnable = createAppNode(
    { home: { ...home, logger: dropHaltErrors(home.logger) }, appState, kind: 'remote' },
    {
      context,
      // With `--log`, the function `writeBlocksOf` prints each block. So the reporter of this devnet prints no blocks.
      report: log ? { ...report, block: () => undefined } : report,
      load: () => Promise.resolve(undefined),
      onReady: (node, isFirst) => {
        const url = node.rpcUrls()[0] ?? home.config.rpc.laddr
        const openness = rpcAccessText(home.config.rpc)
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
  refuseUnsupported(opened.config)
  if (reset) await resetDevnet([opened])
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
      const openness = rpcAccessText(home.config.rpc)
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
      openHome(context, { create: true, forDevnet: true, preset: DEVNET_PRESET, overFile: DEVNET_ALWAYS }),
      choices,
    )
  } finally {
    if (ephemeral) rmSync(context.home, { recursive: true, force: true })
  }
}
