import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CREATE_ERRORS, CreateError } from './errors.ts'
import { projectDependencies } from './versions.ts'

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url))
/**
 * Maps the names of files in the template to the names of these files in a project. The template uses other names,
 * because npm and the tools of this repository act on files named `.gitignore` or `tsconfig.json`.
 */
const HIDDEN: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_package-lock.json': 'package-lock.json',
  '_tsconfig.json': 'tsconfig.json',
}

/** Matches names that npm allows for a new package without a scope. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/
/** Names that match {@link NAME}, but that npm refuses. */
const TAKEN: ReadonlySet<string> = new Set(['node_modules', 'favicon.ico'])

/** Returns a similar name that npm accepts. */
function similarName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^a-z0-9._]+/).map((word) => word.replace(/^[._]+/, ''))
  const found = words
    .filter((word) => word !== '')
    .join('-')
    .slice(0, 100)
  return NAME.test(found) && !TAKEN.has(found) ? found : 'my-chain'
}

/** Throws a {@link CreateError} (`CREATE_BAD_NAME`) if the name of the folder cannot be the name of a package. */
export function checkName(folder: string): void {
  const name = basename(resolve(folder))
  if (NAME.test(name) && !TAKEN.has(name)) return
  const rule = 'begin with a small letter or a digit, and use only small letters, digits, - . and _'
  const message = `${JSON.stringify(name)} cannot be the name of a package: ${rule}, for example ${similarName(name)}`
  throw new CreateError(CREATE_ERRORS.name, message, { data: { name } })
}

async function checkEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const others = found.filter((name) => name !== '.git')
  if (others.length === 0) return
  const message = `the folder ${folder} is not empty (it has ${others.slice(0, 3).join(', ')}): choose another name, or remove these files`
  throw new CreateError(CREATE_ERRORS.folder, message, { data: { folder } })
}

/** Returns the manifest of a new project, its `package.json`. */
async function manifestOf(name: string): Promise<string> {
  const scripts = {
    dev: 'halley devnet --app ./src/app.ts --watch --open --app-state ./genesis.json',
    test: 'vitest run',
    check: 'tsc',
    client: 'node scripts/client.ts',
    network: 'node scripts/network.ts',
  }
  const head = { name, version: '0.0.0', private: true, type: 'module', engines: { node: '>=20.19' }, scripts }
  // npm asks the user to review the install script of each package that `allowScripts` does not mention. The value
  // false means that the script does not run. `classic-level` does not need its script: the package contains its native
  // code for the usual systems.
  const allowScripts = { 'classic-level': false }
  return `${JSON.stringify({ ...head, ...(await projectDependencies()), allowScripts }, null, 2)}\n`
}

/**
 * Writes a project into `folder`, which must be new or empty. Returns the paths of the written files. Rejects with a
 * {@link CreateError} (`CREATE_BAD_NAME`, `CREATE_FOLDER_EXISTS`).
 */
export async function createProject(folder: string): Promise<readonly string[]> {
  checkName(folder)
  await checkEmpty(folder)
  await mkdir(folder, { recursive: true })
  await cp(TEMPLATE, folder, { recursive: true })
  for (const [from, to] of Object.entries(HIDDEN)) await rename(join(folder, from), join(folder, to))
  const name = basename(resolve(folder))
  await writeFile(join(folder, 'package.json'), await manifestOf(name))
  const readme = join(folder, 'README.md')
  await writeFile(readme, (await readFile(readme, 'utf8')).replaceAll('{{name}}', name))
  return (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
    .sort()
}
