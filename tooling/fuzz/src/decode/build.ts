import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { instrument } from './instrument.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Native modules, and the module of the recordings, which finds them by its own path. */
const EXTERNAL = [/^node:/, 'sodium-native', 'classic-level', '@org/golden']

export interface Built {
  /** The URL of the program. */
  readonly file: string
  /** The beginning of the hash of the code before it was instrumented. */
  readonly source: string
}

/** Names of the files that the code came from depend on the folder in which the fuzzer was started. */
const hashOf = (code: string): string =>
  createHash('sha256')
    .update(code.replace(/^\/\/#(?:region|endregion).*$/gm, ''))
    .digest('hex')
    .slice(0, 12)

/** Bundles all decoders into one file with a call at each branch. */
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
