export function planted(kind: 'one' | 'two'): number {
  switch (kind) {
    case 'one':
      return 1
  }
  return 0
}
