import { CodedError } from '@org/runtime/errors'
import { camelCase } from './key.ts'
import { type Config, PLACES, type Place } from './sections.ts'
import { CONFIG_TEMPLATE } from './template/config-template.ts'
import { withBackfillNote } from './template/statesync.ts'

function valueText(config: Config, { section, name, key }: Place): string {
  const values = config[section === 'tx_index' ? 'txIndex' : section] as Readonly<Record<string, unknown>>
  return key.kind.toToml(values[camelCase(name)])
}

const BY_SECTION_AND_NAME: ReadonlyMap<string, Place> = new Map(
  PLACES.map((place) => [`${place.section}.${place.name}`, place]),
)

/**
 * Returns the lines that are added at the end of a section: the keys that only Halley has, if their value is not the
 * default.
 */
function ownLines(config: Config, section: string): string {
  const lines = PLACES.filter((place) => place.section === section && place.key.own === true)
    .filter((place) => valueText(config, place) !== place.key.kind.toToml(place.key.fallback))
    .map((place) => `# ${place.key.help ?? place.name} (Halley only)\n${place.name} = ${valueText(config, place)}\n\n`)
  return lines.join('')
}

/**
 * Returns the text of config.toml. If all keys that only Halley has keep their defaults, and state sync is not enabled,
 * the text is byte for byte what the reference writes.
 */
export function configToToml(config: Config): string {
  const text = textOf(config)
  return config.statesync.enable ? withBackfillNote(text) : text
}

function textOf(config: Config): string {
  return CONFIG_TEMPLATE.map((template) => {
    let section = 'base'
    const body = template.replace(/\{\{([\w-]+\.[\w-]+)\}\}/g, (_, id: string) => {
      const place = BY_SECTION_AND_NAME.get(id)
      if (place === undefined) throw new CodedError('CONFIG_TEMPLATE', `the template names an unknown key: ${id}`)
      section = place.section
      return valueText(config, place)
    })
    return body + ownLines(config, section)
  }).join('')
}
