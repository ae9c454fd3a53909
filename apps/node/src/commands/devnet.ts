import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noopLogger } from '@org/runtime'
import { type CommandContext, type OpenedHome, openHome } from '../cli/context.ts'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'
import { DEVNET_PRESET, refuseUnbuilt } from '../config/index.ts'
import { lockNode } from '../node/lock-node.ts'
import { serve } from '../node/serve.ts'
import { readAppState, refuseLateAppState } from './devnet-app-state.ts'
import { type DevnetChoices, withWarnings, writeBlocksOf } from './devnet-choices.ts'
import { devnetNetwork } from './devnet-network.ts'
import { resetDevnet } from './devnet-reset.ts'
import { initHome } from './init.ts'
import { opennessOf } from './openness.ts'

export interface DevnetOptions {
  /** Whether to remove the home at the end. */
  readonly ephemeral?: boolean
  /** The number of nodes; default 1. */
  readonly validators?: string
  /** Whether to write blocks and transactions as they come. */
  readonly log?: boolean
  /** Whether to begin another chain in this home. */
  readonly reset?: boolean
  /** JSON, or a file with JSON, for the application of a new chain. */
  readonly appState?: string
}

/** More nodes in one process would only wait for each other. */
const MAX_VALIDATORS = 50

interface BannerFacts {
  readonly chainId: string
  readonly url: string
  readonly home: string
  readonly ephemeral: boolean
  readonly openness: string
}

function banner({ chainId, url, home, ephemeral, openness }: BannerFacts): string {
  return `
  ${chainId}: a chain of one validator with a key-value store

  RPC    ${url}
  docs   ${url}/docs  (OpenAPI: /openapi.json)
  events ${url}/events?query=tm.event='NewBlock'  (or subscribe at /websocket)
  web    ${openness}
  data   ${home}${ephemeral ? ' (removed at the end)' : ''}
  stop   Ctrl-C${ephemeral ? '' : '; the next start continues the chain, and --reset starts a new one'}

  curl '${url}/status'
  curl '${url}/broadcast_tx_commit?tx="name=satoshi"'
  curl '${url}/abci_query?data="name"'

`
}

/** A network of another size has another home. */
function homeOf(context: CommandContext, count: number, ephemeral: boolean): string {
  if (ephemeral && context.homeGiven === 'flag') {
    // The home is removed at the end, so it must not be one that the user has named.
    const message =
      '--ephemeral and --home exclude each other, because --ephemeral uses a temporary home and removes it at the end: leave one of them out'
    throw new CliError(CLI_ERRORS.usage, message)
  }
  if (ephemeral) return mkdtempSync(join(tmpdir(), 'halley-devnet-'))
  if (context.homeGiven !== undefined) return context.home
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

async function runDevnet(context: CommandContext, opened: OpenedHome, choices: DevnetChoices): Promise<number> {
  const { ephemeral, reset, appState, log } = choices
  refuseUnbuilt(opened.config)
  if (reset) await resetDevnet(opened)
  refuseLateAppState(opened.paths.genesis, appState)
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
      context.out(banner({ chainId: node.chainId(), url, home: context.home, ephemeral, openness }))
      if (log) await writeBlocksOf(node, context)
    }
    return await serve({ ...node, start }, { ...context, logger: home.logger })
  } finally {
    home.flush()
  }
}

/** Runs a chain for development: creates the chain if it does not exist, and logs little. */
export async function devnet(
  given: CommandContext,
  { ephemeral = false, validators = '1', log = false, reset = false, appState }: DevnetOptions,
): Promise<number> {
  const count = countOf(validators)
  const context = { ...given, home: homeOf(given, count, ephemeral) }
  try {
    const choices = { ephemeral, log, reset, appState: readAppState(appState, context.workingFolder) }
    if (count > 1) return await devnetNetwork(context, { ...choices, count })
    return await runDevnet(context, openHome(context, { create: true, preset: DEVNET_PRESET }), choices)
  } finally {
    if (ephemeral) rmSync(context.home, { recursive: true, force: true })
  }
}
