import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { configFileOf } from '../config/index.ts'
import { HOME_ERRORS, HomeError } from './errors.ts'
import { exists, PUBLIC_MODE, unreadable, writeWhole } from './files.ts'

/** The file that shows that the command `devnet` made a home. */
const MARKER = 'made-by-halley-devnet.txt'

const TEXT = `The command "halley devnet" made this home, and "halley devnet --reset" may remove its chain.
If the home has become the home of another chain, remove this file.
`

/** Returns true if the home has the marker of the command `devnet`. Homes that older versions made have no marker. */
export const hasDevnetMarker = (home: string): boolean => exists(join(home, MARKER))

/**
 * Matches the names of files and folders that a home may contain before a devnet uses it for the first time. These are
 * hidden files, the folder `lost+found` of file systems, and the files of the demo application, which may start before
 * its devnet. All other files in the folders `config` and `data` show that another program made the home.
 */
const IGNORED = /^(\..*|kvstore\.db.*|kvstore-snapshots|lost\+found)$/

/**
 * Returns the path of any file in the folder or in a folder below it; `undefined` if there is no file. Ignores files
 * and folders whose name {@link IGNORED} matches.
 */
function someFile(folder: string): string | undefined {
  if (!exists(folder)) return undefined
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (IGNORED.test(entry.name)) continue
      const path = join(folder, entry.name)
      const found = entry.isDirectory() ? someFile(path) : path
      if (found !== undefined) return found
    }
    return undefined
  } catch (error) {
    throw error instanceof HomeError ? error : unreadable(folder, error)
  }
}

/** The folders of a home. A devnet uses and removes only files of these folders. */
const FOLDERS = ['config', 'data']

/**
 * Claims a home for the command `devnet`. Does nothing if the home has a config.toml or the marker. Writes the marker
 * if the home is new: it has no config.toml, and no files in its folders `config` and `data`.
 *
 * Throws a `HomeError` if a home without config.toml has files in `config` or `data`. Another program has then made the
 * home, and a devnet would use the keys or the chain of that program. Files outside of these two folders are not
 * checked and stay as they are, for example the log of the devnet or the files of a project.
 */
export function claimForDevnet(home: string): void {
  if (exists(configFileOf(home)) || hasDevnetMarker(home)) return
  const file = FOLDERS.map((folder) => someFile(join(home, folder))).find((path) => path !== undefined)
  if (file === undefined) {
    writeWhole(join(home, MARKER), TEXT, PUBLIC_MODE)
    return
  }
  const advice = `Choose an empty or a new folder with --home. To run a devnet in this home nevertheless, first run halley init --home ${home}, which writes config.toml`
  throw new HomeError(
    HOME_ERRORS.foreign,
    `the home ${home} was not made by halley devnet: it has no config/config.toml, but other files in config or data, such as ${file}. ${advice}`,
    { data: { file } },
  )
}
