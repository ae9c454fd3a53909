import { type RegisterHooksOptions, registerHooks } from 'node:module'

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/**
 * Resolves the imports of source files without the file system. Node.js would ask the file system about each folder of
 * each path; with several hundred sources, this takes up to half of the time of a start. The file system is not needed:
 * a relative import in these sources is the exact path of a file, and a package name of the workspace always means the
 * same file. Has no effect on compiled code.
 */
export function resolveSourcesQuickly(): void {
  const known = new Map<string, ReturnType<Resolve>>()
  const resolve: Resolve = (specifier, context, next) => {
    const { parentURL } = context
    if (parentURL === undefined || !parentURL.endsWith('.ts')) return next(specifier, context)
    if (specifier.startsWith('.') && specifier.endsWith('.ts')) {
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    }
    if (!specifier.startsWith('@org/')) return next(specifier, context)
    let found = known.get(specifier)
    if (found === undefined) {
      found = { ...next(specifier, context), shortCircuit: true }
      known.set(specifier, found)
    }
    return found
  }
  registerHooks({ resolve })
}
