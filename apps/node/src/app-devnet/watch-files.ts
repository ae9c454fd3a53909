import { existsSync, type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Clock, messageOf, type Timer } from '@org/runtime'
import { APP_ERRORS, AppError } from './errors.ts'
import { textOf } from './module-graph.ts'

/**
 * The changed files are read when this number of milliseconds has passed since the last change. An editor may write a
 * file in several steps.
 */
const QUIET_MS = 50

export interface FileWatch {
  /**
   * Watches the files in `files`, and stops watching all other files. `files` maps the path of each file to the text
   * that was loaded, or to `undefined` for a missing file. After `close`, this function does nothing.
   */
  readonly follow: (files: ReadonlyMap<string, string | undefined>) => void
  readonly close: () => void
}

/**
 * Calls `onChange` with the files whose text changed, but not for a file that was saved without a change. Watches the
 * folders, because many editors replace a file instead of writing to it.
 */
export function createFileWatch(onChange: (files: readonly string[]) => void, clock: Clock): FileWatch {
  const folders = new Map<string, FSWatcher>()
  let texts: ReadonlyMap<string, string | undefined> = new Map()
  let pause: Timer | undefined
  const ended = new AbortController()
  const { signal } = ended
  signal.addEventListener('abort', () => pause?.cancel(), { once: true })

  function compare(): void {
    pause = undefined
    const changed = [...texts].filter(([file, text]) => textOf(file) !== text).map(([file]) => file)
    if (changed.length === 0) return
    texts = new Map([...texts.keys()].map((file) => [file, textOf(file)]))
    onChange(changed)
  }

  function compareSoon(): void {
    pause?.cancel()
    pause = clock.after(QUIET_MS, compare)
  }

  function open(folder: string): FSWatcher {
    try {
      const watcher = watch(folder, { signal }, (_event, name) => {
        const isOurs =
          name === null || [...texts.keys()].some((file) => dirname(file) === folder && basename(file) === name)
        if (isOurs) compareSoon()
      })
      watcher.on('error', compareSoon)
      return watcher
    } catch (error) {
      throw new AppError(
        APP_ERRORS.watch,
        `cannot watch the folder ${folder}: ${messageOf(error)}. Start without --watch`,
        {
          data: { folder },
          cause: error,
        },
      )
    }
  }

  return {
    follow: (files) => {
      if (signal.aborted) return
      texts = files
      const wanted = new Set([...files.keys()].map(dirname).filter((folder) => existsSync(folder)))
      for (const [folder, watcher] of folders) {
        if (wanted.has(folder)) continue
        watcher.close()
        folders.delete(folder)
      }
      for (const folder of wanted) if (!folders.has(folder)) folders.set(folder, open(folder))
      // A file may have changed after it was loaded and before it was watched. The system does not report such a
      // change, so the texts are compared.
      compareSoon()
    },
    close: () => ended.abort(),
  }
}
