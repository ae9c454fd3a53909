import { RPC_ERRORS, RpcError } from '../errors.ts'
import type { HttpRequest } from '../http/index.ts'
import { parseQuery } from '../http/request-target.ts'
import { type Binary, binaryOf, binaryOfText } from '../json/index.ts'

const FORM_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])
type Form = ReadonlyMap<Binary, Binary>
const NONE: Form = new Map()

/** The maximum number of parts of a multipart form. The reference has the same limit. */
const MAX_PARTS = 1000
/**
 * The maximum number of bytes of the headers of a multipart form, summed over all its parts. A strict node does not
 * have this limit.
 */
const MAX_PART_HEADERS = 128 * 1024

/**
 * Returns the limit that a multipart form exceeds; `undefined` if the form may be parsed. The time is proportional to
 * the length of the form.
 *
 * The delimiters are counted as the parser finds them: the form begins with its delimiter, and each further delimiter
 * ends a part, even in the middle of a line.
 */
function sizeFault(body: Binary, strict: boolean): string | undefined {
  const begin = body.indexOf('--') + 2
  const end = body.indexOf('\r\n', begin)
  if (begin < 2 || end <= begin) return undefined
  const boundary = body.slice(begin, end)
  let headerBytes = 0
  let delimiters = 0
  for (let at = begin; at >= 0; at = body.indexOf(boundary, at + boundary.length)) {
    // After the last delimiter, no part begins. So a form with the maximum number of parts has one delimiter more than
    // parts.
    if (++delimiters > MAX_PARTS + 1) return `at most ${MAX_PARTS} parts`
    if (strict) continue
    const headersEnd = body.indexOf('\r\n\r\n', at)
    if (headersEnd < 0) return undefined
    headerBytes += headersEnd - at
    if (headerBytes > MAX_PART_HEADERS) return `at most ${MAX_PART_HEADERS} bytes of headers in its parts`
  }
  return undefined
}

async function parseMultipart(request: HttpRequest, type: string): Promise<Form> {
  const values = new Map<Binary, Binary>()
  try {
    const body = new Uint8Array(request.body)
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) {
      const key = binaryOfText(name)
      if (typeof value === 'string' && !values.has(key)) values.set(key, binaryOfText(value))
    }
  } catch {
    // A form that cannot be parsed has no values.
  }
  return values
}

/**
 * Reads the form in the body of a request. Returns the values of the fields that `names` lists. The result may also
 * have values of fields that are not in `names`. Returns no values if the body is not a form, or if it is a URL-encoded
 * form in a request that is not a POST, PUT or PATCH.
 *
 * If `strict` is false, throws `RPC_FORM_TOO_LARGE` for a multipart form with too many parts, or with too many bytes of
 * headers in its parts. If `strict` is true, never throws this error. Then the function returns no values for a form
 * with too many parts, as the reference does. The bytes of headers are then not limited.
 */
export async function parseForm(request: HttpRequest, names: readonly string[], strict: boolean): Promise<Form> {
  if (request.body.length === 0) return NONE
  const type = request.headers.get('content-type') ?? ''
  const media = (type.split(';', 1)[0] as string).trim().toLowerCase()
  if (media === 'multipart/form-data') {
    const fault = sizeFault(binaryOf(request.body), strict)
    if (fault === undefined) return parseMultipart(request, type)
    if (strict) return NONE
    const advice = `a multipart form may have ${fault}; send the arguments as JSON in the body of a POST to /`
    throw new RpcError(RPC_ERRORS.formTooLarge, `${RPC_ERRORS.formTooLarge}: ${advice}`)
  }
  const isForm = media === 'application/x-www-form-urlencoded' && FORM_METHODS.has(request.method)
  return isForm ? parseQuery(binaryOf(request.body), names) : NONE
}
