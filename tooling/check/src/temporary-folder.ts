import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Calls `use` with a new folder, whose name begins with `prefix`. Removes the folder at the end. */
export function inTemporaryFolder<Result>(prefix: string, use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
