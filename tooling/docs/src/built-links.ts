import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return htmlFiles(path)
    return entry.name.endsWith('.html') ? [path] : []
  })
}

/** Returns all values of an attribute in a page. Characters that are escaped in HTML are restored in the values. */
function valuesOf(html: string, attribute: 'href' | 'id'): string[] {
  const found = html.matchAll(attribute === 'id' ? /\sid="([^"]*)"/g : /\shref="([^"]*)"/g)
  return [...found].map(([, value = '']) => decodeURI(value.replaceAll('&amp;', '&').replaceAll('&#39;', "'")))
}

/**
 * Returns the dead links of a built site that is served at `base`: links to a missing page or to a missing heading.
 * VitePress itself checks that the page of a link exists, but not that the heading exists.
 */
export function findDeadLinks(folder: string, base = '/'): string[] {
  const pages = new Map(htmlFiles(folder).map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
  const headings = new Map([...pages].map(([page, html]) => [page, new Set(valuesOf(html, 'id'))]))
  return [...pages].flatMap(([page, html]) => {
    const inner = valuesOf(html, 'href').filter((href) => !/^[a-z]+:/i.test(href))
    return [...new Set(inner)].flatMap((href) => {
      const [path = '', heading = ''] = href.split('#', 2)
      const joined =
        path === '' ? page : path.startsWith(base) ? path.slice(base.length) : posix.join(posix.dirname(page), path)
      const target = joined === '' || joined.endsWith('/') ? `${joined}index.html` : joined
      const there = headings.get(target)
      // An attribute `href` may also refer to a file that is not a page, such as a style or an icon.
      if (there === undefined && existsSync(join(folder, target))) return []
      if (there === undefined) return [`${page}: ${href} leads to no page`]
      return heading === '' || there.has(heading)
        ? []
        : [`${page}: ${href} leads to a heading that ${target} does not have`]
    })
  })
}
