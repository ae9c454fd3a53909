import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = new URL('../../../', import.meta.url).pathname
/** The folders with the sources of a simulated network and of its tools. */
const FOLDERS = [
  ...['engine', 'p2p', 'types', 'runtime', 'abci', 'rpc', 'light', 'node-rpc', 'simnet'].map((name) =>
    join('packages', name, 'src'),
  ),
  join('tooling', 'sim', 'src'),
]
const LOCK = 'pnpm-lock.yaml'

/** Returns a hash of all sources on which a run depends. With other sources, the outcome may be different. */
export function digestOfSources(root: string = ROOT): string {
  const hash = createHash('sha256')
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )
  for (const file of [...files.toSorted(), LOCK]) {
    const bytes = readFileSync(join(root, file))
    hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  }
  return hash.digest('hex')
}
