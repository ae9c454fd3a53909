import { existsSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { messageOf } from '@org/runtime'
import { APP_ERRORS, AppError } from './errors.ts'
import { stripTypes } from './strip-types.ts'

/**
 * The query parameter in the URL of each module of an application. Its value is the serial number of the load. So each
 * load has new URLs, and the runtime loads the module again.
 */
const MARK = 'load'
const OWN_SPECIFIER = /^(\.{0,2}\/|#|file:)/
const TYPESCRIPT = /\.m?ts$/
/**
 * The endings that are tried if an import names a missing file. For example, the file of `./state` or `./state.js` may
 * be `./state.ts`. The error suggests the first of these files that exists.
 */
const ENDINGS = ['.ts', '.mts', '.js', '.mjs', '/index.ts'] as const

export interface LoadedModule {
  readonly exports: Readonly<Record<string, unknown>>
}

export interface ModuleGraph {
  /**
   * Loads a file, and each file that it imports by a path. Files that were loaded before are loaded again; a package is
   * loaded only once. Rejects with an `AppError`.
   */
  readonly load: (file: string) => Promise<LoadedModule>
  /** The files that the last load needed, with their texts; `undefined` for a file that is missing. */
  readonly files: () => ReadonlyMap<string, string | undefined>
  readonly close: () => void
}

function loadOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') === true ? (new URL(url).searchParams.get(MARK) ?? undefined) : undefined
}

/** The text of a file; `undefined` if it cannot be read. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Creates a graph that loads modules. Until it is closed, the graph uses hooks of the runtime's module loader. Errors
 * show the paths of files relative to `folder`.
 */
export function createModuleGraph(folder: string): ModuleGraph {
  let files = new Map<string, string | undefined>()
  let loads = 0
  const nameOf = (file: string): string => relative(folder, file) || basename(file)

  function missingImport(specifier: string, parentURL: string, cause: unknown): AppError {
    const parent = fileURLToPath(parentURL)
    const isPath = OWN_SPECIFIER.test(specifier)
    let advice = `install it with npm install ${specifier}`
    if (isPath && !specifier.startsWith('#')) {
      const wanted = fileURLToPath(new URL(specifier, parentURL))
      // The missing file is added to the files that are watched, so that the application is loaded again when the file
      // is created.
      files.set(wanted, textOf(wanted))
      const ending = ENDINGS.find((text) => existsSync(withEnding(wanted, text)))
      if (ending !== undefined) files.set(withEnding(wanted, ending), textOf(withEnding(wanted, ending)))
      advice = ending === undefined ? 'there is no such file' : `write ${JSON.stringify(withEnding(specifier, ending))}`
    }
    return new AppError(
      APP_ERRORS.importMissing,
      `${nameOf(parent)} imports ${JSON.stringify(specifier)}, which was not found: ${advice}`,
      { data: { file: parent, specifier }, cause },
    )
  }

  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const { parentURL } = context
      const mark = loadOf(parentURL)
      if (mark === undefined || parentURL === undefined || specifier.startsWith('node:'))
        return next(specifier, context)
      let found: ReturnType<typeof next>
      try {
        found = next(specifier, context)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
        found = besideHalley(
          specifier,
          (own) => next(specifier, { ...context, parentURL: own }),
          () => {
            throw missingImport(specifier, parentURL, error)
          },
        )
      }
      if (!OWN_SPECIFIER.test(specifier) || !found.url.startsWith('file:')) return found
      const url = new URL(found.url)
      // If the import has a query, such as `./state.ts?a`, it stays in the URL. Each query makes a module of its own.
      url.searchParams.set(MARK, mark)
      if (!existsSync(fileURLToPath(url))) throw missingImport(specifier, parentURL, undefined)
      return { ...found, url: url.href }
    },
    load: (url, context, next) => {
      if (loadOf(url) === undefined) return next(url, context)
      const file = fileURLToPath(url)
      const text = textOf(file)
      files.set(file, text)
      if (text === undefined || !TYPESCRIPT.test(file)) return next(url, context)
      return { format: 'module', source: stripTypes(text, nameOf(file)), shortCircuit: true }
    },
  })

  return {
    load: async (file) => {
      files = new Map([[file, textOf(file)]])
      if (files.get(file) === undefined) {
        throw new AppError(APP_ERRORS.missing, `--app: there is no file ${file}, or it cannot be read`, {
          data: { file },
        })
      }
      loads++
      const url = pathToFileURL(file)
      url.searchParams.set(MARK, String(loads))
      try {
        return { exports: (await import(url.href)) as Readonly<Record<string, unknown>> }
      } catch (error) {
        if (error instanceof AppError) throw error
        if (error instanceof SyntaxError) throw syntaxError(error, nameOf(file))
        throw new AppError(APP_ERRORS.threw, `${nameOf(file)} failed while it was loaded: ${messageOf(error)}`, {
          data: { file },
          cause: error,
        })
      }
    },
    files: () => files,
    close: () => hooks.deregister(),
  }
}

/**
 * Returns the error for wrong syntax that the runtime finds. The runtime does not report which file has this syntax.
 */
function syntaxError(error: SyntaxError, name: string): AppError {
  const advice = error.message.startsWith('Invalid or unexpected token') ? ' (decorators are not supported)' : ''
  const message = `${name}, or a file that it imports, cannot be loaded: ${error.message}${advice}`
  return new AppError(APP_ERRORS.syntax, message, { cause: error })
}

/** Returns the path with `ending` at its end. `ending` replaces `.js` or `.mjs`, if the path ends in it. */
function withEnding(path: string, ending: string): string {
  return path.replace(/\.m?js$/, '') + ending
}

/**
 * Resolves an import such as `@org/types` to Halley's own packages. This is needed if the application's folder has no
 * installed packages.
 */
function besideHalley<T>(specifier: string, resolve: (parentURL: string) => T, fail: () => T): T {
  if (!specifier.startsWith('@org/')) return fail()
  try {
    return resolve(import.meta.url)
  } catch {
    return fail()
  }
}
