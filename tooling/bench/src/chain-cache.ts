import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The folder in which generated chains stay between runs. Git ignores the folder, and it may be removed at any time.
 */
export const CHAIN_CACHE: string = new URL('../.cache', import.meta.url).pathname

/**
 * A generated chain in the cache. Each set of parameters, and each version of the code that generates chains, has its
 * own chain, which is generated only once.
 */
export interface CachedChain {
  readonly name: string
  /** The parameters on which the content of the chain depends, in addition to `sources`. */
  readonly parameters: Readonly<Record<string, number | string>>
  /** The source files that generate the content. When one of them changes, the chain is generated again. */
  readonly sources: readonly URL[]
  readonly make: (folder: string) => Promise<void>
}

export interface CacheLimits {
  /** The maximum number of chains in the cache, including the chain that is used now. */
  readonly maxEntries: number
  /** The maximum total size in bytes of all chains in the cache, without the chain that is used now. */
  readonly maxBytes: number
}

const LIMITS: CacheLimits = { maxEntries: 6, maxBytes: 8 * 1024 ** 3 }

const MAKING = /\.making-(\d+)$/

async function folderOf({ name, parameters, sources }: CachedChain): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(parameters))
  for (const source of sources) hash.update(await readFile(source))
  const shown = Object.values(parameters).map((value) => `${value}`.replace(/\W/g, '_'))
  return [name, ...shown, hash.digest('hex').slice(0, 16)].join('-')
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const sizes = await Promise.all(files.map((file) => stat(file)))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/**
 * Removes the unfinished folders of runs that were killed, and the chains beyond the limits. The chains that were not
 * used for the longest time are removed first.
 */
async function prune(root: string, used: string, { maxEntries, maxBytes }: CacheLimits): Promise<void> {
  const names = (await readdir(root)).filter((name) => name !== used)
  const abandoned = names.filter((name) => MAKING.test(name) && !isRunning(Number(MAKING.exec(name)?.[1])))
  const whole = names.filter((name) => !MAKING.test(name))
  const ages = await Promise.all(whole.map(async (name) => ({ name, ms: (await stat(join(root, name))).mtimeMs })))
  ages.sort((a, b) => b.ms - a.ms)
  let bytes = 0
  for (const [i, { name }] of ages.entries()) {
    bytes += await bytesOf(join(root, name))
    if (i + 1 >= maxEntries || bytes > maxBytes) abandoned.push(name)
  }
  for (const name of abandoned) await rm(join(root, name), { recursive: true, force: true })
}

/** Returns the folder of the chain. Generates the chain first if the cache does not have it. */
export async function cachedChain(
  chain: CachedChain,
  root: string = CHAIN_CACHE,
  limits: CacheLimits = LIMITS,
): Promise<string> {
  await mkdir(root, { recursive: true })
  const name = await folderOf(chain)
  const folder = join(root, name)
  const isMade = await stat(folder).then(
    () => true,
    () => false,
  )
  if (!isMade) {
    const making = `${folder}.making-${process.pid}`
    try {
      await mkdir(making, { recursive: true })
      await chain.make(making)
      await rename(making, folder)
    } catch (error) {
      await rm(making, { recursive: true, force: true })
      throw error
    }
  }
  // The time of use of the chain, in seconds with a fraction. A `Date` has only whole milliseconds, so two chains could
  // get the same time of use.
  const now = (performance.timeOrigin + performance.now()) / 1000
  await utimes(folder, now, now)
  await prune(root, name, limits)
  return folder
}
