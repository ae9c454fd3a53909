import type { MessageSchema } from '@org/types/schema'

const pascal = (key: string): string => key.replace(/^[a-z]/, (letter) => letter.toUpperCase())

/**
 * Returns a list of the labels that the kinds of messages have in metrics. The index of a label in the list is the
 * number of the field that contains a message of this kind. A label consists of `prefix`, `_` and the reference's name
 * of the field, for example `consensus_NewRoundStep`. In most cases, the reference's name is our name of the field with
 * a capital first letter. `others` maps our names of all other fields to the reference's names.
 */
export function kindLabels(
  prefix: string,
  { shape }: Pick<MessageSchema<unknown>, 'shape'>,
  others: Readonly<Record<string, string>> = {},
): readonly (string | undefined)[] {
  const labels: (string | undefined)[] = []
  const type = shape.sum?.type
  if (type?.kind !== 'oneof') return labels
  for (const [key, { number }] of Object.entries(type.cases)) labels[number] = `${prefix}_${others[key] ?? pascal(key)}`
  return labels
}
