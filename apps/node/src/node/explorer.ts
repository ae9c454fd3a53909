import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createSite, type Site } from '@org/rpc/server'
import type { Config } from '../config/index.ts'

const PATH = '/explorer'

/**
 * The folders that may contain the explorer's built files: beside the bundle, beside the folder of this module in the
 * published package, or in the cache of the repository, which `pnpm run prepare` writes.
 */
const FOLDERS: readonly string[] = ['../explorer/', '../../node_modules/.cache/explorer/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
)

const MISSING =
  "the explorer is not built: run 'npx pnpm@12.21.0 run prepare' in the repository, or install @org/node again"

/** The content security policy: the page may use only its own scripts and styles, and may call only its own node. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

async function filesBelow(folder: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = async (path: string) =>
    [relative(folder, path).split(sep).join('/'), new Uint8Array(await readFile(path))] as const
  return new Map(await Promise.all(paths.map(read)))
}

/**
 * Reads the files of the explorer page from the first folder that has this page. Resolves with no files if no folder
 * has the page.
 */
async function readFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  for (const folder of FOLDERS) {
    const files = await filesBelow(folder).catch(() => undefined)
    if (files?.has('index.html') === true) return files
  }
  return new Map()
}

/** Returns the explorer page, if the configuration enables it. The files of the page are read at the first request. */
export function siteOf({ rpc }: Config): { readonly site?: Site } {
  if (!rpc.explorer) return {}
  return { site: createSite({ path: PATH, read: readFiles, missing: MISSING, policy: POLICY }) }
}

/** The address of the explorer page; `undefined` if the node does not serve this page. */
export function explorerUrl(url: string, { rpc }: Config): string | undefined {
  return rpc.explorer && !rpc.strict ? `${url}${PATH}/` : undefined
}

/**
 * Returns the line of the banner with the address of the explorer page; an empty text if the node does not serve this
 * page.
 */
export function explorerLine(url: string, config: Config): string {
  const page = explorerUrl(url, config)
  return page === undefined ? '' : `  page   ${page}\n`
}
