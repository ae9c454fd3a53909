/** Replaces the functions of `node:path` that the simulated disk and the WAL use. The separator is `/`. */
export function dirname(path: string): string {
  const end = path.lastIndexOf('/')
  if (end === -1) return '.'
  return end === 0 ? '/' : path.slice(0, end)
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function join(...parts: readonly string[]): string {
  return parts.join('/').replaceAll('//', '/')
}
