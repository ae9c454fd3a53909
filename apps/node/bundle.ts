import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildExplorer } from '@org/explorer/build'
import { type OutputChunk, type RolldownBuild, rolldown } from 'rolldown'

/** Dependencies that are not put into the bundle, because they have native code or because few nodes load them. */
const EXTERNAL = [/^node:/, 'pino', 'sodium-native']
/**
 * The file of `classic-level` that loads native code from its own folder. The bundle contains all other files of
 * `classic-level`.
 */
const NATIVE_LEVEL = 'classic-level/binding.js'

/** The sources that use their own path (`import.meta`). In a bundle, they get the path of the bundle. */
const ASK_WHERE = [
  'apps/node/src/main.ts',
  'apps/node/src/app-devnet/module-graph.ts',
  'apps/node/src/logging/create-logger.ts',
  'apps/node/src/node/explorer.ts',
  'rpc/src/transports/viewer.ts',
  'runtime/src/sodium/sodium.ts',
]

/**
 * The number of bundles that are kept, including the new one. A node that runs may still load a part of an older
 * bundle.
 */
const KEPT_BUNDLES = 4
/** The file that holds, for each kept bundle, the time at which the bundling began. */
const TIMES = 'begun.json'

const ENTRY = 'main.mjs'
/**
 * The modules that are imported dynamically when a short command, such as `version`, runs. The module `run.ts` is
 * imported for every command, so also for a short one. The modules `version.ts` and `keys.ts` contain the short
 * commands, and are imported only for these commands.
 */
const COMMAND = ['src/cli/run.ts', 'src/commands/version.ts', 'src/commands/keys.ts']
/** The modules that the start of a node imports dynamically. */
const START = [
  'src/commands/start.ts',
  'src/node/create-node.ts',
  '../kvstore/src/index.ts',
  '../../packages/engine/src/entries/storage.ts',
]
/** The modules that `halley light` imports dynamically. */
const LIGHT = ['src/commands/light.ts']
const here = fileURLToPath(new URL('.', import.meta.url))

/**
 * Replaces characters outside ASCII by escapes. Code without comments has such characters only in strings, templates
 * and regular expressions, which all allow these escapes.
 */
function escapeWide(code: string): string {
  return code.replace(/[\u0080-\uffff]/g, (wide) => `\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/**
 * Removes the files that are older than the oldest kept bundle. Each run writes all files of its bundle again, also the
 * unchanged files. So the files of all kept bundles are newer, and a removed file belongs to no kept bundle.
 */
async function removeEarlier(target: string, began: number): Promise<void> {
  const path = join(target, TIMES)
  const before: unknown = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => [])
  const times = [...(Array.isArray(before) ? before.filter(Number.isFinite) : []), began].slice(-KEPT_BUNDLES)
  await writeFile(path, JSON.stringify(times))
  const first = times.length < KEPT_BUNDLES ? Number.NEGATIVE_INFINITY : Math.min(...times)
  for (const name of await readdir(target)) {
    const file = join(target, name)
    // Another run may remove the file at the same time.
    const written = await stat(file).catch(() => undefined)
    if (name !== ENTRY && written !== undefined && written.mtimeMs < first) await rm(file, { force: true })
  }
}

/**
 * Returns the modules that Node.js loads when it imports the source files `files` from the bundle. The files of the
 * bundle are named chunks, and a chunk contains one or more modules. For each source file, Node.js loads the chunk of
 * this source file. It also loads all chunks that this chunk imports, directly or through other chunks. The result
 * contains all modules of the loaded chunks.
 */
function loadedWith(files: readonly string[], chunks: readonly OutputChunk[]): ReadonlySet<string> {
  const entries = files.map((file) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(here, file))
    if (chunk === undefined) throw new Error(`no dynamic import of ${file} is left: see COMMAND, START and LIGHT`)
    return chunk
  })
  const found = new Set(entries)
  for (const { imports } of found) {
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk)
  }
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds))
}

/**
 * Returns the name of a bundle file for each module that the start of a node loads, without the modules that `main.ts`
 * loads for every command. Without these names, the bundler would put the modules into more than a hundred small files,
 * and Node.js needs time to find each file.
 *
 * There are three names. The file `command` contains the modules that a short command also loads. The file
 * `start-and-light` contains the further modules that `halley light` also loads. The file `start` contains the modules
 * that only the start of a node loads. So a short command and `halley light` do not load the file `start`. Each file
 * imports only files that are before it in this list.
 */
async function partsOf(built: RolldownBuild): Promise<ReadonlyMap<string, string>> {
  const { output } = await built.generate({ format: 'esm' })
  const chunks = output.filter((each) => each.type === 'chunk')
  const main = loadedWith(['src/main.ts'], chunks)
  const command = loadedWith(COMMAND, chunks)
  const light = loadedWith(LIGHT, chunks)
  const parts = new Map<string, string>()
  for (const id of loadedWith(START, chunks)) {
    if (main.has(id)) continue
    parts.set(id, command.has(id) ? 'command' : light.has(id) ? 'start-and-light' : 'start')
  }
  return parts
}

/**
 * Bundles the sources of the command into a few files in `target`, because finding and linking several hundred modules
 * takes longer than running them. The launcher uses a bundle only if no source changed after the bundling began.
 * Returns the files of the bundle.
 */
async function bundle(target: string): Promise<readonly OutputChunk[]> {
  const began = new Date()
  const asking: string[] = []
  const built = await rolldown({
    input: join(here, 'src/main.ts'),
    platform: 'node',
    // Other files of the bundle may import from an entry file. So the bundler may add exports to an entry file.
    preserveEntrySignatures: 'allow-extension',
    external: EXTERNAL,
    plugins: [
      {
        name: 'native-level',
        resolveId: (source, importer) =>
          source === './binding' && importer?.includes('/classic-level/')
            ? { id: NATIVE_LEVEL, external: true }
            : undefined,
      },
      {
        name: 'where',
        transform: (code, id) => {
          const ours = id.startsWith('/') && !id.includes('/node_modules/')
          if (ours && code.includes('import.meta') && !ASK_WHERE.some((file) => id.endsWith(file))) asking.push(id)
        },
      },
      // V8 keeps sources in memory. A source takes twice as much memory if any of its characters is outside Latin-1, so
      // such characters are escaped.
      {
        name: 'narrow',
        generateBundle: (_, chunks) => {
          for (const chunk of Object.values(chunks)) if (chunk.type === 'chunk') chunk.code = escapeWide(chunk.code)
        },
      },
    ],
  })
  const parts = await partsOf(built)
  await mkdir(target, { recursive: true })
  // Two processes may bundle at the same time, so each process writes a file of its own.
  const entryFileNames = `${ENTRY}.${process.pid}.new`
  const { output } = await built.write({
    dir: target,
    format: 'esm',
    entryFileNames,
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
    codeSplitting: {
      groups: [{ debugName: 'parts', name: (id) => parts.get(id) ?? null }],
      includeDependenciesRecursively: false,
    },
  })
  await built.close()
  if (asking.length > 0)
    throw new Error(`import.meta in ${asking.join(', ')}: it may not work from a bundle. See ASK_WHERE`)
  // A source that was saved during the bundling may be in the bundle in its old form. So the modification time of the
  // entry file is set to the moment at which the bundling began. The changed source is then newer than the bundle, and
  // the launcher does not use the bundle.
  await utimes(join(target, entryFileNames), began, began)
  await rename(join(target, entryFileNames), join(target, ENTRY))
  await removeEarlier(target, began.getTime())
  return output.filter((each) => each.type === 'chunk')
}

/**
 * Writes `index.mjs`, the entry of the published package. It has the exports of `src/index.ts`, from a file of the
 * bundle.
 */
async function writeIndex(target: string, chunks: readonly OutputChunk[]): Promise<void> {
  const run = chunks.find(({ facadeModuleId }) => facadeModuleId === join(here, 'src/cli/run.ts'))
  if (run?.exports.includes('runCli') !== true) throw new Error('the bundle has no file that exports runCli')
  await writeFile(join(target, 'index.mjs'), `export { runCli } from './${run.fileName}'\n`)
}

const published = process.argv[2]
const target = resolve(published ?? join(here, 'node_modules/.cache/bundle'))
const chunks = await bundle(target)
if (published !== undefined) await writeIndex(target, chunks)
await buildExplorer(join(target, '../explorer'))
