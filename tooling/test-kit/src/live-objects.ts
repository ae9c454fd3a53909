import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { nextTurn } from '@org/runtime'

/**
 * The number of garbage collections in one call of `collectGarbage`. Callbacks that run after one collection may
 * release objects, which the next collection then frees.
 */
const ROUNDS = 3

/** Collects all objects that the program can no longer reach. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < ROUNDS; round++) {
    await nextTurn()
    collect()
  }
}

/** Objects that must be collected, each with a name. The list itself keeps none of them in memory. */
export interface WatchedObjects {
  readonly add: (name: string, object: object) => void
  /** Collects garbage. Returns the names of the objects that are still in memory. */
  readonly alive: () => Promise<readonly string[]>
}

export function watchObjects(): WatchedObjects {
  const watched: { readonly name: string; readonly ref: WeakRef<object> }[] = []
  return {
    add: (name, object) => void watched.push({ name, ref: new WeakRef(object) }),
    alive: async () => {
      await collectGarbage()
      return watched.filter(({ ref }) => ref.deref() !== undefined).map(({ name }) => name)
    },
  }
}

/** Collects garbage. Returns the number of objects of each class that are still in memory. */
export async function countLiveObjects(
  classes: readonly (abstract new (...args: never) => object)[],
): Promise<Readonly<Record<string, number>>> {
  await collectGarbage()
  return Object.fromEntries(
    classes.map((each) => [each.name, queryObjects(each as new () => object, { format: 'count' })]),
  )
}
