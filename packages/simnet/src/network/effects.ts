import type { Effect, EffectHook } from '../faults/index.ts'
import type { SimNode } from '../node/index.ts'

/**
 * An effect of a node. An effect gets its number later, when {@link Effects} counts it. `name` is a function, because a
 * name is made only if a hook needs it.
 */
export interface NamedEffect {
  readonly kind: Effect['kind']
  readonly name: () => string
}

/** Counts the effects of each node, and calls the hooks before and after each of them. */
export interface Effects {
  readonly report: (from: string, when: 'before' | 'after', effect: NamedEffect) => void
  readonly watch: (hook: EffectHook) => void
}

export function createEffects(nodeOf: (name: string) => SimNode | undefined): Effects {
  const counts = new Map<string, number>()
  const hooks: EffectHook[] = []
  return {
    report: (from, when, { kind, name }) => {
      if (when === 'before') counts.set(from, (counts.get(from) ?? 0) + 1)
      if (hooks.length === 0) return
      const node = nodeOf(from)
      if (node === undefined) return
      const effect = { kind, name: name(), number: counts.get(from) ?? 0 }
      for (const hook of hooks) hook(node, effect, when)
    },
    watch: (hook) => void hooks.push(hook),
  }
}
