export const start = performance.now()
