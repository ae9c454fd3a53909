import { siteConfig } from '../src/site-config.ts'

export default siteConfig(new URL('../../../', import.meta.url).pathname)
