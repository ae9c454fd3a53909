import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { instrument } from './instrument.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Native modules, and the module of the recordings, which finds them by its own path. */
const EXTERNAL = [/^node:/, 'sodium-native', 'classic-level', '@org/golden']

/** Bundles all decoders into one file with a call at each branch. Returns the file's URL. */
export async function buildInstrumented(): Promise<string> {
  const folder = here('../../node_modules/.cache')
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/decoders-${process.pid}.mjs`
  const built = await rolldown({
    input: here('./entry.ts'),
    platform: 'node',
    external: EXTERNAL,
    plugins: [{ name: 'coverage', renderChunk: (code) => instrument(code) }],
  })
  await built.write({ file, format: 'esm', codeSplitting: false })
  await built.close()
  return pathToFileURL(file).href
}
