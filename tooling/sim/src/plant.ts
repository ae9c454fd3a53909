import { registerHooks } from 'node:module'
import type { Mutant } from './mutant.ts'

/** From now on the file loads with the bug in it. Must come before anything that imports the file. */
export function plant({ file, find, replace, name }: Mutant): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.endsWith(file)) return loaded
      const source = loaded.source
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
      const count = text.split(find).length - 1
      if (count !== 1) throw new Error(`mutant ${name}: ${file} has its place ${count} times: the code has changed`)
      return { ...loaded, source: text.replace(find, () => replace) }
    },
  })
}
