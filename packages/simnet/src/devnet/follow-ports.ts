import type { Ports } from '@org/rpc'

/** Returns an object whose members are always those of the object that `current` returns at the time of the access. */
function follow(current: () => object): object {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        const target = current()
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
      has: (_, name) => name in current(),
    },
  )
}

/** The ports of a node that is started again and again: each call goes to the engine that runs now. */
export function followPorts(current: () => Ports): Ports {
  const names = Object.keys(current()) as (keyof Ports)[]
  return Object.fromEntries(names.map((name) => [name, follow(() => current()[name] as object)])) as unknown as Ports
}
