import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { instrument } from './instrument.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * The modules that are not in the bundle: the modules of Node.js, native modules, and `@org/golden`. `@org/golden`
 * finds the recordings by the path of its own source file, so its code must stay in that file.
 */
const EXTERNAL = [/^node:/, 'sodium-native', 'classic-level', '@org/golden']

export interface Built {
  /** The URL of the file with the instrumented decoders. */
  readonly file: string
  /** The beginning of the hash of the decoders' code, taken before the code was instrumented. */
  readonly source: string
}

/**
 * Returns the beginning of the hash of the code. Comments with file names are removed first, because these names
 * depend on the folder in which the fuzzer was started.
 */
const hashOf = (code: string): string =>
  createHash('sha256')
    .update(code.replace(/^\/\/#(?:region|endregion).*$/gm, ''))
    .digest('hex')
    .slice(0, 12)

/** Bundles all decoders into one file, and adds a call at each branch, which records the coverage. */
export async function buildInstrumented(): Promise<Built> {
  const folder = here('../../node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  let source = ''
  const file = `${folder}/decoders-${process.pid}.mjs`
  const built = await rolldown({
    input: here('./entry.ts'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [
      {
        name: 'coverage',
        renderChunk: (code) => {
          source = hashOf(code)
          return instrument(code)
        },
      },
    ],
  })
  await built.write({ file, format: 'esm', codeSplitting: false })
  await built.close()
  return { file: pathToFileURL(file).href, source }
}
