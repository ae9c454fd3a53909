export const timer = (): unknown => globalThis.setTimeout(() => undefined, 1)
