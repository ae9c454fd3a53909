import { resolve } from 'node:path'
import { messageOf } from '@org/runtime'
import { compactJson, parseGenesis } from '@org/types'
import { CLI_ERRORS, CliError } from '../errors.ts'
import { exists, readText } from '../home/files.ts'

/**
 * Matches the beginning of a JSON object, list or text. The value of the flag `--app-state` is JSON or the path of a
 * file, and a path rarely begins like JSON. If an invalid value matches, the error reports the wrong JSON. If an
 * invalid value does not match, the error reports a missing file.
 */
const JSON_START = /^\s*[{["]/

/**
 * Reads the value of `--app-state`: JSON, or the path of a file with JSON. The text goes into the genesis document as
 * it is, so that long numbers stay exact.
 */
export function readAppState(given: string | undefined, folder: string): string | undefined {
  if (given === undefined) return undefined
  const file = resolve(folder, given)
  const isFile = exists(file)
  const text = isFile ? readText(file) : given
  try {
    JSON.parse(text)
  } catch (error) {
    throw new CliError(CLI_ERRORS.usage, `--app-state: ${problem({ given, file, isFile }, error)}`, { cause: error })
  }
  return text.trim()
}

interface GivenState {
  readonly given: string
  readonly file: string
  readonly isFile: boolean
}

function problem({ given, file, isFile }: GivenState, error: unknown): string {
  if (isFile) return `the file ${file} does not contain JSON: ${messageOf(error)}`
  if (!JSON_START.test(given)) return `there is no file ${file}: give the path of a file with JSON, or the JSON itself`
  return `${JSON.stringify(given.slice(0, 80))} is neither JSON nor a file: ${messageOf(error)}`
}

/**
 * Throws if the chain has begun with another state than `appState`, because an application gets its first state only
 * when the chain begins. The same state is accepted, so that a command with `--app-state` can be repeated.
 */
export function refuseLateAppState(genesisFile: string, appState: string | undefined): void {
  if (appState === undefined || !exists(genesisFile)) return
  const before = parseGenesis(readText(genesisFile)).appState
  if (before !== '' && compactJson(before) === compactJson(appState)) return
  const began = before === '' ? 'without a state' : 'with another state'
  throw new CliError(
    CLI_ERRORS.usage,
    `--app-state needs a new chain, but the chain of ${genesisFile} began ${began}: add --reset to begin again, or leave out --app-state to continue this chain`,
    { data: { file: genesisFile } },
  )
}
