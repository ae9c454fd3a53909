/**
 * The maximum number of nested levels of JSON that is indented. With more levels, the indentation is much longer than
 * the JSON: 6 kB of JSON with 3,000 levels become 18 MB.
 */
const MAX_LEVELS = 32

/** True if a value has more than `levels` nested levels of lists and objects. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

/**
 * Returns a value as JSON. The JSON is indented, except if the value has many nested levels. Returns `undefined` if the
 * value has too many levels for `JSON.stringify`.
 */
export function indentedJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, null, isDeeper(value, MAX_LEVELS) ? 0 : 2)
  } catch {
    return undefined
  }
}

/** Returns JSON text as {@link indentedJson} does. Returns `undefined` if the text is not JSON. */
export function indentedText(json: string): string | undefined {
  try {
    return indentedJson(JSON.parse(json))
  } catch {
    return undefined
  }
}
