import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NO_TOTALS, type Totals } from './totals.ts'

/** The results of an interrupted run. */
export interface Done {
  readonly names: readonly string[]
  readonly totals: Totals
}

export interface Progress {
  /**
   * Loads the results of an interrupted run that had the same sources. `names` is the list of the networks that the
   * interrupted run finished. The list is empty if there are no results that can be used. If results were stored but
   * cannot be used, `note` explains why.
   */
  readonly load: () => Done & { readonly note?: string }
  readonly save: (done: Done) => void
  readonly remove: () => void
}

interface Saved extends Done {
  /** The digest of the sources with which the results were made. */
  readonly digest: string
}

const nothing = (): Done => ({ names: [], totals: structuredClone(NO_TOTALS) })

function isSaved(value: unknown): value is Saved {
  const { digest, names, totals } = (value ?? {}) as Partial<Saved>
  return typeof digest === 'string' && Array.isArray(names) && totals?.networks === names.length
}

/**
 * Stores the results of a run in `file`, with the digest of the sources. Loads only results that were stored with the
 * same `digest`.
 */
export function createProgress(file: string, digest: string): Progress {
  function load(): Done & { note?: string } {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing()
      return {
        ...nothing(),
        note: `${file} cannot be read (${(error as Error).message}): the run starts from its beginning`,
      }
    }
    const saved = parse(text)
    if (!isSaved(saved)) return { ...nothing(), note: `${file} is damaged: the run starts from its beginning` }
    const { names, totals } = saved
    if (saved.digest !== digest) {
      return {
        ...nothing(),
        note: `the sources changed, so ${names.length} results do not count: the run starts from its beginning`,
      }
    }
    return { names, totals }
  }

  return {
    load,
    save: (done) => {
      const saved: Saved = { digest, ...done }
      // The results are written to a new file, so that an interrupted write keeps the old file.
      const next = join(dirname(file), `.next-${process.pid}`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(next, JSON.stringify(saved))
      renameSync(next, file)
    },
    remove: () => rmSync(file, { force: true }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
