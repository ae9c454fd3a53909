import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const

/** The Chromium of this machine; `undefined` if none is on `PATH`. Then the output has the line `skipped`, if it is given. */
export function findChromium(skipped?: string): string | undefined {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  if (found === undefined && skipped !== undefined) console.log(`skipped: ${skipped}`)
  return found
}
