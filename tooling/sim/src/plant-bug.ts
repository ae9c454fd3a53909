import { registerHooks } from 'node:module'
import { type PlantedBug, placesOf, plantAt } from './planted-bug.ts'

/**
 * Replaces the texts of a planted bug in the source files while Node.js loads these files. The caller must call this
 * function before the first import of the files.
 */
export function plantBug(mutant: PlantedBug): void {
  const places = placesOf(mutant)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const placesInFile = places.filter(({ file }) => url.endsWith(file))
      if (placesInFile.length === 0) return loaded
      const source = loaded.source
      const text = typeof source === 'string' ? source : new TextDecoder().decode(source as Uint8Array)
      return { ...loaded, source: placesInFile.reduce((changed, place) => plantAt(place, changed, mutant.name), text) }
    },
  })
}
