import type { HttpRequest } from '../http/index.ts'
import { type Binary, binaryOf, binaryOfText } from '../json/index.ts'
import { parseQuery } from './target.ts'

const FORM_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
const NONE: ReadonlyMap<Binary, Binary> = new Map()

async function parseMultipart(request: HttpRequest, type: string): Promise<ReadonlyMap<Binary, Binary>> {
  const values = new Map<Binary, Binary>()
  try {
    const body = new Uint8Array(request.body)
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) {
      const key = binaryOfText(name)
      if (typeof value === 'string' && !values.has(key)) values.set(key, binaryOfText(value))
    }
  } catch {
    // A broken form counts as none.
  }
  return values
}

/** The values of these names in a form in the body; none if the body is no form, or the verb has none. */
export function parseForm(
  request: HttpRequest,
  names: readonly string[],
): ReadonlyMap<Binary, Binary> | Promise<ReadonlyMap<Binary, Binary>> {
  if (request.body.length === 0) return NONE
  const type = request.headers.get('content-type') ?? ''
  const media = (type.split(';', 1)[0] as string).trim().toLowerCase()
  if (media === 'multipart/form-data') return parseMultipart(request, type)
  const isForm = media === 'application/x-www-form-urlencoded' && FORM_METHODS.has(request.method)
  return isForm ? parseQuery(binaryOf(request.body), names) : NONE
}
