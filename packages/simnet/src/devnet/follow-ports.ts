import type { Ports } from '@org/rpc'

/**
 * Returns an object that forwards to the result of `current`, which may change. Each access to a member of the object
 * calls `current`, and returns the member of the same name from the result.
 */
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

/**
 * Returns the objects with which the RPC reads a node that is started again and again. Each call goes to the engine
 * that runs now.
 */
export function followPorts(current: () => Ports): Ports {
  const names = Object.keys(current()) as (keyof Ports)[]
  return Object.fromEntries(names.map((name) => [name, follow(() => current()[name] as object)])) as unknown as Ports
}
