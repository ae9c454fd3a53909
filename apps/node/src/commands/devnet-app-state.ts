import { resolve } from 'node:path'
import { messageOf } from '@org/runtime'
import { CLI_ERRORS, CliError } from '../cli/errors.ts'
import { exists, readText } from '../home/files.ts'

/**
 * Reads the value of `--app-state`: JSON, or the path of a file with JSON. The text goes into the genesis document as it is, so that
 * long numbers stay what they are.
 */
export function readAppState(given: string | undefined, folder: string): string | undefined {
  if (given === undefined) return undefined
  const file = resolve(folder, given)
  const text = exists(file) ? readText(file) : given
  try {
    JSON.parse(text)
  } catch (error) {
    throw new CliError(
      CLI_ERRORS.usage,
      `--app-state: ${exists(file) ? `the file ${file} does not contain JSON` : `${JSON.stringify(given.slice(0, 80))} is neither JSON nor a file`}: ${messageOf(error)}`,
      { cause: error },
    )
  }
  return text.trim()
}

/** An application gets its state when the chain begins, not later. */
export function refuseLateAppState(genesisFile: string, appState: string | undefined): void {
  if (appState === undefined || !exists(genesisFile)) return
  throw new CliError(
    CLI_ERRORS.usage,
    `--app-state is for a new chain, and ${genesisFile} is of one that was made before: add --reset to begin again`,
    { data: { file: genesisFile } },
  )
}
