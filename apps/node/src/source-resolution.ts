import { type RegisterHooksOptions, registerHooks } from 'node:module'

type Resolve = NonNullable<RegisterHooksOptions['resolve']>

/**
 * Several hundred sources make up half of a start's time, and most of that goes into finding them: Node asks the file system
 * about every step of every path. A relative import of a source says exactly where it is, and a name of the workspace means the
 * same file to everybody. Has no effect on compiled code.
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
