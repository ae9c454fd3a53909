import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder of the generated pages, as a path from the root of the repository. This folder is not inside a folder
 * `dist`, because VitePress ignores such folders.
 */
export const GENERATED = 'tooling/docs/generated'

/**
 * Documents for which the patterns in `addressOf` do not give the path of the page. Each document is listed with the
 * path of its page.
 */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'README.md': 'overview.md',
  'ARCHITECTURE.md': 'architecture.md',
  'LIMITS.md': 'limits.md',
  'GLOSSARY.md': 'glossary.md',
  'SECURITY.md': 'security.md',
  'CONTRIBUTING.md': 'contribute/index.md',
  'CODE_OF_CONDUCT.md': 'contribute/code-of-conduct.md',
  'docs/cosmos-sdk.md': 'guide/cosmos-sdk.md',
  'docs/hostile-input.md': 'contribute/hostile-input.md',
  'docs/style.md': 'contribute/style.md',
  'examples/README.md': 'guide/examples.md',
  'packages/rpc/DEVIATIONS.md': 'deviations.md',
  'packages/engine/docs/advisories.md': 'packages/engine-advisories.md',
}

/**
 * Returns the path of the page for a Markdown file of the repository, or `undefined` if the site does not contain the
 * file.
 */
export function addressOf(file: string): string | undefined {
  const document = DOCUMENTS[file]
  if (document !== undefined) return document
  const inFolder = /^(?:packages|apps)\/([a-z0-9-]+)\/README\.md$/.exec(file)?.[1]
  if (inFolder !== undefined) return `packages/${inFolder}.md`
  if (file.startsWith(`${GENERATED}/`)) return file.slice(GENERATED.length + 1)
  return file.startsWith('docs/') ? file.slice('docs/'.length) : undefined
}

const SKIPPED = new Set(['node_modules', '.git', '.halley', '.turbo'])

/** Returns the paths of all Markdown files in a folder and its subfolders, relative to `root`. */
export function markdownFiles(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(root, path)
    return entry.name.endsWith('.md') ? [path] : []
  })
}

/**
 * Returns the patterns of the files from which VitePress must not make pages: the installed packages, and each Markdown
 * file below `root` that has no page on the site.
 */
export function filesWithoutPage(root: string): string[] {
  const files = existsSync(root) ? markdownFiles(root) : []
  return ['**/node_modules/**', ...files.filter((file) => addressOf(file) === undefined)]
}
