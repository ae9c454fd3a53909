import { isAbsolute, join } from 'node:path'
import type { Config } from './sections.ts'

export interface HomePaths {
  readonly config: string
  readonly data: string
  readonly configFile: string
  readonly genesis: string
  readonly privValidatorKey: string
  readonly privValidatorState: string
  readonly nodeKey: string
  readonly addressBook: string
  readonly databases: string
  readonly wal: string
}

const under = (root: string, path: string): string => (isAbsolute(path) ? path : join(root, path))

export const configFileOf = (home: string): string => join(home, 'config', 'config.toml')

/** Returns the paths of all files of a home. A relative path in the configuration is relative to the home. */
export function pathsOf({ home, base, p2p, consensus }: Config): HomePaths {
  return {
    config: join(home, 'config'),
    data: join(home, 'data'),
    configFile: configFileOf(home),
    genesis: under(home, base.genesisFile),
    privValidatorKey: under(home, base.privValidatorKeyFile),
    privValidatorState: under(home, base.privValidatorStateFile),
    nodeKey: under(home, base.nodeKeyFile),
    addressBook: under(home, p2p.addrBookFile),
    databases: under(home, base.dbDir),
    wal: under(home, consensus.walFile),
  }
}

/** Returns the path of a TLS file. A relative path is relative to the folder `config`. */
export const tlsPath = (config: Config, path: string): string => under(join(config.home, 'config'), path)
