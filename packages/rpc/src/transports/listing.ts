import type { Route } from '../call/route.ts'
import { type HttpResponse, headerBlock } from '../http/index.ts'

const HTML = headerBlock([['Content-Type', 'text/html']])

function link(host: string, route: Route): string {
  const args = route.paramNames.map((name) => `${name}=_`).join('&')
  const url = `//${host}/${route.name}?${args}`
  return `<a href="${url}">${url}</a></br>`
}

/**
 * Escapes a text for HTML. The text comes from a request, so it may contain any characters. For example, the host in
 * the target `http://<x>/` is `<x>`.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&#34;')
    .replace(/'/g, '&#39;')
}

/**
 * The page at `/`. It lists all operations that the reference has, including those that exist only over WebSocket,
 * sorted by name.
 */
export function listingPage(routes: Iterable<Route>, host: string): HttpResponse {
  const sorted = [...routes].filter(({ own }) => own !== true).sort((a, b) => (a.name < b.name ? -1 : 1))
  const html =
    '<html><body><br>Available endpoints:<br><br>Endpoints that require arguments:<br>' +
    `${sorted.map((route) => link(host, route)).join('')}</body></html>`
  return { status: 200, headers: HTML, body: [Buffer.from(html, 'latin1')] }
}
