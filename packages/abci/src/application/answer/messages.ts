import { CodedError } from '@org/runtime/errors'
import { ProtoPublicKey, PUBLIC_KEY_SIZES, type PublicKey } from '@org/types/crypto'
import type { Codec, Field, MessageSchema } from '@org/types/schema'
import { isPlainObject, memberNames, plainName } from '../names.ts'
import { BYTES, type Check, SCALARS, WrongAnswer } from './checks.ts'
import { kindOf } from './describe.ts'
import { FAST_CHECKS } from './fast-checks.ts'

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)

const KEY_TYPES = Object.keys(PUBLIC_KEY_SIZES)
const KEY_WANTED = 'a public key: { type, bytes } with 32 bytes for ed25519 or 33 for secp256k1'

const PUBLIC_KEY: Check = {
  fits: isKey,
  convert: (value, field) => {
    if (!isObject(value) || value.type === undefined) throw new WrongAnswer(field, KEY_WANTED, value)
    if (!KEY_TYPES.includes(value.type as string)) {
      throw new WrongAnswer(`${field}.type`, `one of ${KEY_TYPES.join(', ')}`, value.type)
    }
    const key = { type: value.type, bytes: BYTES.convert(value.bytes, `${field}.bytes`) }
    if (isKey(key)) return key
    throw new WrongAnswer(`${field}.bytes`, `${PUBLIC_KEY_SIZES[key.type as PublicKey['type']]} bytes`, key.bytes)
  },
}

function isKey(value: unknown): boolean {
  if (!isObject(value) || !(value.bytes instanceof Uint8Array)) return false
  return PUBLIC_KEY_SIZES[value.type as PublicKey['type']] === value.bytes.length
}

/**
 * Returns the check for the values of a codec. Also makes the checks of all nested messages, which takes time. So this
 * function is called only when the module is loaded, and not for each answer.
 */
function checkOf(codec: Codec<unknown>): Check {
  const scalar = SCALARS.get(codec as Codec<never>)
  if (scalar !== undefined) return scalar
  if (codec === ProtoPublicKey) return PUBLIC_KEY
  const check = checkOfMessage(codec as MessageSchema<unknown>)
  const fits = FAST_CHECKS.get(codec as Codec<never>)
  return fits === undefined ? check : { fits, convert: check.convert }
}

/**
 * Makes the check for a schema. `specialChecks` has special checks for some members, such as enumerations. A special
 * check replaces the check of the member's type.
 */
export function checkOfMessage(
  { shape, zero }: MessageSchema<unknown>,
  specialChecks: Readonly<Record<string, Check>> = {},
): Check {
  const template = zero as Members
  const checks = new Map(Object.entries(shape).map(([key, field]) => [key, specialChecks[key] ?? checkOfField(field)]))
  const entries = [...checks].map(([key, { fits }]) => ({ key, fits }))
  const names = entries.map(({ key }) => key)
  const byPlainName = new Map(names.map((name) => [plainName(name), name]))
  /**
   * The prototypes of answers in which a check of all member names found no wrong name. For a later answer with the
   * same prototype, only the answer's own names are checked.
   */
  const isChecked = new WeakSet<object>()
  /** The members that must be present, because their zero value is not a valid answer. */
  const required = entries.filter(({ key, fits }) => !fits(template[key])).map(({ key }) => key)
  const wanted = names.length === 0 ? 'an object' : `an object with members such as ${names.slice(0, 3).join(', ')}`

  function fits(value: unknown): boolean {
    if (!isObject(value)) return false
    for (const entry of entries) if (!entry.fits(value[entry.key])) return false
    let members = 0
    for (const _ in value) members++
    return members === entries.length
  }

  /**
   * Returns the members of an answer that is an instance of a class, including members with a getter. A member is a
   * property that the schema of the answer has. Returns `undefined` if there is nothing to return, and for an object
   * such as an `Error`, a `Map` or a promise.
   *
   * Also returns some properties with unknown names, so that the check refuses the answer and reports the name:
   * - properties whose name looks like the misspelt name of a missing member;
   * - all own properties of the instance, if the class itself defines no member. A class that defines a member, for
   *   example by a getter, may keep private data in own properties.
   */
  function membersOf(instance: Members): Members | undefined {
    if (kindOf(instance) !== 'Object' || instance instanceof Error) return undefined
    const members: Record<string, unknown> = {}
    for (const name of names) if (name in instance) members[name] = instance[name]
    const hasInherited = Object.keys(members).some((name) => !Object.hasOwn(instance, name))
    const prototype = Object.getPrototypeOf(instance) as object
    const unknown = isChecked.has(prototype) ? Object.keys(instance) : memberNames(instance)
    const wrong = unknown.filter(
      (name) => isMisspelt(name, members) || (!hasInherited && Object.hasOwn(instance, name)),
    )
    for (const name of wrong) members[name] = instance[name]
    if (wrong.length === 0) isChecked.add(prototype)
    return Object.keys(members).length > 0 ? members : undefined
  }

  function isMisspelt(name: string, members: Members): boolean {
    const meant = byPlainName.get(plainName(name))
    return meant !== undefined && !(meant in members)
  }

  function convert(value: unknown, field: string): unknown {
    const members = isObject(value) ? (isPlainObject(value) ? value : membersOf(value)) : undefined
    if (members === undefined) throw new WrongAnswer(field, wanted, value)
    // The complete answer begins as a copy of `template`, which has the zero value of each member. An absent member
    // keeps this value. All answers share the zero values, because no code changes them. V8 gives all copies of
    // `template` the same hidden class, so code that reads the answers is fast.
    const complete: Record<string, unknown> = { ...template }
    for (const key of Object.keys(members)) {
      const member = members[key]
      if (member === undefined) continue
      const check = checks.get(key)
      if (check?.fits(member) === true) {
        complete[key] = member
        continue
      }
      // The text of an error contains `place`, which is the position of the member in the answer.
      const place = field === '' ? key : `${field}.${key}`
      if (check === undefined) throw new WrongAnswer(place, `left out (the members are ${names.join(', ')})`, member)
      complete[key] = check.convert(member, place)
    }
    for (const key of required) {
      if (members[key] === undefined) checks.get(key)?.convert(undefined, field === '' ? key : `${field}.${key}`)
    }
    return complete
  }

  return { fits, convert }
}

function checkOfField({ type }: Field<unknown>): Check {
  // No message of an answer has a field of the kind `oneof` or `derived`, so the error below is never thrown.
  if (type.kind === 'oneof' || type.kind === 'derived')
    throw new CodedError('ABCI_SCHEMA', `no answer may have a field of the kind ${type.kind}`)
  const check = checkOf(type.codec)
  if (type.kind === 'repeated') return listOf(check)
  if (type.kind === 'single') return check
  return { fits: (value) => value === undefined || check.fits(value), convert: check.convert }
}

function listOf({ fits, convert }: Check): Check {
  return {
    fits: (value) => {
      if (!Array.isArray(value)) return false
      for (const item of value) if (!fits(item)) return false
      return true
    },
    convert: (value, field) => {
      if (!Array.isArray(value)) throw new WrongAnswer(field, 'a list (an array)', value)
      return Array.from(value, (item, index) => (fits(item) ? item : convert(item, `${field}[${index}]`)))
    },
  }
}
