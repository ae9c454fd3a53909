export const largest = (list: readonly number[]): number => Math.max(0, ...list)
