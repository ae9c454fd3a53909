import { createForms, type Form, type Forms, type Member } from './forms.ts'
import { METHODS, SHAPES } from './table.ts'

/** Returns the name of the form that the result of an operation has. */
export const resultForm = (method: string): string => METHODS[method]?.[1] ?? method

/**
 * Returns the JSON of an answer that `decode` accepts, with only the members that `decode` reads. Each number, time,
 * key and byte string is written as the reference writes it. A value that is `null` or missing stays so.
 */
function rewrite({ inner, mark, leaf }: Form, json: unknown, forms: Forms): unknown {
  if (json === null || json === undefined) return json
  if (mark === '[]') {
    const item = forms.formOf(inner)
    return (json as readonly unknown[]).map((one) => rewrite(item, one, forms))
  }
  if (leaf !== undefined) return leaf.encode(leaf.decode(json) as never)
  const given = json as Readonly<Record<string, unknown>>
  const members = forms.members(inner)
  if (forms.isUnion(inner)) {
    const found = members.find(({ name }) => name === given.type) as Member
    return { type: found.name, value: rewrite(found.form, given.value, forms) }
  }
  const known: Record<string, unknown> = {}
  for (const { name, form } of members) {
    const member = form.inner === '+' ? undefined : rewrite(form, given[name], forms)
    if (member !== undefined) known[name] = member
  }
  return known
}

let ownForms: Forms | undefined

/**
 * Returns a result of `method` without the members that the typed client does not read. Numbers, times, keys and bytes
 * are written as the reference writes them. `result` is JSON that the typed client has accepted.
 *
 * If a program verifies a result and then passes its JSON to other code, the program must pass the JSON that this
 * function returns. A node can add a member that the verification does not read, or write a value so that the other
 * code reads another value.
 */
export function knownMembers(method: string, result: unknown): unknown {
  ownForms ??= createForms(SHAPES)
  return rewrite(ownForms.formOf(resultForm(method)), result, ownForms)
}
