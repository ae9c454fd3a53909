import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'] as const

/**
 * Returns the path of a Chromium on `PATH`; `undefined` if there is no Chromium. `skipped` names the tests that need a
 * Chromium. If there is no Chromium, the function prints that these tests are skipped.
 */
export function findChromium(skipped?: string): string | undefined {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file))
  if (found === undefined && skipped !== undefined) console.log(`skipped: ${skipped}`)
  return found
}
