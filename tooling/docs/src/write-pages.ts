import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GENERATED } from './addresses.ts'
import { apiPages } from './api/api-pages.ts'
import { rpcPages } from './rpc/rpc-pages.ts'

/** Writes the pages that are generated from the sources below `root` into the folder of generated pages. */
export function writePages(root: string): void {
  const folder = join(root, GENERATED)
  rmSync(folder, { recursive: true, force: true })
  for (const [page, text] of [...rpcPages(), ...apiPages(root)]) {
    const path = join(folder, page)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}
