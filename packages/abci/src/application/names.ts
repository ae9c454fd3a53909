/** Returns a name in a form that is the same for all spellings: `gas_wanted` and `GasWanted` become `gaswanted`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll('_', '').replaceAll('-', '')
}

/** True for an object that is not an instance of a class: a literal, or an object without a prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null) return true
  // An object literal of another realm, such as the context of a test runner, has the `Object.prototype` of that realm.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'hasOwnProperty')
}

/** Returns the names of an object's own members, and of the members of its class and the base classes. */
export function memberNames(value: object): readonly string[] {
  const ownNames = Object.getOwnPropertyNames(value)
  if (isPlainObject(value)) return ownNames
  const inherited = memberNames(Object.getPrototypeOf(value) as object).filter((name) => name !== 'constructor')
  return ownNames.concat(inherited)
}
