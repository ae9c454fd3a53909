import { fileURLToPath } from 'node:url'
import { open } from '@org/ui/testing'
import { withSite } from './site.ts'

const PICTURES = [
  { name: 'scenario', run: 'find=two-proposals&seed=2&n=4&do=500000.lie.2.doublePropose&t=3790', scheme: 'dark' },
  { name: 'twenty', run: 'seed=3&n=20&t=1160', scheme: 'light' },
] as const
const [WIDTH, HEIGHT] = [1360, 1000]

/** Writes the pictures of the README. */
await withSite(async (browser, origin) => {
  for (const { name, run, scheme } of PICTURES) {
    const { page } = await open(browser, 'about:blank')
    await page.setViewportSize({ width: WIDTH, height: HEIGHT })
    await page.emulateMedia({ colorScheme: scheme })
    await page.goto(`${origin}/#${run}`)
    await page.locator('.digest').waitFor({ timeout: 120_000 })
    const path = fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url))
    await page.screenshot({ path })
    console.log(`Wrote ${path}`)
    await page.close()
  }
})
