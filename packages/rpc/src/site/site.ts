import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { loadOnce } from '@org/runtime'
import { type HttpRequest, type HttpResponse, headerBlock } from '../http/index.ts'
import { acceptedGzip } from './accepted-gzip.ts'

/** A page with its files. */
export interface Site {
  /** Answers a request for a path of the site. Returns `undefined` for a path that does not belong to the site. */
  readonly answer: (path: string, request: Pick<HttpRequest, 'method' | 'headers'>) => Promise<HttpResponse> | undefined
}

/** A site of static files: its path, its files and its policy for browsers. */
export interface SiteOptions {
  /** The path of the site, such as `/explorer`. The page itself has this path with a slash at its end. */
  readonly path: string
  /**
   * Reads all files of the site. Called at the first request. The keys are relative paths with slashes, such as
   * `index.html` or `assets/main.js`. Without a file `index.html`, the site is treated as not installed.
   */
  readonly read: () => Promise<ReadonlyMap<string, Uint8Array>>
  /** The text of the answer if the site is not installed. */
  readonly missing: string
  /** The value of `Content-Security-Policy`. */
  readonly policy: string
}

type Header = readonly [name: string, value: string]

interface Served {
  readonly plain: Uint8Array
  /** The compressed file; absent if it would not be shorter. */
  readonly gzipped: Uint8Array | undefined
  readonly etag: string
  readonly headers: readonly Header[]
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}
const PLAIN: Header = ['Content-Type', 'text/plain; charset=utf-8']
/** Matches files whose names contain a hash of their content. Such a file never changes, so caches may keep it. */
const HASHED = /^assets\//

const compressed = promisify(gzip)

async function served(name: string, plain: Uint8Array, policy: string): Promise<Served> {
  const gzipped = await compressed(plain, { level: 9 })
  return {
    plain,
    gzipped: gzipped.length < plain.length ? gzipped : undefined,
    etag: createHash('sha256').update(plain).digest('base64url').slice(0, 22),
    headers: [
      ['Cache-Control', HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache'],
      ['Content-Security-Policy', policy],
      ['Content-Type', TYPES[extname(name)] ?? 'application/octet-stream'],
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Referrer-Policy', 'no-referrer'],
      ['Vary', 'Accept-Encoding'],
      ['X-Content-Type-Options', 'nosniff'],
      ['X-Frame-Options', 'DENY'],
    ],
  }
}

const text = (status: number, message: string, more: readonly Header[] = []): HttpResponse => ({
  status,
  headers: headerBlock([PLAIN, ...more]),
  body: [`${message}\n`],
})

/**
 * Returns whether `If-None-Match` contains the tag of the file, in its plain or its compressed form. A header of more
 * than 1,024 characters is ignored.
 */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined || header.length > 1024) return false
  return header.split(',').some((tag) => {
    const bare = tag.trim().replace(/^W\//, '')
    return bare === '*' || bare === `"${etag}"` || bare === `"${etag}-gz"`
  })
}

function fileAnswer(file: Served, { headers }: Pick<HttpRequest, 'headers'>): HttpResponse {
  const gzipped = acceptedGzip(headers.get('accept-encoding')) ? file.gzipped : undefined
  const tag: Header = ['ETag', gzipped === undefined ? `"${file.etag}"` : `"${file.etag}-gz"`]
  if (isKnown(headers.get('if-none-match'), file.etag)) {
    return { status: 304, headers: headerBlock([...file.headers, tag]), body: [] }
  }
  const encoding: readonly Header[] = gzipped === undefined ? [] : [['Content-Encoding', 'gzip']]
  return { status: 200, headers: headerBlock([...file.headers, tag, ...encoding]), body: [gzipped ?? file.plain] }
}

const isInstalled = (files: ReadonlyMap<string, Served>): boolean => files.has('index.html')

/**
 * Serves files from memory. A request gets a file only if its path equals the file's name. So no path can reach files
 * outside the folder from which the site was read.
 */
export function createSite({ path, read, missing, policy }: SiteOptions): Site {
  async function load(): Promise<ReadonlyMap<string, Served>> {
    const files = [...(await read())]
    const made = await Promise.all(
      files.map(async ([name, bytes]) => [name, await served(name, bytes, policy)] as const),
    )
    return new Map(made)
  }

  // The files may be built while the node runs. So if the site is not installed, the next request reads them again.
  const loaded = loadOnce(load, isInstalled)

  async function answer(name: string, request: Pick<HttpRequest, 'method' | 'headers'>): Promise<HttpResponse> {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return text(405, `the page does not support ${request.method}: use GET or HEAD`, [['Allow', 'GET, HEAD']])
    }
    const files = await loaded()
    if (!isInstalled(files)) return text(503, missing)
    const file = files.get(name === '' ? 'index.html' : name)
    return file === undefined ? text(404, `there is no such file: the page is at ${path}/`) : fileAnswer(file, request)
  }

  return {
    answer: (asked, request) => {
      // The address in `Location` is relative, so it is also correct behind a proxy that adds a prefix to the path.
      if (asked === path) {
        const location: Header = ['Location', `${path.slice(1)}/`]
        return Promise.resolve(text(307, `the page is at ${path}/`, [location]))
      }
      return asked.startsWith(`${path}/`) ? answer(asked.slice(path.length + 1), request) : undefined
    },
  }
}
