import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * The programs of other projects that tests and benchmarks run. Each has an environment variable, whose value is used
 * before `PATH` is searched.
 */
const VARIABLES = {
  cometbft: 'COMETBFT_BIN',
  'abci-cli': 'ABCI_CLI_BIN',
  priv_val_server: 'PRIV_VAL_SERVER_BIN',
  cometmock: 'COMETMOCK_BIN',
  anvil: 'ANVIL_BIN',
} as const

export type OtherProgram = keyof typeof VARIABLES

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the path of a program of another project: the value of its environment variable, or the first one on `PATH`.
 * Returns `undefined` if the program is missing, and prints that the tests named by `skipped` are skipped.
 */
export function findProgram(name: OtherProgram, skipped?: string): string | undefined {
  const chosen = process.env[VARIABLES[name]]
  if (chosen !== undefined && chosen !== '') return chosen
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable)
  if (found === undefined && skipped !== undefined) {
    console.log(`skipped: ${skipped} needs '${name}' on PATH or ${VARIABLES[name]}`)
  }
  return found
}
