import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../corpus/', import.meta.url))
/** Keeps all decoders together below a megabyte. */
const MAX_BYTES = 12_000

const fileOf = (decoder: string): string => `${FOLDER}${decoder.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase()}.txt`

/** The inputs that are kept for a decoder, one in base64 on each line. */
export function loadCorpus(decoder: string): readonly Uint8Array[] {
  const file = fileOf(decoder)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => new Uint8Array(Buffer.from(line, 'base64')))
}

/** Keeps the first inputs, as many as there is room for. */
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
