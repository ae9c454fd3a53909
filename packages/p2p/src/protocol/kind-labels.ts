import type { MessageSchema } from '@org/types/schema'

const pascal = (key: string): string => key.replace(/^[a-z]/, (letter) => letter.toUpperCase())

/**
 * Returns the labels of the kinds of a message in metrics, by the number of the field that contains it: `prefix`, `_`
 * and the name of the field in the reference, such as `consensus_NewRoundStep`. `others` has the names whose spelling
 * differs.
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
