import { CodedError } from '@org/runtime/errors'
import { camelCase } from './key.ts'
import { CONFIG_KEYS, type Config, type ConfigKey } from './sections.ts'
import { CONFIG_TEMPLATE } from './template/config-template.ts'
import { withBackfillNote } from './template/statesync.ts'

function valueText(config: Config, { section, name, key }: ConfigKey): string {
  const values = config[section === 'tx_index' ? 'txIndex' : section] as Readonly<Record<string, unknown>>
  return key.kind.toToml(values[camelCase(name)])
}

const BY_SECTION_AND_NAME: ReadonlyMap<string, ConfigKey> = new Map(
  CONFIG_KEYS.map((configKey) => [`${configKey.section}.${configKey.name}`, configKey]),
)

/**
 * Returns the lines that are added at the end of a section: the keys that only Halley has, if their value is not the
 * default.
 */
function ownLines(config: Config, section: string): string {
  const lines = CONFIG_KEYS.filter((configKey) => configKey.section === section && configKey.key.isHalleyOnly === true)
    .filter((configKey) => valueText(config, configKey) !== configKey.key.kind.toToml(configKey.key.fallback))
    .map(
      (configKey) =>
        `# ${configKey.key.help ?? configKey.name} (Halley only)\n${configKey.name} = ${valueText(config, configKey)}\n\n`,
    )
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
      const configKey = BY_SECTION_AND_NAME.get(id)
      if (configKey === undefined) throw new CodedError('CONFIG_TEMPLATE', `the template names an unknown key: ${id}`)
      section = configKey.section
      return valueText(config, configKey)
    })
    return body + ownLines(config, section)
  }).join('')
}
