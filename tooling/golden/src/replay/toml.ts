/**
 * Sets keys of a config.toml, and changes no other line. `values` has the form `{ "section.key": rawTomlValue }`.
 * Throws if a key is missing in the file.
 */
export function setTomlKeys(text: string, values: Readonly<Record<string, string>>): string {
  const unused = new Map(Object.entries(values))
  let section = ''
  const lines = text.split('\n').map((line) => {
    const header = /^\[([a-z0-9_.]+)\]/.exec(line)
    if (header !== null) section = `${header[1]}.`
    const key = /^([a-z0-9_]+) *=/.exec(line)?.[1]
    const value = key === undefined ? undefined : unused.get(section + key)
    if (value === undefined) return line
    unused.delete(section + key)
    return `${key} = ${value}`
  })
  if (unused.size > 0) throw new Error(`config.toml has no keys ${[...unused.keys()].join(', ')}`)
  return lines.join('\n')
}
