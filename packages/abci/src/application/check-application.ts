import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { METHOD_NAMES, type MethodName } from '../messages/index.ts'
import { describe } from './answer/index.ts'

/** Throws an `AbciError` with `ABCI_BAD_APPLICATION`, which says what to write, if `app` cannot be an application. */
export function checkApplication(app: unknown): void {
  if (isClass(app)) throw bad(`app is the class ${app.name}: pass an instance of it, \`new ${app.name}()\``)
  if (typeof app === 'function') throw bad('app is a function: call it and pass the application that it returns')
  if (typeof app !== 'object' || app === null) {
    throw bad(`app must be an object with methods such as checkTx and finalizeBlock, got ${describe(app)}`)
  }
  for (const name of METHOD_NAMES) {
    const method = (app as Readonly<Record<string, unknown>>)[name]
    if (method !== undefined && typeof method !== 'function') {
      throw bad(`app.${name} must be a function, got ${describe(method)}`)
    }
  }
  checkSpelling(app)
}

const plain = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '')
const BY_PLAIN_NAME = new Map<string, MethodName>(METHOD_NAMES.map((name) => [plain(name), name]))

/** A method such as `checktx` would never be called, and the application would accept everything instead. */
function checkSpelling(app: object): void {
  for (const name of memberNames(app)) {
    const meant = BY_PLAIN_NAME.get(plain(name))
    if (meant === undefined || meant === name || meant in app) continue
    if (typeof (app as Readonly<Record<string, unknown>>)[name] !== 'function') continue
    throw bad(`app.${name} is not a method of an application: write ${meant}`)
  }
}

/** The names of an object's own members, and of the classes that it is an instance of. */
function memberNames(app: object): readonly string[] {
  const parent: unknown = Object.getPrototypeOf(app)
  const own = Object.getOwnPropertyNames(app)
  if (typeof parent !== 'object' || parent === null || parent === Object.prototype) return own
  return [...own, ...memberNames(parent)]
}

/** Returns whether a value is a class. A function is not one. */
export function isClass(value: unknown): value is { readonly name: string } {
  return typeof value === 'function' && Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
}

function bad(message: string): AbciError {
  return new AbciError(ABCI_ERRORS.badApplication, message)
}
