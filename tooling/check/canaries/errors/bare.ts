export function planted(): never {
  throw new Error('no code')
}
