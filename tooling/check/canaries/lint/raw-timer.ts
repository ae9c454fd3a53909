export const timer = (): unknown => setTimeout(() => undefined, 1)
