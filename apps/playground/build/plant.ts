import type { Plugin } from 'vite'
import type { PagePlant } from './planted.ts'

/** Plants a bug while the nodes are bundled. Fails if the code has no such place any more. */
export function plantedBug({ name, file, find, replace }: PagePlant): Plugin {
  let isPlanted = false
  return {
    name: `plant-${name}`,
    enforce: 'pre',
    transform: (code, id) => {
      if (!id.endsWith(file)) return undefined
      const count = code.split(find).length - 1
      if (count !== 1) throw new Error(`the bug ${name}: ${file} has its place ${count} times: the code has changed`)
      isPlanted = true
      return code.replace(find, () => replace)
    },
    buildEnd: (error) => {
      if (error === undefined && !isPlanted) throw new Error(`the bug ${name}: ${file} is not in the bundle`)
    },
  }
}
