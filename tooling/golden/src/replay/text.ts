/** Bytes in the form in which a recording stores them: a text if they are valid UTF-8, otherwise base64. */
export type StoredText = string | { readonly base64: string }

/**
 * The body of a request in the form in which a recording stores it. `repeat` describes a long body as `[prefix, unit,
 * count, suffix]`.
 */
export type StoredBody = StoredText | { readonly repeat: readonly [string, string, number, string] }

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function storeText(bytes: Uint8Array): StoredText {
  try {
    return strict.decode(bytes)
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') }
  }
}

export function bodyBytes(body: StoredBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  const [prefix, unit, count, suffix] = body.repeat
  return Buffer.from(prefix + unit.repeat(count) + suffix)
}
