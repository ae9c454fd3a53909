import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { addressOf } from './addresses.ts'
import { DocsError } from './docs-error.ts'

/** The address of the repository on GitHub, where readers open source files. */
const REPOSITORY = 'https://github.com/org/halley'

const isExternal = (href: string): boolean => /^(?:[a-z]+:|\/\/|#|\/)/i.test(href)

/**
 * Returns the target on the site for a link in the page of `file`. A link to a document leads to its page, and a link
 * to another file of the repository leads to GitHub. Throws `DOCS_DEAD_LINK` if the file does not exist.
 */
function siteLink(root: string, file: string, href: string): string {
  if (isExternal(href)) return href
  const [path = '', fragment] = href.split('#', 2)
  const target = normalize(join(dirname(file), decodeURI(path))).replace(/\/$/, '')
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (target.startsWith('..') || !existsSync(join(root, target)))
    throw new DocsError('DOCS_DEAD_LINK', `${file}: the link ${href} leads to a file that does not exist: ${target}`)
  const page = addressOf(target)
  if (page !== undefined) return `/${page}${hash}`
  const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob'
  return `${REPOSITORY}/${kind}/main/${target}${hash}`
}

interface Token {
  readonly type: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/** The part of markdown-it's parser that the plugin uses. */
interface Parser {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { readonly tokens: readonly Token[]; readonly env: Environment }) => void): void
    }
  }
}

interface Environment {
  /** The absolute path of the Markdown file from which the page is made. */
  readonly realPath?: string
}

/** A plugin of markdown-it that replaces the target of each link by its target on the site. */
export function repositoryLinks(root: string): (parser: Parser) => void {
  return (parser) => {
    parser.core.ruler.push('repository_links', ({ tokens, env }) => {
      if (env.realPath === undefined) return
      const file = relative(root, env.realPath)
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null
        if (href !== null) token.attrSet('href', siteLink(root, file, href))
      }
    })
  }
}
