import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Fraction } from '@org/types'
import { hexToBytes } from '@org/types/bytes'
import { parseDuration } from '../config/index.ts'
import type { CommandContext } from '../context.ts'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { ensureFolder } from '../home/files.ts'
import { LIGHT_DATABASE, lockLightHome } from '../home/lock/index.ts'
import { createLightProxy, type LightProxyOptions } from '../light/light-proxy.ts'
import { createLogging } from '../logging/index.ts'
import { serve } from '../node/serve.ts'
import { rpcUrl } from './rpc-url.ts'

/** The flags of the command, as the user wrote them. */
export interface LightCommandOptions {
  readonly primary?: string
  readonly witnesses?: string
  readonly laddr: string
  readonly homeDir?: string
  readonly maxOpenConnections: string
  readonly trustingPeriod: string
  readonly height: string
  readonly hash?: string
  readonly trustLevel: string
  readonly sequential?: boolean
  readonly verbose?: boolean
  readonly yes?: boolean
}

function wrong(flag: string, value: string, wanted: string): CliError {
  return new CliError(CLI_ERRORS.usage, `invalid argument ${JSON.stringify(value)} for "--${flag}" flag: ${wanted}`)
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) > 0) return Number(text)
  throw wrong(flag, text, 'a whole number from 1 is expected')
}

function periodOf(text: string): bigint {
  const period = parseDuration(text)
  if (period !== undefined && period > 0n) return period
  throw wrong('trusting-period', text, 'a duration is expected, such as 168h0m0s')
}

function levelOf(text: string): Fraction {
  const [, numerator, denominator] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []
  if (numerator !== undefined && denominator !== undefined)
    return { numerator: BigInt(numerator), denominator: BigInt(denominator) }
  throw wrong('trust-level', text, 'a fraction from 1/3 to 1/1 is expected')
}

function hashOf(text: string): Uint8Array {
  const hash = hexToBytes(text)
  if (hash?.length === 32) return hash
  throw wrong('hash', text, "the 64 hex digits of a header's hash are expected")
}

function addressOf(flag: string, text: string): string {
  const url = rpcUrl(text)
  if (URL.canParse(url) && /^https?:/.test(url)) return url.replace(/\/$/, '')
  throw wrong(flag, text, 'the address of the RPC of a node is expected, such as http://host:26657')
}

const addressesOf = (text: string): readonly string[] =>
  text.split(',').flatMap((part) => (part.trim() === '' ? [] : [addressOf('witnesses', part.trim())]))

interface Nodes {
  readonly primary: string
  readonly witnesses: readonly string[]
}

/**
 * Returns the nodes that the flags name. Without such flags, returns the nodes that the previous start of the light
 * client stored.
 */
function nodesOf({ primary, witnesses = '' }: LightCommandOptions, saved: Nodes | undefined): Nodes {
  if (primary !== undefined && primary !== '')
    return { primary: addressOf('primary', primary), witnesses: addressesOf(witnesses) }
  if (saved !== undefined && saved.primary !== '') return saved
  const message =
    'no primary is given, and none is stored: name a node with --primary, and others with --witnesses; see halley light --help'
  throw new CliError(CLI_ERRORS.usage, message)
}

function settingsOf(chainId: string, options: LightCommandOptions): Omit<LightProxyOptions, keyof Nodes> {
  const { height, hash = '' } = options
  return {
    chainId,
    laddr: options.laddr,
    maxOpenConnections: wholeNumber('max-open-connections', options.maxOpenConnections),
    trustingPeriod: periodOf(options.trustingPeriod),
    trustLevel: levelOf(options.trustLevel),
    mode: options.sequential === true ? 'sequential' : 'skipping',
    trust: hash === '' ? undefined : { height: wholeNumber('height', height), hash: hashOf(hash) },
  }
}

/** Runs a proxy in front of a node. The proxy verifies every part of an answer for which a proof exists. */
export async function light(
  context: CommandContext,
  chainId: string | undefined,
  options: LightCommandOptions,
): Promise<number> {
  if (chainId === undefined || chainId === '') {
    const message =
      'the chain id is missing: halley light CHAIN-ID --primary http://host:26657 --witnesses http://other:26657'
    throw new CliError(CLI_ERRORS.usage, message)
  }
  const { clock, random, interactive, out } = context
  const settings = settingsOf(chainId, options)
  const level = options.verbose === true ? 'debug' : 'info'
  const { logger, flush } = createLogging({ format: 'plain', level, colored: interactive }, { clock })
  const folder = options.homeDir ?? join(context.env.HOME ?? homedir(), '.cometbft-light')
  ensureFolder(folder)
  const lock = await lockLightHome(folder)
  try {
    const { openLevelLightStore } = await import('@org/light/level')
    const store = await openLevelLightStore(join(folder, LIGHT_DATABASE), { chainId })
    try {
      const proxy = createLightProxy(
        { ...settings, ...nodesOf(options, await store.providers()) },
        {
          store,
          confirm: (action) => {
            out(
              `${action}${options.yes === true ? '' : ' The light blocks are kept: start with --yes to remove them.'}\n`,
            )
            return options.yes === true
          },
          ...{ clock, random, logger },
        },
      )
      return await serve(proxy, { ...context, logger })
    } finally {
      await store.close()
    }
  } finally {
    lock.release()
    flush()
  }
}
