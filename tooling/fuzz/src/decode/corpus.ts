import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../corpus/', import.meta.url))
/**
 * The maximum size of the file of one decoder, in bytes. With this limit, the files of all decoders together are
 * smaller than a megabyte.
 */
const MAX_BYTES = 12_000

const fileOf = (decoder: string): string => `${FOLDER}${decoder.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase()}.txt`

/** Returns the inputs that the repository keeps for a decoder. Each line of the file is one input in base64. */
export function loadCorpus(decoder: string): readonly Uint8Array[] {
  const file = fileOf(decoder)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => new Uint8Array(Buffer.from(line, 'base64')))
}

/**
 * Writes the inputs to the file of the decoder, in their order. An input that would make the file larger than the
 * limit is left out.
 */
export function saveCorpus(decoder: string, inputs: readonly Uint8Array[]): void {
  let size = 0
  const lines: string[] = []
  for (const input of inputs) {
    const line = Buffer.from(input).toString('base64')
    if (line === '' || size + line.length + 1 > MAX_BYTES) continue
    size += line.length + 1
    lines.push(line)
  }
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(fileOf(decoder), `${lines.join('\n')}\n`)
}
