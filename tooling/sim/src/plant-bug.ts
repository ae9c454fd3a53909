import { registerHooks } from 'node:module'
import { type PlantedBug, placesOf } from './planted-bug.ts'

/** From this call on, the files load with the bug. To be called before anything imports the files. */
export function plantBug(mutant: PlantedBug): void {
  const places = placesOf(mutant)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const place = places.find(({ file }) => url.endsWith(file))
      if (place === undefined) return loaded
      const { file, find, replace } = place
      const source = loaded.source
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
      const count = text.split(find).length - 1
      if (count !== 1)
        throw new Error(`mutant ${mutant.name}: ${file} has its place ${count} times: the code has changed`)
      return { ...loaded, source: text.replace(find, () => replace) }
    },
  })
}
