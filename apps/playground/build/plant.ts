import { type PlantedBug, placesOf, plantAt } from '@org/sim/planted'
import type { Plugin } from 'vite'

/** Plants a bug while the nodes are bundled. Fails if the bundle does not contain the code that the bug changes. */
export function plantedBug(bug: PlantedBug): Plugin {
  const missing = new Set(placesOf(bug))
  return {
    name: `plant-${bug.name}`,
    enforce: 'pre',
    transform: (code, id) => {
      const own = placesOf(bug).filter(({ file }) => id.endsWith(file))
      if (own.length === 0) return undefined
      for (const place of own) missing.delete(place)
      return own.reduce((changed, place) => plantAt(place, changed, bug.name), code)
    },
    buildEnd: (error) => {
      if (error !== undefined) return
      for (const { file } of missing) throw new Error(`the bug ${bug.name}: ${file} is not in the bundle`)
    },
  }
}
