import type { UserConfig } from 'vitepress'
import { addressOf, filesWithoutPage } from './addresses.ts'
import { drawnDiagrams } from './diagrams.ts'
import { repositoryLinks } from './repository-links.ts'
import { slugOf } from './slug.ts'

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="11" cy="11" r="4" fill="#3451b2"/><path d="M1 1l9 7M4 1l6 5M1 4l7 6" stroke="#3451b2"/></svg>',
)}`

const STYLE = [
  // Diagrams are drawn in black on white, so the dark mode inverts them.
  '.diagram{background:#fff;border-radius:8px}.dark .diagram{filter:invert(.89) hue-rotate(180deg)}',
  // The text of the first button on the start page is white. The theme's own colour for the button would give too
  // little contrast.
  'html:not(.dark){--vp-button-brand-bg:var(--vp-c-brand-1)}',
].join('')

/** Returns the configuration of VitePress for the documents of the repository at `root`. */
export function siteConfig(root: string): UserConfig {
  return {
    title: 'Halley',
    description: 'A BFT consensus node in TypeScript that speaks CometBFT v0.38',
    lang: 'en',
    srcDir: root,
    srcExclude: filesWithoutPage(root),
    rewrites: (file) => addressOf(file) ?? file,
    head: [
      ['link', { rel: 'icon', href: ICON }],
      ['style', {}, STYLE],
    ],
    markdown: {
      // Without this setting, a text such as `<T>` in a document or docstring would be read as HTML.
      html: false,
      anchor: { slugify: slugOf },
      config: (parser) => void parser.use(repositoryLinks(root)).use(drawnDiagrams),
    },
    themeConfig: {
      outline: 'deep',
      search: { provider: 'local' },
      notFound: {
        title: 'This page does not exist',
        quote: 'Its address may have changed. Search for it (Ctrl K), or begin at the first page.',
        linkText: 'First page',
        linkLabel: 'First page',
      },
      socialLinks: [{ icon: 'github', link: 'https://github.com/org/halley' }],
    },
  }
}
