import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { CONFIG_KEYS } from './sections.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface FoundHome {
  readonly home: string
  /** The source of the home's path: the flag `--home` or an environment variable; `undefined` for the default path. */
  readonly homeGiven: 'flag' | 'variable' | undefined
}

/** Returns the home: `--home`, else `HALLEY_HOME`, else `CMTHOME`, else `$HOME/.halley`. An empty value is ignored. */
export function findHome(flag: string | undefined, env: Environment): FoundHome {
  if (flag !== undefined && flag !== '') return { home: resolve(flag), homeGiven: 'flag' }
  const variable = env.HALLEY_HOME || env.CMTHOME
  if (variable) return { home: resolve(variable), homeGiven: 'variable' }
  return { home: resolve(join(env.HOME || homedir(), '.halley')), homeGiven: undefined }
}

/** Reads the value of each key from the environment: `HALLEY_RPC_LADDR`, else `CMT_RPC_LADDR`, else `CMTRPC_LADDR`. */
export function readEnvironment(env: Environment): Map<string, { readonly name: string; readonly value: string }> {
  const found = new Map<string, { name: string; value: string }>()
  for (const { path } of CONFIG_KEYS) {
    const suffix = path.toUpperCase().replace(/[.-]/g, '_')
    for (const name of [`HALLEY_${suffix}`, `CMT_${suffix}`, `CMT${suffix}`]) {
      const value = env[name]
      if (value === undefined || value === '') continue
      found.set(path, { name, value })
      break
    }
  }
  return found
}
