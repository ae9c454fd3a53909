/** The libraries that are in the bundle of a published package, and that no other file of the package imports. */
const BUNDLED = {
  '@org/node': ['@confio/ics23', 'cli-progress', 'commander', 'prom-client', 'smol-toml', 'ws'],
}

export const hooks = {
  /** Removes the bundled libraries from a manifest that is published, so that nobody installs them a second time. */
  beforePacking(manifest) {
    const bundled = BUNDLED[manifest.name] ?? []
    const left = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !bundled.includes(name))
    return { ...manifest, dependencies: Object.fromEntries(left) }
  },
}
