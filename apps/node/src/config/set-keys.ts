const SECTION = /^\s*\[([^\]]+)\]\s*(?:#.*)?$/
const nameOf = (line: string): string | undefined => /^\s*([\w-]+)\s*=/.exec(line)?.[1]

/**
 * Sets keys of one section in the text of a config.toml, and returns the new text. The texts in `values` are TOML. A
 * key or a section that is missing is added. All other lines, also comments, stay as they are.
 */
export function setKeys(text: string, section: string, values: Readonly<Record<string, string>>): string {
  const missing = new Map(Object.entries(values))
  const lines = text.split('\n')
  let begin = -1
  let current = ''
  for (const [index, line] of lines.entries()) {
    const header = SECTION.exec(line)?.[1]?.trim()
    if (header !== undefined) current = header
    if (header === section) begin = index
    if (current !== section) continue
    const name = nameOf(line) ?? ''
    const value = missing.get(name)
    if (value === undefined) continue
    lines[index] = `${name} = ${value}`
    missing.delete(name)
  }
  const added = [...missing].map(([name, value]) => `${name} = ${value}`)
  const all =
    begin < 0
      ? [...lines, `[${section}]`, ...added, '']
      : [...lines.slice(0, begin + 1), ...added, ...lines.slice(begin + 1)]
  return all.join('\n')
}
