import { navigation, sidebarOf } from '../src/navigation.ts'
import { siteConfig } from '../src/site-config.ts'

const root = new URL('../../../', import.meta.url).pathname
const config = siteConfig(root)

export default {
  ...config,
  cacheDir: `${root}tooling/docs/dist/cache`,
  themeConfig: { ...config.themeConfig, nav: navigation, sidebar: sidebarOf(root) },
}
