import { ABCI_ERRORS, AbciError } from '../errors.ts'
import { METHOD_NAMES, type MethodName } from '../messages/index.ts'
import { describe, kindOf } from './answer/index.ts'
import { memberNames, plainName } from './names.ts'

/** The maximum number of member names that an error lists. */
const MAX_NAMES = 5

/**
 * Throws an `AbciError` with `ABCI_BAD_APPLICATION` if `app` cannot be an application. The error says how to correct
 * `app`.
 */
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
  checkKind(app)
}

const BY_PLAIN_NAME = new Map<string, MethodName>(METHOD_NAMES.map((name) => [plainName(name), name]))

/**
 * Throws if a method has a misspelt name. A method such as `checktx` would never be called, and so the application
 * would accept every transaction.
 */
function checkSpelling(app: object): void {
  for (const name of memberNames(app)) {
    const meant = BY_PLAIN_NAME.get(plainName(name))
    if (meant === undefined || meant === name || meant in app) continue
    if (typeof (app as Readonly<Record<string, unknown>>)[name] !== 'function') continue
    throw bad(`app.${name} is not a method of an application: write ${meant}`)
  }
}

/**
 * Throws if the object cannot be an application, for example if it is a promise or a list. All methods of an
 * application are optional. Without this check, a promise or a list would count as an application that accepts
 * everything.
 */
function checkKind(app: object): void {
  if (METHOD_NAMES.some((name) => name in app)) return
  if (typeof (app as { then?: unknown }).then === 'function') {
    throw bad('app is a promise: write `await` before it, and pass the application that it resolves to')
  }
  if (isBuiltIn(app)) {
    throw bad(`app must be an object with methods such as checkTx and finalizeBlock, got ${describe(app)}`)
  }
  const { default: exported } = app as { readonly default?: unknown }
  if (exported !== undefined) {
    throw bad('app is a module, or an object with the member default: write `.default` after it')
  }
  const names = memberNames(app)
  if (names.length === 0) return
  throw bad(
    `app has no method of an application, such as checkTx or finalizeBlock; it has ${names.slice(0, MAX_NAMES).join(', ')}. An application that accepts everything is {}`,
  )
}

/**
 * True for an array, a Map, an Error and other built-in objects. False for an object literal, an instance of a class
 * that is not built in, or a module.
 */
function isBuiltIn(app: object): boolean {
  const kind = kindOf(app)
  return (kind !== 'Object' && kind !== 'Module') || app instanceof Error
}

/** True if a value is a class. A function is not a class. */
export function isClass(value: unknown): value is { readonly name: string } {
  return typeof value === 'function' && Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
}

function bad(message: string): AbciError {
  return new AbciError(ABCI_ERRORS.badApplication, message)
}
