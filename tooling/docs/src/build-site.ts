import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { findDeadLinks } from './built-links.ts'
import { DocsError } from './docs-error.ts'

const vitepress = join(dirname(createRequire(import.meta.url).resolve('vitepress/package.json')), 'bin/vitepress.js')

/**
 * Runs a server on loopback with the pages of a folder, until the user presses Ctrl-C. A page changes at once when
 * its document changes.
 */
export async function previewSite(folder: string): Promise<void> {
  const args = ['--no-warnings', vitepress, 'dev', folder, '--host', '127.0.0.1']
  await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
}

/**
 * The maximum number of dead links that an error lists. The list of links at the left is on every page, so a dead link
 * in it is found on hundreds of pages.
 */
const MAX_SHOWN = 20

/** The folders of a build, and the address of the site. */
export interface BuildOptions {
  /** The folder that has `.vitepress/config.ts`. */
  readonly folder: string
  /** The folder into which the site is built. Everything in it is removed first. */
  readonly output: string
  /** The path of the site on its server. Default: `/`. */
  readonly base?: string
}

/**
 * Builds the site of a folder with VitePress. VitePress runs in a separate process, because VitePress changes the
 * environment variables of its process. Throws `DOCS_BUILD_FAILED` if VitePress fails, for example at a link to a
 * missing page. Throws `DOCS_DEAD_LINK` if a link leads to a missing heading.
 */
export async function buildSite({ folder, output, base = '/' }: BuildOptions): Promise<void> {
  const flags = ['build', folder, '--outDir', output, '--base', base]
  const child = spawn(process.execPath, ['--no-warnings', vitepress, ...flags], { stdio: 'pipe' })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += String(data)))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new DocsError('DOCS_BUILD_FAILED', `the site cannot be built:\n${text}`)
  const dead = findDeadLinks(output, base)
  if (dead.length === 0) return
  const shown = dead.slice(0, MAX_SHOWN).join('\n')
  throw new DocsError('DOCS_DEAD_LINK', `${dead.length} links without a target, among them:\n${shown}`)
}
